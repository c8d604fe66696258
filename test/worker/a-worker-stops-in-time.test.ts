import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fateDecided, type Shutdown, shutdownSignal } from '../../src/flow/event.ts'
import { type LambdaHandler, startWorker, type WorkerContext } from '../../src/worker/index.ts'
import { manualClock, rest } from './stubs/manual-clock.ts'
import { messages, queueUrl, stubLogger, stubSqs } from './stubs/stub-sqs.ts'

async function start(handler: LambdaHandler, options: { readonly timeout?: number; readonly concurrency?: number } = {}) {
  const sqs = stubSqs()
  const clock = manualClock()
  const logger = stubLogger()
  const worker = await startWorker({ handler, queueUrl, sqs, clock, logger, random: () => 0, ...options })
  return { sqs, clock, logger, worker }
}

const failed = (...ids: string[]) => ({ batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })) })

test('what a receive brings after the stop is given back at once and never run', async () => {
  let runs = 0
  const { sqs, worker } = await start(() => void runs++)
  await sqs.called('ReceiveMessage')
  const stopped = worker.stop()
  sqs.give(messages('m1', 'm2'))
  await stopped
  assert.deepEqual(await worker.finished, { is: 'stopped' })
  assert.deepEqual(sqs.hidden(), [
    ['m1', 0],
    ['m2', 0],
  ])
  assert.equal(runs, 0)
  assert.equal(sqs.inputs('ReceiveMessage').length, 1)
})

test('a stopping worker lets its batch finish; failures that nobody decided are given back, decided ones left alone', async () => {
  const started = Promise.withResolvers<WorkerContext>()
  const answer = Promise.withResolvers<unknown>()
  const { sqs, worker } = await start((_event, context) => {
    started.resolve(context)
    return answer.promise
  })
  sqs.give(messages('done', 'retry', 'not-started'))
  const context = await started.promise
  const shutdown = context[shutdownSignal] as Shutdown
  assert.equal(shutdown.draining.aborted, false)
  const stopped = worker.stop()
  assert.equal(shutdown.draining.aborted, true)
  assert.equal(shutdown.leaving.aborted, false)
  context[fateDecided]!('retry')
  answer.resolve(failed('retry', 'not-started'))
  await stopped
  assert.deepEqual(sqs.deleted(), ['done'])
  assert.deepEqual(sqs.hidden(), [['not-started', 0]])
})

test('while it is not stopping, nothing is given back: reported messages come again when their timeout ends', async () => {
  const { sqs } = await start(() => failed('m1'))
  sqs.give(messages('m1', 'm2'))
  await sqs.called('ReceiveMessage', 2)
  assert.deepEqual(sqs.deleted(), ['m2'])
  assert.deepEqual(sqs.hidden(), [])
})

test('leaving aborts after 25 seconds, and the worker ends after 29 whatever runs', async () => {
  const started = Promise.withResolvers<WorkerContext>()
  const { sqs, clock, worker } = await start((_event, context) => {
    started.resolve(context)
    return new Promise(() => {})
  })
  sqs.give(messages('m1'))
  const shutdown = (await started.promise)[shutdownSignal] as Shutdown
  void worker.stop()
  await clock.advance(24.9)
  assert.equal(shutdown.leaving.aborted, false)
  await clock.advance(0.2)
  assert.equal(shutdown.leaving.aborted, true)
  await clock.advance(4)
  assert.deepEqual(await worker.finished, { is: 'cut', running: 1 })
})

test('a receive that hangs is aborted when the worker leaves', async () => {
  const { sqs, clock, worker } = await start(() => undefined)
  await sqs.called('ReceiveMessage')
  void worker.stop()
  await clock.advance(26)
  assert.deepEqual(await worker.finished, { is: 'stopped' })
})

test('a handler that still runs three seconds after its timeout ends the worker, and its messages are left alone', async () => {
  const { sqs, clock, logger, worker } = await start(() => new Promise(() => {}), { timeout: 60 })
  sqs.give(messages('m1', 'm2'))
  await clock.advance(62.9)
  const beats = sqs.hidden().length
  await clock.advance(0.2)
  const end = await worker.finished
  assert.equal(end.is, 'overrun')
  assert.deepEqual(end.is === 'overrun' && end.messageIds, ['m1', 'm2'])
  await clock.advance(600)
  assert.equal(sqs.hidden().length, beats)
  assert.deepEqual(sqs.deleted(), [])
  assert.equal(sqs.inputs('ReceiveMessage').length, 1)
  assert.ok(logger.lines.some(({ level, message }) => level === 'error' && message.includes('after its timeout')))
  await worker.stop()
})

test('the context counts down to the timeout, and below it', async () => {
  const started = Promise.withResolvers<WorkerContext>()
  const { sqs, clock } = await start(
    (_event, context) => {
      started.resolve(context)
      return new Promise(() => {})
    },
    { timeout: 60 },
  )
  sqs.give(messages('m1'))
  const context = await started.promise
  assert.equal(context.getRemainingTimeInMillis(), 60_000)
  await clock.advance(61)
  assert.equal(context.getRemainingTimeInMillis(), -1_000)
  assert.equal(context.functionName, 'orders')
  assert.match(context.awsRequestId, /^[0-9a-f-]{36}$/)
})

test('an idle worker that is told twice ends once', async () => {
  const { sqs, clock, worker } = await start(() => undefined, { concurrency: 3 })
  await sqs.called('ReceiveMessage', 3)
  const both = [worker.stop(), worker.stop()]
  for (let polls = 0; polls < 3; polls++) sqs.give([])
  await Promise.all(both)
  await rest()
  assert.deepEqual(clock.pending(), [])
})
