/** What fits what: Lambda's own types, Middy's, Powertools', the standard's. Compiled, never run. */

import { Logger } from '@aws-lambda-powertools/logger'
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { SQSClient } from '@aws-sdk/client-sqs'
import middy from '@middy/core'
import type { Context, Handler, SQSBatchResponse, SQSEvent, SQSHandler, SQSRecord } from 'aws-lambda'
import { consumer, dynamoStore, exponential, memoryStore, type Options, redrive, type SqsHandler, schedule } from 'redrive'
import { controlled, lambdaContext, sqsEvent, virtualClock } from 'redrive/testing'
import { startWorker } from 'redrive/worker'
import { z } from 'zod'

const logger = new Logger({ serviceName: 'orders' })
const Order = z.object({ id: z.string() })
declare const event: SQSEvent
declare const context: Context

// Lambda's own types.
const orders = consumer({ schema: Order, key: (order) => order.id, logger }, async (order) => void order.id)
export const asSqsHandler: SQSHandler = orders
export const asHandler: Handler<SQSEvent, SQSBatchResponse> = orders
export const answer: Promise<SQSBatchResponse> = orders(event, context)
export const underSatisfies = orders satisfies SQSHandler
consumer({}, (_, message) => {
  const record: SQSRecord = message.record
  return record.attributes.SentTimestamp
})
// A handler that was written for one raw record, adopted as it is.
declare const processRecord: (record: SQSRecord) => Promise<void>
consumer({}, (_, message) => processRecord(message.record))

// Middy's chain, with redrive in it.
const taken = redrive({ schema: Order, key: (order) => order.id })
export const chain = middy<SQSEvent, SQSBatchResponse>()
  .use(injectLambdaContext(logger))
  .use(taken)
  .handler(taken.eachMessage(async (order) => void order.id))
export const chainAsHandler: SQSHandler = chain
middy<SQSEvent, SQSBatchResponse>()
  .use([injectLambdaContext(logger), taken])
  .handler(taken.eachMessage(() => {}))
middy<SQSEvent, SQSBatchResponse>(taken.eachMessage(() => {})).use(taken)

// A consumer as base handler, and a consumer with middlewares of its own.
export const wrapped = middy<SQSEvent, SQSBatchResponse>().use(injectLambdaContext(logger)).handler(orders)
middy<SQSEvent, SQSBatchResponse>(orders)
export const used: SqsHandler = orders.use(injectLambdaContext(logger)).use([injectLambdaContext(logger)])
export const usedAsHandler: SQSHandler = orders.use(injectLambdaContext(logger))
const own: middy.MiddlewareObj<SQSEvent, SQSBatchResponse> = { before: async ({ event }) => void event.Records.length }
orders.use(own)
orders.use({ before: () => {}, after: () => {}, onError: () => {} })
orders.use({ before: ({ event }: { event: unknown }) => void event })

// Loggers, stores, clients and settings.
consumer({ logger: console }, () => {})
consumer({ clients: { sqs: new SQSClient({}), dynamodb: new DynamoDBClient({}) } }, () => {})
consumer({ store: memoryStore() }, () => {})
consumer({ store: dynamoStore({ table: 'orders', client: new DynamoDBClient({}) }) }, () => {})
consumer({ store: false, metrics: false, key: false, fingerprint: false }, () => {})
consumer({ backoff: exponential({ jitter: 'full' }) }, () => {})
consumer({ backoff: schedule([1, 2, 3]), maxAttempts: { retryable: 20 } }, () => {})
consumer({ backoff: (attempt, _error, message) => attempt * message.receiveCount }, () => {})
class CardDeclined extends Error {}
abstract class ProviderError extends Error {
  abstract readonly status: number
}
class Refused extends Error {
  constructor(id: string, reason: { code: number }) {
    super(`${id}: ${reason.code}`)
  }
}
consumer({ permanent: [CardDeclined, ProviderError, Refused, 'ECONNRESET', (error) => error instanceof URIError] }, () => {})
consumer({ classify: (error) => (error instanceof CardDeclined ? 'duplicate' : undefined) }, () => {})
consumer({ classify: () => ({ verdict: 'retryable', retryAfter: 30 }) }, () => {})
consumer({ onDead: async ({ evidence, record }) => void [evidence.reason, record.body] }, () => {})
consumer(
  { maxAge: undefined as never, concurrency: 1, partialBatch: true, fifo: { onDead: 'continue' }, name: 'orders' },
  () => {},
)

// Options that several consumers share.
const shared = { maxAge: 86_400, permanent: [CardDeclined], logger } as const satisfies Options
consumer({ ...shared, schema: Order, key: (order) => order.id }, (order) => order.id)

// The rooms of tests and of containers.
export const inTest = consumer(
  controlled({ schema: Order, key: (order) => order.id }, { clock: virtualClock() }),
  (order) => order.id,
)
export const inTestAnswer = inTest(sqsEvent([{ body: { id: '1' } }]), lambdaContext())
export const worker = startWorker({ handler: orders, queueUrl: 'http://127.0.0.1/1/orders', sqs: new SQSClient({}), logger })
export const workerOfChain = startWorker({
  handler: chain,
  queueUrl: 'http://127.0.0.1/1/orders',
  sqs: new SQSClient({}),
  logger: console,
})
