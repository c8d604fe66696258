/** Intrinsic functions of CloudFormation, resolved as far as the template alone can tell. Anything may stand anywhere: nothing throws. */
import { identity } from './identity.ts'
import { isRecord, isScalar, type Loose, type LooseTemplate, type Resolve, Unresolved } from './loose.ts'

/** Deeper than any template that somebody wrote. */
const DEEPEST = 60
/** Longer than any name or policy. */
const LONGEST = 10_000

export function resolver(template: LooseTemplate): Resolve {
  const underWay = new Set<object>()
  const resolve = (value: unknown, depth: number): unknown => {
    if (value instanceof Unresolved || typeof value !== 'object' || value === null) return value
    if (depth > DEEPEST) return new Unresolved('a value nested too deeply')
    const next = (inner: unknown): unknown => resolve(inner, depth + 1)
    return once(underWay, value, () => {
      if (Array.isArray(value)) return value.map(next).filter((one) => one !== undefined)
      const name = intrinsicName(value)
      if (name !== undefined) return call(name, (value as Loose)[name], { template, next })
      const entries = Object.entries(value).map(([key, inner]) => [key, next(inner)] as const)
      return Object.fromEntries(entries.filter(([, inner]) => inner !== undefined))
    })
  }
  return (value) => resolve(value, 0)
}

interface Scope {
  readonly template: LooseTemplate
  readonly next: Resolve
}

type Intrinsic = (argument: unknown, scope: Scope) => unknown

const INTRINSICS: Readonly<Record<string, Intrinsic>> = {
  Ref: (argument, scope) =>
    typeof argument === 'string' ? reference(argument, undefined, scope) : new Unresolved('a Ref of no name'),
  'Fn::GetAtt': (argument, { next, ...scope }) => {
    const path = typeof argument === 'string' ? argument.split('.') : next(argument)
    if (!isTexts(path) || path.length < 2) return new Unresolved('a Fn::GetAtt of no attribute')
    return reference(path[0] as string, path.slice(1).join('.'), { next, ...scope })
  },
  'Fn::Sub': (argument, scope) => {
    const [text, values] = Array.isArray(argument) ? argument : [argument, {}]
    return typeof text === 'string'
      ? substituted(text, isRecord(values) ? values : {}, scope)
      : new Unresolved('a Fn::Sub of no text')
  },
  'Fn::Join': (argument, { next }) => {
    const [separator, parts] = Array.isArray(argument) ? [argument[0], next(argument[1])] : []
    if (typeof separator !== 'string' || !Array.isArray(parts))
      return firstUnresolved(parts) ?? new Unresolved('a Fn::Join of no list')
    return firstUnresolved(...parts) ?? (parts.every(isScalar) ? parts.join(separator) : new Unresolved('a Fn::Join of no texts'))
  },
  'Fn::Split': (argument, { next }) => {
    const [separator, text] = Array.isArray(argument) ? [argument[0], next(argument[1])] : []
    if (typeof separator !== 'string' || separator === '' || typeof text !== 'string')
      return firstUnresolved(text) ?? new Unresolved('a Fn::Split of no text')
    return text.split(separator)
  },
  'Fn::Select': (argument, { next }) => {
    const [index, list] = Array.isArray(argument) ? [next(argument[0]), next(argument[1])] : []
    if (!isScalar(index) || !Array.isArray(list)) return firstUnresolved(index, list) ?? new Unresolved('a Fn::Select of no list')
    return list[Number(index)] ?? new Unresolved('a Fn::Select past the end of its list')
  },
  'Fn::If': (argument, { next, template }) => {
    const [name, yes, no] = Array.isArray(argument) ? argument : []
    const holds = conditionHolds(name, template, next)
    return holds === undefined ? new Unresolved(`the condition ${String(name)}`) : next(holds ? yes : no)
  },
  'Fn::FindInMap': (argument, { next, template }) => {
    const path = next(argument)
    if (!isTexts(path))
      return firstUnresolved(...(Array.isArray(path) ? path : [path])) ?? new Unresolved('a Fn::FindInMap of no keys')
    const found = path.reduce<unknown>(
      (at, key) => (isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined),
      template.mappings,
    )
    return found === undefined ? new Unresolved(`the mapping ${path.join('.')}`) : next(found)
  },
  'Fn::ImportValue': () => new Unresolved('an export of another stack'),
  /** Not CloudFormation's: what a live stack did not show. */
  'Fn::NotSeen': (argument) => new Unresolved(String(argument)),
}

function call(name: string, argument: unknown, scope: Scope): unknown {
  const intrinsic = Object.hasOwn(INTRINSICS, name) ? INTRINSICS[name] : undefined
  return intrinsic === undefined ? new Unresolved(`${name}, which is not read here`) : intrinsic(argument, scope)
}

/** What stands in a text for what only the deployment knows. */
const PSEUDO: Readonly<Record<string, string>> = {
  'AWS::Partition': '<partition>',
  'AWS::Region': '<region>',
  'AWS::AccountId': '<account>',
  'AWS::URLSuffix': '<domain>',
  'AWS::StackName': '<stack>',
  'AWS::StackId': '<stack id>',
}

function reference(id: string, attribute: string | undefined, { template, next }: Scope): unknown {
  if (attribute === undefined && id === 'AWS::NoValue') return undefined
  if (attribute === undefined && Object.hasOwn(PSEUDO, id)) return PSEUDO[id]
  const key = `${id}.${attribute ?? ''}`
  if (!template.known.has(key)) template.known.set(key, lookedUp(id, attribute, template, next))
  return template.known.get(key)
}

function lookedUp(id: string, attribute: string | undefined, { resources }: LooseTemplate, next: Resolve): unknown {
  const resource = resources.get(id)
  if (resource === undefined) {
    return new Unresolved(attribute === undefined ? `the parameter ${id}` : `${id}.${attribute}, which is not in this template`)
  }
  const name = identity(resource, attribute, next)
  if (name !== undefined && name.length <= LONGEST) return name
  return new Unresolved(`${attribute ?? 'Ref'} of ${id} (${resource.type})`)
}

function substituted(text: string, values: Loose, scope: Scope): unknown {
  let unresolved: Unresolved | undefined
  const result = text.replaceAll(/\$\{(!?)([^}]*)\}/g, (whole, literal: string, name: string) => {
    if (literal === '!') return `\${${name}}`
    const [id = '', ...attribute] = name.trim().split('.')
    const value = Object.hasOwn(values, name)
      ? scope.next(values[name])
      : reference(id, attribute.length > 0 ? attribute.join('.') : undefined, scope)
    if (isScalar(value)) return String(value)
    unresolved ??= value instanceof Unresolved ? value : new Unresolved(`${whole} in a text`)
    return ''
  })
  return unresolved ?? result
}

/** Whether a condition holds; `undefined` where only the deployment knows. */
export function conditionHolds(name: unknown, template: LooseTemplate, resolve: Resolve): boolean | undefined {
  const known = new Map<string, boolean | undefined>()
  const named = (wanted: unknown, depth: number): boolean | undefined => {
    if (typeof wanted !== 'string' || !Object.hasOwn(template.conditions, wanted)) return undefined
    if (!known.has(wanted)) {
      // One that needs itself is never known.
      known.set(wanted, undefined)
      known.set(wanted, holds(template.conditions[wanted], depth))
    }
    return known.get(wanted)
  }
  const holds = (condition: unknown, depth: number): boolean | undefined => {
    if (!isRecord(condition) || depth > DEEPEST) return undefined
    const [[kind, argument] = ['', undefined]] = Object.entries(condition)
    if (kind === 'Condition') return named(argument, depth + 1)
    if (!Array.isArray(argument)) return undefined
    if (kind === 'Fn::Equals') return equal(argument.map(resolve))
    return combined(
      kind,
      argument.map((one) => holds(one, depth + 1)),
    )
  }
  return named(name, 0)
}

function combined(kind: string, all: readonly (boolean | undefined)[]): boolean | undefined {
  if (kind === 'Fn::Not') return all[0] === undefined ? undefined : !all[0]
  if (kind === 'Fn::And') return all.includes(false) ? false : all.includes(undefined) ? undefined : true
  if (kind === 'Fn::Or') return all.includes(true) ? true : all.includes(undefined) ? undefined : false
  return undefined
}

/** What stands for a pseudo parameter may turn out to be anything. */
function equal([one, other]: readonly unknown[]): boolean | undefined {
  return isScalar(one) && isScalar(other) && !/[<>]/.test(`${one}${other}`) ? String(one) === String(other) : undefined
}

function intrinsicName(value: object): string | undefined {
  const [name, ...more] = Object.keys(value)
  return name !== undefined && more.length === 0 && (name === 'Ref' || name.startsWith('Fn::')) ? name : undefined
}

/** Names that need each other to be known never are, and what holds itself has no end. */
function once(underWay: Set<object>, value: object, run: () => unknown): unknown {
  if (underWay.has(value)) return new Unresolved('a name that needs itself')
  underWay.add(value)
  try {
    return run()
  } finally {
    underWay.delete(value)
  }
}

const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every((one) => typeof one === 'string')
const firstUnresolved = (...values: readonly unknown[]): Unresolved | undefined => values.find((one) => one instanceof Unresolved)
