/** Makes SQS clients, queues and the table for the worker, `redrive dev` and tests. Deployments use CloudFormation instead. */
import type { CreateQueueResult, GetQueueAttributesResult } from '@aws-sdk/client-sqs'
import { tableDefinition } from './dynamodb.ts'
import type { SqsSender } from './sqs-receive.ts'

/** Where an emulator listens. The credentials are dummies: emulators take any. */
export interface EmulatorAddress {
  readonly endpoint: string
  readonly region: string
}

/** An SQS client and how to close its sockets. */
export interface ClosableSqs extends SqsSender {
  destroy(): void
}

/** A queue with its dead-letter queue. */
export interface CreatedQueue {
  readonly url: string
  readonly arn: string
  readonly deadLetterUrl: string
  readonly deadLetterArn: string
}

/** What emulators take as credentials. */
export const dummyCredentials = { accessKeyId: 'local', secretAccessKey: 'local' } as const

/** A client that can hold `sockets` requests at once (the SDK's own limit is 50, too few for many parallel long polls). */
export async function makeSqsClient(options: {
  readonly region?: string | undefined
  readonly endpoint?: string | undefined
  readonly sockets?: number | undefined
  readonly credentials?: typeof dummyCredentials | undefined
}): Promise<ClosableSqs> {
  const { SQSClient } = await import('@aws-sdk/client-sqs')
  const { region, endpoint, sockets = 50, credentials } = options
  const agent = { maxSockets: Math.max(50, sockets), keepAlive: true }
  return new SQSClient({
    ...(region ? { region } : {}),
    ...(endpoint ? { endpoint } : {}),
    ...(credentials ? { credentials } : {}),
    requestHandler: { connectionTimeout: 3000, httpAgent: agent, httpsAgent: agent },
  }) as unknown as ClosableSqs
}

/**
 * Creates a queue and its dead-letter queue (`name-dlq`, kept 14 days), or finds them where they are there already. `.fifo`
 * is added to the names of a FIFO queue where it is missing. `maxReceiveCount` is 1,000, as `redrive stack` sets it.
 */
export async function createQueue(
  client: SqsSender,
  options: {
    readonly name: string
    readonly fifo?: boolean
    readonly visibilityTimeout?: number
    readonly maxReceiveCount?: number
  },
): Promise<CreatedQueue> {
  const fifo = options.fifo ?? options.name.endsWith('.fifo')
  const base = options.name.replace(/\.fifo$/, '')
  const ending = fifo ? '.fifo' : ''
  const kind: Record<string, string> = fifo ? { FifoQueue: 'true' } : {}
  const deadLetters = await createOne(client, `${base}-dlq${ending}`, { ...kind, MessageRetentionPeriod: '1209600' })
  const redrivePolicy = { deadLetterTargetArn: deadLetters.arn, maxReceiveCount: options.maxReceiveCount ?? 1_000 }
  const queue = await createOne(client, `${base}${ending}`, {
    ...kind,
    VisibilityTimeout: String(options.visibilityTimeout ?? 30),
    RedrivePolicy: JSON.stringify(redrivePolicy),
  })
  return { ...queue, deadLetterUrl: deadLetters.url, deadLetterArn: deadLetters.arn }
}

async function createOne(
  client: SqsSender,
  name: string,
  attributes: Record<string, string>,
): Promise<{ url: string; arn: string }> {
  const sdk = await import('@aws-sdk/client-sqs')
  const url = await queueUrlOf(client, sdk, name, attributes)
  const asked = new sdk.GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['QueueArn'] })
  const { Attributes } = (await client.send(asked as never)) as GetQueueAttributesResult
  return { url, arn: Attributes?.['QueueArn'] ?? '' }
}

async function queueUrlOf(
  client: SqsSender,
  sdk: typeof import('@aws-sdk/client-sqs'),
  name: string,
  attributes: Record<string, string>,
): Promise<string> {
  try {
    const command = new sdk.CreateQueueCommand({ QueueName: name, Attributes: attributes })
    return ((await client.send(command as never)) as CreateQueueResult).QueueUrl ?? ''
  } catch (error) {
    // There already, with other attributes: it is used as it is.
    if (!(error instanceof Error) || !/QueueNameExists|QueueAlreadyExists/.test(error.name)) throw error
    const command = new sdk.GetQueueUrlCommand({ QueueName: name })
    return ((await client.send(command as never)) as CreateQueueResult).QueueUrl ?? ''
  }
}

/** Creates the idempotency table on an emulator, or leaves the one that is there. */
export async function createTable({ endpoint, region }: EmulatorAddress, name: string): Promise<void> {
  const sdk = await import('@aws-sdk/client-dynamodb')
  const client = new sdk.DynamoDBClient({ endpoint, region, credentials: dummyCredentials })
  try {
    await client.send(new sdk.CreateTableCommand(tableDefinition(name)))
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'ResourceInUseException') throw error
  } finally {
    client.destroy()
  }
}
