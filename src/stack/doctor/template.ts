/** From a template to a consumer's facts. The template may come from anywhere: nothing in it is trusted, nothing throws. */
import { conditionHolds, resolver } from './intrinsics.ts'
import { type Known, notSeen, seen } from './known.ts'
import { isRecord, isScalar, type Loose, type LooseResource, type LooseTemplate, type Resolve, Unresolved } from './loose.ts'

/** A resource with a way to its properties. */
export interface Read {
  readonly id: string
  /** What people call it: the logical id, or in a live stack its kind and name. */
  readonly where: string
  readonly type: string
  /** Whether it is there at all: a condition may leave it out. */
  readonly conditional: boolean
  /** A property, resolved. */
  readonly get: (property: string) => unknown
  readonly resource: LooseResource
}

export interface ReadTemplate {
  readonly resolve: Resolve
  readonly ofType: (...types: readonly string[]) => readonly Read[]
  /** Why there may be resources that are not seen: macros, nested stacks. */
  readonly hidden: readonly string[]
  /** ARNs and names that a live stack was asked for and that do not exist. */
  readonly missing: ReadonlySet<string>
}

export function readTemplate(value: unknown): ReadTemplate {
  const top = isRecord(value) ? value : {}
  const loose: LooseTemplate = {
    resources: resourcesOf(top),
    mappings: record(top['Mappings']),
    conditions: record(top['Conditions']),
    known: new Map(),
  }
  const resolve = resolver(loose)
  const conditions = record(top['Resources'])
  const all: Read[] = []
  for (const resource of loose.resources.values()) {
    const condition = record(conditions[resource.id])['Condition']
    const holds = condition === undefined ? true : conditionHolds(condition, loose, resolve)
    if (holds !== false) all.push(readResource(resource, holds === undefined, resolve))
  }
  const doctor = record(record(top['Metadata'])['RedriveDoctor'])
  const missing = Array.isArray(doctor['missing']) ? doctor['missing'].map(String) : []
  return {
    resolve,
    ofType: (...types) => all.filter(({ type }) => types.includes(type)),
    hidden: hiddenIn(top, all),
    missing: new Set(missing),
  }
}

function readResource(resource: LooseResource, conditional: boolean, resolve: Resolve): Read {
  const { id, type } = resource
  // The outer layer only: one property that can't be resolved says nothing of the others.
  const properties =
    isRecord(resource.properties) && !isCall(resource.properties) ? resource.properties : resolve(resource.properties)
  const get = (property: string): unknown => {
    if (properties instanceof Unresolved) return properties
    if (!isRecord(properties)) return undefined
    if (Object.hasOwn(properties, property)) return resolve(properties[property])
    return Object.hasOwn(properties, 'Fn::Transform') ? new Unresolved('a macro') : undefined
  }
  return { id, where: id, type, conditional, get, resource }
}

function resourcesOf(top: Loose): Map<string, LooseResource> {
  return new Map(
    Object.entries(record(top['Resources'])).flatMap(([id, value]): [string, LooseResource][] =>
      isRecord(value) && typeof value['Type'] === 'string'
        ? [[id, { id, type: value['Type'], properties: value['Properties'] }]]
        : [],
    ),
  )
}

function hiddenIn(top: Loose, all: readonly Read[]): string[] {
  const transforms = [top['Transform']].flat().filter((one) => one !== undefined)
  const loops = Object.keys(record(top['Resources'])).filter((id) => id.startsWith('Fn::'))
  return [
    ...transforms.map((one) => `the transform ${typeof one === 'string' ? one : 'of this template'} may add resources`),
    ...loops.map((id) => `${id} makes resources that are not seen here`),
    ...all.filter(({ type }) => type === 'AWS::CloudFormation::Stack').map(({ id }) => `the nested stack ${id} may hold it`),
  ]
}

const isCall = (value: Loose): boolean => Object.keys(value).length === 1 && /^(Ref$|Fn::)/.test(Object.keys(value)[0] ?? '')
export const record = (value: unknown): Loose => (isRecord(value) ? value : {})

/** A value as the type that it must be; `absent` is what AWS takes where nothing is said. */
export function asNumber<T>(value: unknown, absent: T): Known<number | T> {
  if (value === undefined) return seen(absent)
  if (value instanceof Unresolved) return notSeen(value.why)
  if (typeof value === 'number' && Number.isFinite(value)) return seen(value)
  if (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)) return seen(Number(value))
  return notSeen(`a value that is no number: ${shown(value)}`)
}

export function asBoolean(value: unknown, absent: boolean): Known<boolean> {
  if (value === undefined) return seen(absent)
  if (value instanceof Unresolved) return notSeen(value.why)
  if (value === true || value === 'true') return seen(true)
  if (value === false || value === 'false') return seen(false)
  return notSeen(`a value that is neither true nor false: ${shown(value)}`)
}

export function asText<T>(value: unknown, absent: T): Known<string | T> {
  if (value === undefined) return seen(absent)
  if (value instanceof Unresolved) return notSeen(value.why)
  if (typeof value === 'string') return seen(value)
  if (typeof value === 'number' || typeof value === 'boolean') return seen(String(value))
  return notSeen(`a value that is no text: ${shown(value)}`)
}

export function asRecord(value: unknown): Known<Loose> {
  if (value === undefined) return seen({})
  if (value instanceof Unresolved) return notSeen(value.why)
  return isRecord(value) ? seen(value) : notSeen(`a value that is no object: ${shown(value)}`)
}

/** One thing in place of a list of one is as good. */
export function asList(value: unknown): Known<readonly unknown[]> {
  if (value === undefined) return seen([])
  if (value instanceof Unresolved) return notSeen(value.why)
  return seen(Array.isArray(value) ? value : [value])
}

const shown = (value: unknown): string =>
  isScalar(value) ? String(value).slice(0, 60) : `a ${Array.isArray(value) ? 'list' : typeof value}`
