/** What a test does with a deployed service: sends messages, and reads the provider's books, the letters and the queues. */
import { CloudWatchLogsClient, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs'
import { DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb'
import {
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SQSClient,
} from '@aws-sdk/client-sqs'
import { until } from './beds/until.ts'
import { type Bed, type BedName, starters } from './beds.ts'
import { settingsFor } from './clients.ts'
import { type Outputs, STACK } from './deploy.ts'

/** The bed that `npm run test:e2e` has started, else one of the test's own. */
export async function bedFor(name: BedName): Promise<Pick<Bed, 'endpoint' | 'stop'>> {
  const endpoint = process.env[`REDRIVE_E2E_${name.toUpperCase()}`]
  return endpoint ? { endpoint, stop: async () => {} } : starters[name]()
}

/** A message to be sent; `group` on FIFO queues. */
export interface Sending {
  readonly body: string
  readonly group?: string
}

/** What the provider was asked for, and what it did. */
export interface Entries {
  /** When each request came, in epoch ms. */
  readonly requests: readonly number[]
  /** How often the work was done. */
  readonly works: number
  /** When it was done the first time. */
  readonly doneAt: number | undefined
}

/** A message that lies in a dead-letter queue. */
export interface FoundLetter {
  readonly body: string
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into it as a person would
  readonly evidence: any
}

let sequence = 0

/** JSON with the spaces that LocalStack's poller writes: it parses bodies, for filters, and hands on what it writes itself. */
export const json = (value: object): string => JSON.stringify(value, undefined, 1).replace(/,\n */g, ', ').replace(/\n */g, '')

/** An order of a number of its own; `plan` is what the provider does with it. */
export function order(plan = 'tok_ok'): { readonly id: string; readonly body: string } {
  sequence += 1
  const id = `O-${Date.now()}${sequence}`
  const lines = [{ sku: 'tea', quantity: 2, cents: 450 }]
  return { id, body: json({ id, email: 'ann@shop.example', card: plan, currency: 'EUR', lines }) }
}

/** A movement of an id of its own. */
export function movement(account: string, plan = 'ok'): { readonly id: string; readonly body: string; readonly group: string } {
  sequence += 1
  const id = `M-${Date.now()}${sequence}_${plan}`
  return { id, body: json({ id, account, cents: 500 }), group: account }
}

/** A service on a bed. */
export class World {
  readonly outputs: Outputs
  readonly #sqs: SQSClient
  readonly #dynamodb: DynamoDBClient
  readonly #logs: CloudWatchLogsClient

  constructor(endpoint: string, outputs: Outputs, region = 'us-east-1') {
    const settings = { ...settingsFor(endpoint), region }
    this.outputs = outputs
    this.#sqs = new SQSClient(settings)
    this.#logs = new CloudWatchLogsClient(settings)
    this.#dynamodb = new DynamoDBClient(settings)
  }

  /** Sends up to ten messages with one request. */
  async send(queue: string, ...messages: readonly Sending[]): Promise<void> {
    const Entries = messages.map(({ body, group }, position) => ({
      Id: String(position),
      MessageBody: body,
      ...(group !== undefined && {
        MessageGroupId: group,
        MessageDeduplicationId: `${body}${position}`.replace(/\W/g, '').slice(0, 128),
      }),
    }))
    const { Failed = [] } = await this.#sqs.send(new SendMessageBatchCommand({ QueueUrl: this.#url(queue), Entries }))
    if (Failed.length > 0) throw new Error(`SQS did not take ${JSON.stringify(Failed)}.`)
  }

  /** The provider's books about an order or a movement. */
  async entries(reference: string): Promise<Entries> {
    const { Items = [] } = await this.#dynamodb.send(
      new QueryCommand({
        TableName: this.outputs['books'],
        ConsistentRead: true,
        KeyConditionExpression: 'about = :reference',
        ExpressionAttributeValues: { ':reference': { S: reference } },
      }),
    )
    const of = (kind: string) => Items.filter(({ entry }) => entry?.S?.startsWith(kind)).map(({ at }) => Number(at?.N))
    const works = of('work#')
    return { requests: of('request#').toSorted((one, other) => one - other), works: works.length, doneAt: works[0] }
  }

  /** Waits until the work for a reference is done. */
  done(reference: string, ms = 30_000): Promise<Entries> {
    const find = async () => {
      const entries = await this.entries(reference)
      return entries.works > 0 && entries
    }
    return until(`${reference} is done`, find, ms)
  }

  /** Waits until nothing is left in a queue, neither visible nor waiting. */
  async drained(queue: string, ms = 30_000): Promise<void> {
    await until(`nothing is left in ${queue}`, async () => (await this.depth(queue)) === 0, ms)
  }

  /** How many messages are in a queue, whatever their state. */
  async depth(queue: string): Promise<number> {
    const names = ['', 'NotVisible', 'Delayed'].map((state) => `ApproximateNumberOfMessages${state}` as const)
    const { Attributes = {} } = await this.#sqs.send(
      new GetQueueAttributesCommand({ QueueUrl: this.#url(queue), AttributeNames: ['All'] }),
    )
    return names.reduce((sum, name) => sum + Number((Attributes as Record<string, string>)[name] ?? 0), 0)
  }

  /** Waits for a letter; it stays visible. */
  letter(queue: string, body: string, ms = 30_000): Promise<FoundLetter> {
    const find = async (): Promise<FoundLetter | undefined> => {
      const found = (await this.look(queue)).find(({ Body }) => Body === body)
      return found && { body, evidence: JSON.parse(found.MessageAttributes?.['redrive']?.StringValue ?? 'null') }
    }
    return until(`a letter in ${queue} with the body ${body}`, find, ms)
  }

  /** Up to ten bodies, taken out of a queue. */
  async take(queue: string): Promise<string[]> {
    const messages = await this.look(queue)
    const Entries = messages.map(({ ReceiptHandle }, position) => ({ Id: String(position), ReceiptHandle }))
    if (Entries.length > 0) await this.#sqs.send(new DeleteMessageBatchCommand({ QueueUrl: this.#url(queue), Entries }))
    return messages.map(({ Body = '' }) => Body)
  }

  /** What is visible in a queue, up to ten messages; they stay so. */
  async look(queue: string): Promise<Message[]> {
    const { Messages = [] } = await this.#sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: this.#url(queue),
        MaxNumberOfMessages: 10,
        VisibilityTimeout: 0,
        MessageAttributeNames: ['All'],
        MessageSystemAttributeNames: ['All'],
      }),
    )
    return Messages
  }

  /** What a function has written into its log so far. */
  async logOf(functionName: string): Promise<string[]> {
    const logGroupName = `/aws/lambda/${STACK}-${functionName}`
    const { events = [] } = await this.#logs.send(new FilterLogEventsCommand({ logGroupName })).catch((error: Error) => {
      if (error.name === 'ResourceNotFoundException') return { events: [] }
      throw error
    })
    return events.map(({ message = '' }) => message)
  }

  /** Waits until a function's log has a line with this text. */
  async logged(functionName: string, text: string, ms = 30_000): Promise<void> {
    await until(
      `${functionName} logs "${text}"`,
      async () => (await this.logOf(functionName)).some((line) => line.includes(text)),
      ms,
    )
  }

  #url(queue: string): string {
    const url = this.outputs[queue]
    if (url === undefined) throw new Error(`The stack has no output ${queue}, only ${Object.keys(this.outputs).join(', ')}.`)
    return url
  }
}
