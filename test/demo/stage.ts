/** Everything the demo stands on: SQS and DynamoDB in this process, two queues, the table, the payment provider. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DeleteMessageBatchCommand, GetQueueAttributesCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { type CreatedQueue, startEmbeddedDynamoDb, startEmbeddedSqs } from 'redrive/worker'
import { type Provider, startProvider } from './provider/provider.ts'

const REGION = 'eu-central-1'
export const TABLE = 'redrive-demo'
export const QUEUES = ['orders', 'ledger.fifo'] as const
export type QueueName = (typeof QUEUES)[number]

/** The running parts. */
export interface Stage {
  readonly sqs: SQSClient
  readonly dynamodb: DynamoDBClient
  readonly queues: Readonly<Record<QueueName, CreatedQueue>>
  readonly provider: Provider
  stop(): Promise<void>
}

/** Starts all, on free ports of 127.0.0.1. */
export async function setStage(latencyMs: () => number): Promise<Stage> {
  const [embeddedSqs, embeddedDynamoDb, provider] = await Promise.all([
    startEmbeddedSqs({ region: REGION }),
    startEmbeddedDynamoDb({ region: REGION }),
    startProvider({ latencyMs }),
  ])
  await embeddedDynamoDb.createTable(TABLE)
  const create = (name: QueueName): Promise<CreatedQueue> => embeddedSqs.createQueue({ name, visibilityTimeout: 10 })
  const queues = { orders: await create('orders'), 'ledger.fifo': await create('ledger.fifo') }
  const emulator = { region: REGION, credentials: { accessKeyId: 'local', secretAccessKey: 'local' } }
  const sqs = new SQSClient({ ...emulator, endpoint: embeddedSqs.endpoint })
  const dynamodb = new DynamoDBClient({ ...emulator, endpoint: embeddedDynamoDb.endpoint })
  return {
    sqs,
    dynamodb,
    queues,
    provider,
    async stop() {
      sqs.destroy()
      dynamodb.destroy()
      await Promise.all([embeddedSqs.stop(), embeddedDynamoDb.stop(), provider.stop()])
    },
  }
}

/** How many messages a queue holds by its own attributes: visible, hidden and delayed. */
export async function messagesIn(sqs: SQSClient, url: string): Promise<number> {
  const AttributeNames = [
    'ApproximateNumberOfMessages',
    'ApproximateNumberOfMessagesNotVisible',
    'ApproximateNumberOfMessagesDelayed',
  ] as const
  const { Attributes = {} } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: [...AttributeNames] }),
  )
  return AttributeNames.reduce((sum, name) => sum + Number(Attributes[name] ?? Number.NaN), 0)
}

/** Takes up to ten messages out of a queue; none when it is empty. */
export async function takeFrom(sqs: SQSClient, url: string, most = 10) {
  const { Messages = [] } = await sqs.send(
    new ReceiveMessageCommand({ QueueUrl: url, MaxNumberOfMessages: most, MessageAttributeNames: ['All'] }),
  )
  if (Messages.length === 0) return []
  const Entries = Messages.map(({ ReceiptHandle }, position) => ({ Id: String(position), ReceiptHandle }))
  await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: url, Entries }))
  return Messages
}
