/** CloudFormation's functions, evaluated as a deployment would: what is left is plain, and what dangles is an error. */
import type { Resource, Resources } from '../../src/stack/options.ts'

export const ACCOUNT = '111122223333'

type Plain = { readonly [key: string]: unknown }

/** A structure with all its functions evaluated, in the stack of these resources. */
export function deployed<T>(structure: T, resources: Resources, region = 'eu-central-1'): T {
  const pseudo: Plain = {
    'AWS::Region': region,
    'AWS::AccountId': ACCOUNT,
    'AWS::URLSuffix': 'amazonaws.com',
    'AWS::Partition': 'aws',
  }
  const find = (id: string): Resource => {
    const found = resources[id]
    if (found === undefined) throw new Error(`dangling reference to ${id}`)
    return found
  }
  const evaluate = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(evaluate)
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value)
    const [name = '', argument] = entries[0] ?? []
    if (entries.length === 1 && (name === 'Ref' || name.startsWith('Fn::'))) return call(name, evaluate(argument))
    return Object.fromEntries(entries.map(([key, inner]) => [key, evaluate(inner)]))
  }
  const call = (name: string, argument: unknown): unknown => {
    const list = (Array.isArray(argument) ? argument : []) as unknown[]
    if (name === 'Ref') return pseudo[String(argument)] ?? reference(String(argument))
    if (name === 'Fn::GetAtt') return attributeOf(String(list[0]), String(list[1]))
    if (name === 'Fn::Join') return listOf(list[1]).map(text).join(text(list[0]))
    if (name === 'Fn::Select') return listOf(list[1])[Number(list[0])] ?? fail(`nothing to select: ${JSON.stringify(argument)}`)
    if (name === 'Fn::Split') return text(list[1]).split(text(list[0]))
    return fail(`no such function: ${name}`)
  }
  const nameOf = (id: string, property: string): string => text(evaluate(find(id).Properties?.[property] ?? `stack-${id}`))
  const reference = (id: string): string => {
    const name = nameOf(id, 'QueueName')
    if (find(id).Type === 'AWS::SQS::Queue') return `https://sqs.${region}.amazonaws.com/${ACCOUNT}/${name}`
    return find(id).Type === 'AWS::DynamoDB::Table' ? name : `arn:aws:made:${region}:${ACCOUNT}:${id}`
  }
  const attributeOf = (id: string, attribute: string): string => {
    const { Type } = find(id)
    if (Type === 'AWS::SQS::Queue' && attribute === 'QueueName') return nameOf(id, 'QueueName')
    if (Type === 'AWS::SQS::Queue' && attribute === 'Arn') return `arn:aws:sqs:${region}:${ACCOUNT}:${nameOf(id, 'QueueName')}`
    if (Type === 'AWS::DynamoDB::Table' && attribute === 'Arn') return `arn:aws:dynamodb:${region}:${ACCOUNT}:table/stack-${id}`
    return fail(`${Type} has no attribute ${attribute} here`)
  }
  return evaluate(structure) as T
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : fail(`no list: ${JSON.stringify(value)}`))

const text = (value: unknown): string => (typeof value === 'string' ? value : fail(`no text: ${JSON.stringify(value)}`))

function fail(why: string): never {
  throw new Error(why)
}
