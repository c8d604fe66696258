/**
 * A DynamoDB client in a few lines that refuses as AWS does: with the old item in the error, which dynalite cannot. It knows the
 * expressions the store uses and nothing else, counts requests and write units, and can lose answers.
 */
import type { AttributeValue, GetItemCommandInput, UpdateItemCommandInput } from '@aws-sdk/client-dynamodb'
import type { DynamoClient } from '../../src/aws/dynamodb-client.ts'
import type { Item } from '../../src/aws/dynamodb-item.ts'
import { evaluate, update } from './expressions.ts'

interface SendOptions {
  readonly abortSignal?: AbortSignal
}

export interface StubDynamo extends DynamoClient {
  readonly items: Map<string, Item>
  readonly sent: {
    readonly command: string
    readonly input: UpdateItemCommandInput | GetItemCommandInput
    readonly options: SendOptions
  }[]
  /** Write units so far, as DynamoDB bills them (F85). */
  units: number
  /** What to throw instead of an answer, once each. */
  readonly failures: Error[]
}

/** `stutter`: each request is carried out twice and only the second answer arrives, as when the SDK tries again. */
export function stubDynamo({ stutter = false } = {}): StubDynamo {
  const stub: StubDynamo = {
    items: new Map(),
    sent: [],
    units: 0,
    failures: [],
    async send(command: { input: UpdateItemCommandInput | GetItemCommandInput }, options: SendOptions = {}) {
      stub.sent.push({ command: command.constructor.name, input: command.input, options })
      options.abortSignal?.throwIfAborted()
      const failure = stub.failures.shift()
      if (failure) throw failure
      const act = () =>
        'UpdateExpression' in command.input ? write(stub, command.input) : { Item: structuredClone(found(stub, command.input)) }
      if (!stutter) return act()
      try {
        act()
      } catch {
        // Nobody hears of it.
      }
      return act()
    },
  }
  return stub
}

/** An error as the SDK throws it. */
export function awsError(name: string, message = name, fields: object = {}): Error {
  return Object.assign(new Error(message), { name, ...fields })
}

function found(stub: StubDynamo, input: { Key?: Item | undefined }): Item | undefined {
  return stub.items.get(input.Key?.['id']?.S ?? '')
}

function write(stub: StubDynamo, input: UpdateItemCommandInput) {
  const { UpdateExpression = '', ConditionExpression = '', ExpressionAttributeValues: values = {} } = input
  const unused = Object.keys(values).filter(
    (name) => !new RegExp(`${name}\\b`).test(`${UpdateExpression} ${ConditionExpression}`),
  )
  if (unused.length > 0)
    throw awsError('ValidationException', `Value provided in ExpressionAttributeValues unused in expressions: ${unused}`)
  const old = found(stub, input)
  if (!evaluate(ConditionExpression, old, values)) {
    stub.units += unitsOf(old)
    const withItem = input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' && old
    throw awsError(
      'ConditionalCheckFailedException',
      'The conditional request failed',
      withItem ? { Item: structuredClone(old) } : {},
    )
  }
  const after = update(UpdateExpression, old ?? { ...input.Key }, values)
  stub.units += Math.max(unitsOf(old), unitsOf(after))
  stub.items.set(after['id']?.S ?? '', after)
  return input.ReturnValues === 'ALL_NEW' ? { Attributes: structuredClone(after) } : {}
}

function unitsOf(item: Item | undefined): number {
  return Math.max(1, Math.ceil(sizeOf(item ?? {}) / 1024))
}

/** Bytes of an item as DynamoDB counts them: names, texts in UTF-8, numbers by their digits, lists and maps with overhead. */
export function sizeOf(item: Item): number {
  return Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + bytes(value), 0)
}

function bytes(value: AttributeValue): number {
  if (value.S !== undefined) return Buffer.byteLength(value.S)
  if (value.N !== undefined) return Math.ceil(value.N.length / 2) + 1
  if (value.L) return 3 + value.L.reduce((sum, entry) => sum + 1 + bytes(entry), 0)
  return 3 + Object.keys(value.M ?? {}).length + sizeOf(value.M ?? {})
}
