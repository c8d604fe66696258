/** Values of CloudFormation, put together without knowing what they will be. */
import type { Intrinsic, Value } from './options.ts'

/** An attribute of a resource of this template. */
export const attribute = (logicalId: string, name: string): Intrinsic => ({ 'Fn::GetAtt': [logicalId, name] })

/** A resource of this template (a queue's URL, a table's name, …), or a pseudo parameter. */
export const ref = (logicalId: string): Intrinsic => ({ Ref: logicalId })

export const REGION: Intrinsic = ref('AWS::Region')

/**
 * One text out of several. `Fn::Join` rather than `Fn::Sub`: what a user writes, `${…}` among it, needs no escape, and variables
 * of the Serverless Framework can't be mistaken for ours (F115).
 */
export function joined(...parts: readonly Value[]): Value {
  const merged: Value[] = []
  for (const part of parts.flatMap(piecesOf)) {
    const last = merged.at(-1)
    if (typeof part === 'string' && typeof last === 'string') merged[merged.length - 1] = last + part
    else if (part !== '') merged.push(part)
  }
  const [first = ''] = merged
  return merged.length <= 1 ? first : { 'Fn::Join': ['', merged] }
}

// A text that is joined already lies flat in the one it becomes part of.
function piecesOf(value: Value): readonly Value[] {
  const join = typeof value === 'string' ? undefined : value['Fn::Join']
  return Array.isArray(join) && join[0] === '' && Array.isArray(join[1]) ? (join[1] as Value[]) : [value]
}

/** Field of an ARN: 1 partition, 2 service, 3 region, 4 account, 5 the rest. */
const fieldOf = (arn: Value, index: number): Value =>
  typeof arn === 'string' ? (arn.split(':')[index] ?? '') : { 'Fn::Select': [index, { 'Fn::Split': [':', arn] }] }

/** The logical id, where an ARN is the attribute of a resource in this template. */
export function resourceOf(arn: Value): string | undefined {
  if (typeof arn === 'string') return undefined
  const target = arn['Fn::GetAtt']
  const [id, name] = typeof target === 'string' ? target.split('.') : Array.isArray(target) ? target : []
  return typeof id === 'string' && name === 'Arn' ? id : undefined
}

/** The name of the queue with this ARN. */
export function queueNameOf(arn: Value): Value {
  const id = resourceOf(arn)
  return id === undefined ? fieldOf(arn, 5) : attribute(id, 'QueueName')
}

/** The URL of the queue with this ARN. */
export function queueUrlOf(arn: Value): Value {
  const id = resourceOf(arn)
  if (id !== undefined) return ref(id)
  return joined('https://sqs.', fieldOf(arn, 3), '.', ref('AWS::URLSuffix'), '/', fieldOf(arn, 4), '/', fieldOf(arn, 5))
}

/** The region of the queue with this ARN. */
export const regionOf = (arn: Value): Value => (resourceOf(arn) === undefined ? fieldOf(arn, 3) : REGION)

/** The name of the table with this ARN. */
export function tableNameOf(arn: Value): Value {
  if (typeof arn === 'string') return arn.slice(arn.indexOf('/') + 1)
  const id = resourceOf(arn)
  return id === undefined ? { 'Fn::Select': [1, { 'Fn::Split': ['/', arn] }] } : ref(id)
}

/** JSON of a structure that holds values of CloudFormation: they become part of the text when the stack is made. */
export function jsonOf(structure: unknown): Value {
  if (Array.isArray(structure)) return joined('[', ...separated(structure.map(jsonOf)), ']')
  if (isIntrinsic(structure)) return joined('"', structure, '"')
  if (typeof structure !== 'object' || structure === null) return JSON.stringify(structure)
  const entries = Object.entries(structure).filter(([, value]) => value !== undefined)
  return joined('{', ...separated(entries.map(([key, value]) => joined(`${JSON.stringify(key)}:`, jsonOf(value)))), '}')
}

/** Whether something is a call of one of CloudFormation's functions. */
export function isIntrinsic(value: unknown): value is Intrinsic {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const [name, ...more] = Object.keys(value)
  return name !== undefined && more.length === 0 && (name === 'Ref' || name.startsWith('Fn::'))
}

const separated = (values: readonly Value[]): readonly Value[] =>
  values.flatMap((value, index) => (index === 0 ? [value] : [',', value]))
