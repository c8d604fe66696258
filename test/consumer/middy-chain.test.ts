/** The same thing taken apart: redrive() as a Middy middleware, consumer() as a chain and as a base handler. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import middy from '@middy/core'
import { consumer, memoryStore, RetryableError, redrive, type SqsBatchResponse, type SqsEvent } from '../../src/index.ts'
import { controlled, lambdaContext, recordedQueue, virtualClock } from '../../src/testing/index.ts'
import { messages, throwing } from './harness.ts'

const quiet = () => ({
  store: memoryStore(),
  partialBatch: true,
  deadLetterQueue: 'http://localhost:4566/000000000000/dlq',
  metrics: false as const,
  logger: { debug() {}, info() {}, warn() {}, error() {} },
})
const at = (order: string[], name: string) => ({
  before: () => void order.push(`before ${name}`),
  after: () => void order.push(`after ${name}`),
})
const failures = ({ batchItemFailures }: SqsBatchResponse) => batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)

test('redrive() and eachMessage in a chain of one’s own, among other middlewares', async () => {
  const [order, clock, queue] = [[] as string[], virtualClock(), recordedQueue()]
  const orders = redrive(controlled(quiet(), { clock, queue }))
  const handler = middy<SqsEvent, SqsBatchResponse>()
    .use(at(order, 'one'))
    .use(orders)
    .use(at(order, 'two'))
    .handler(
      orders.eachMessage((_payload, { id }) => (id === 'm1' ? throwing(new RetryableError('down'))() : order.push(id))) as never,
    )
  const answer = await clock.until(handler(messages(['m1', 'm2']), lambdaContext(30_000, clock) as never))
  assert.deepEqual([failures(answer), order], [['m1'], ['before one', 'before two', 'm2', 'after two', 'after one']])
})

test('use() returns the consumer, which goes on working; its middlewares see event and answer', async () => {
  const order: string[] = []
  const orders = consumer(quiet(), (_payload, { id }) => void order.push(id))
  assert.equal(orders.use(at(order, 'one')).use([at(order, 'two'), at(order, 'three')]), orders)
  assert.deepEqual(failures(await orders(messages(['m1']), lambdaContext())), [])
  assert.deepEqual(order, ['before one', 'before two', 'before three', 'm1', 'after three', 'after two', 'after one'])
})

test('a consumer is a base handler for a chain of one’s own', async () => {
  const ran: string[] = []
  const handler = middy<SqsEvent, SqsBatchResponse>().handler(consumer(quiet(), (_payload, { id }) => void ran.push(id)) as never)
  assert.deepEqual([failures(await handler(messages(['m1']), lambdaContext() as never)), ran], [[], ['m1']])
})

test('a consumer has two parameters, as Node 24 on Lambda demands (F72)', () => {
  assert.equal(consumer(quiet(), () => {}).length, 2)
})

test('without a context, as tests and scripts call it, it works', async () => {
  const handler = consumer(quiet(), () => {}) as unknown as (event: SqsEvent) => Promise<SqsBatchResponse>
  assert.deepEqual(await handler(messages(['m1'])), { batchItemFailures: [] })
})

test('several invocations after one another with one and the same context object', async () => {
  const ran: string[] = []
  const handler = consumer(quiet(), (_payload, { id }) => void ran.push(id))
  const context = lambdaContext()
  for (const id of ['m1', 'm2', 'm1']) assert.deepEqual(failures(await handler(messages([id]), context)), [])
  assert.deepEqual(ran, ['m1', 'm2'])
})

test('on the machine’s own clock: nothing keeps the process alive once the answer has left', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length
  const before = timers()
  const queue = recordedQueue()
  const handler = consumer(controlled(quiet(), { queue }), throwing(new RetryableError('down')))
  assert.deepEqual(failures(await handler(messages(['m1', 'm2']), lambdaContext())), ['m1', 'm2'])
  assert.deepEqual([queue.hidden.length, timers()], [2, before])
})

test('a hang on the machine’s own clock: its timer holds the process and ends it as a reported failure (F75)', async () => {
  const handler = consumer(controlled(quiet(), { queue: recordedQueue() }), () => new Promise(() => {}))
  assert.deepEqual(failures(await handler(messages(['m1']), lambdaContext(40))), ['m1'])
})
