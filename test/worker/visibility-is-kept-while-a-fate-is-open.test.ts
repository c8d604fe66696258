import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fateDecided } from '../../src/flow/event.ts'
import { startHeartbeat } from '../../src/worker/heartbeat.ts'
import { startWorker, type WorkerContext } from '../../src/worker/index.ts'
import { manualClock, rest } from './stubs/manual-clock.ts'
import { messages, queueUrl, stubLogger, stubSqs } from './stubs/stub-sqs.ts'

/** A worker whose handler runs until the test says so. */
async function running(options: { readonly visibilityTimeout: number; readonly ids: string[]; readonly timeout?: number }) {
  const sqs = stubSqs(options)
  const clock = manualClock()
  const logger = stubLogger()
  const started = Promise.withResolvers<WorkerContext>()
  const answer = Promise.withResolvers<unknown>()
  const worker = await startWorker({
    handler: (_event, context) => {
      started.resolve(context)
      return answer.promise
    },
    queueUrl,
    sqs,
    clock,
    logger,
    timeout: options.timeout ?? 900,
  })
  sqs.give(messages(...options.ids))
  return { sqs, clock, logger, worker, answer, context: await started.promise }
}

test('all messages of a running batch are hidden again at each third of the visibility timeout, ten a request', async () => {
  const ids = Array.from({ length: 11 }, (_, position) => `m${position}`)
  const { sqs, clock } = await running({ visibilityTimeout: 30, ids })
  await clock.advance(9.9)
  assert.deepEqual(sqs.hidden(), [])
  await clock.advance(0.2)
  assert.deepEqual(
    sqs.hidden(),
    ids.map((id) => [id, 30]),
  )
  assert.deepEqual(
    sqs.inputs('ChangeMessageVisibilityBatch').map(({ Entries }) => Entries?.length),
    [10, 1],
  )
  await clock.advance(20)
  assert.equal(sqs.hidden().length, 33)
})

test('a message whose fate is decided is left alone, the others are not', async () => {
  const { sqs, clock, context } = await running({ visibilityTimeout: 30, ids: ['m1', 'm2'] })
  context[fateDecided]!('m1')
  await clock.advance(10)
  assert.deepEqual(sqs.hidden(), [['m2', 30]])
  context[fateDecided]!('m2')
  await clock.advance(60)
  assert.equal(sqs.hidden().length, 1)
})

test('deciding a fate waits for a heartbeat that is under way, so that it can not overwrite what the core sets', async () => {
  const { sqs, clock, context } = await running({ visibilityTimeout: 30, ids: ['m1'] })
  const slow = Promise.withResolvers<unknown>()
  sqs.answer('ChangeMessageVisibilityBatch', () => slow.promise)
  await clock.advance(10)
  let told = false
  const decided = Promise.resolve(context[fateDecided]!('m1')).then(() => (told = true))
  await rest()
  assert.equal(told, false)
  slow.resolve({ Successful: [{ Id: '0' }], Failed: [] })
  await decided
})

test('after the answer nothing is hidden any more', async () => {
  const { sqs, clock, answer } = await running({ visibilityTimeout: 30, ids: ['m1', 'm2'] })
  answer.resolve({ batchItemFailures: [{ itemIdentifier: 'm2' }] })
  await clock.advance(120)
  assert.deepEqual(sqs.hidden(), [])
  assert.deepEqual(sqs.deleted(), ['m1'])
})

test('after a throw visibility stays as the last heartbeat left it', async () => {
  const { sqs, clock, answer, logger } = await running({ visibilityTimeout: 30, ids: ['m1'] })
  await clock.advance(10)
  answer.reject(new Error('no'))
  await clock.advance(120)
  assert.deepEqual(sqs.hidden(), [['m1', 30]])
  assert.deepEqual(sqs.deleted(), [])
  assert.ok(logger.lines.some(({ level, message }) => level === 'error' && message.includes('the handler threw')))
})

test('never beyond 12 hours since the receive', async () => {
  const { sqs, clock } = await running({ visibilityTimeout: 12_000, ids: ['m1'], timeout: 43_000 })
  await clock.advance(42_999)
  assert.deepEqual(
    sqs.hidden().map(([, seconds]) => seconds),
    // At 4,000, 8,000 … seconds; what is left of 43,200 less a margin is the most.
    [12_000, 12_000, 12_000, 12_000, 12_000, 12_000, 12_000, 11_190, 7_190, 3_190],
  )
})

test('a message that is gone is not asked for again, one that could not be reached is', async () => {
  const sqs = stubSqs()
  const clock = manualClock()
  const logger = stubLogger()
  const asked: string[][] = []
  const queue = {
    facts: { url: '', arn: '', region: '', fifo: false, visibilityTimeout: 30 },
    hide: async (entries: readonly { receiptHandle: string }[]) => {
      asked.push(entries.map(({ receiptHandle }) => receiptHandle))
      const code = (handle: string): string => (handle === 'gone' ? 'ReceiptHandleIsInvalid' : 'TimeoutError')
      return entries.map(({ receiptHandle }) => ({ is: 'refused', code: code(receiptHandle), message: '' }) as const)
    },
  }
  const hidden = ['gone', 'there'].map((id) => ({ messageId: id, receiptHandle: id }))
  const heartbeat = startHeartbeat({ messages: hidden, queue, clock, logger })
  await clock.advance(20)
  assert.deepEqual(asked, [['gone', 'there'], ['there']])
  assert.equal(logger.lines.filter(({ level }) => level === 'warn').length, 3)
  await heartbeat.stop()
  assert.deepEqual(clock.pending(), [])
  assert.deepEqual(sqs.calls, [])
})
