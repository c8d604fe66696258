import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openQueue } from '../../src/aws/sqs-receive.ts'
import { type LambdaHandler, startWorker, type WorkerOptions, WorkerStartError } from '../../src/worker/index.ts'
import { manualClock, rest } from './stubs/manual-clock.ts'
import { messages, queueUrl, type StubSqs, stubLogger, stubSqs } from './stubs/stub-sqs.ts'

async function start(sqs: StubSqs, handler: LambdaHandler = () => undefined, random = () => 0) {
  const clock = manualClock()
  const logger = stubLogger()
  const worker = await startWorker({ handler, queueUrl, sqs, clock, logger, random })
  return { clock, logger, worker }
}

/** Seconds between the receives of a worker whose queue does not answer. */
async function pauses(random: () => number): Promise<number[]> {
  const sqs = stubSqs()
  for (let failure = 0; failure < 8; failure++) sqs.give(new Error('socket hang up'))
  const { clock } = await start(sqs, undefined, random)
  const seen: number[] = []
  for (let failure = 0; failure < 8; failure++) {
    await rest()
    const next = clock.pending()[0]! / 1000
    seen.push(next)
    await clock.advance(next)
  }
  return seen
}

test('receives that fail are repeated after 1, 2, 4 … at most 30 seconds', async () => {
  assert.deepEqual(await pauses(() => 0), [1, 2, 4, 8, 16, 30, 30, 30])
})

test('jitter takes up to half of each pause away', async () => {
  assert.deepEqual(await pauses(() => 0.5), [0.75, 1.5, 3, 6, 12, 22.5, 22.5, 22.5])
})

test('a receive that works sets the pause back', async () => {
  const sqs = stubSqs()
  sqs.give(new Error('x'))
  sqs.give(new Error('x'))
  sqs.give([])
  sqs.give(new Error('x'))
  const { clock, logger } = await start(sqs)
  await clock.advance(3)
  assert.deepEqual(clock.pending(), [1_000])
  assert.equal(logger.lines.filter(({ message }) => message.startsWith('could not receive')).length, 3)
})

test('a receive that never answers is given up after its wait and 10 seconds', async () => {
  const sqs = stubSqs()
  const { clock, logger } = await start(sqs)
  await clock.advance(30)
  assert.equal(logger.lines[0]?.fields['error'], 'no answer to the receive')
  await clock.advance(1)
  assert.equal(sqs.inputs('ReceiveMessage').length, 2)
})

test('a handler that throws slows the polling, one that reports failures does not', async () => {
  const throwing = stubSqs()
  throwing.give(messages('m1'))
  const { clock } = await start(throwing, () => assert.fail())
  await rest()
  assert.equal(throwing.inputs('ReceiveMessage').length, 1)
  await clock.advance(1)
  assert.equal(throwing.inputs('ReceiveMessage').length, 2)
})

test('stopping ends a pause at once', async () => {
  const sqs = stubSqs()
  sqs.give(new Error('x'))
  const { worker } = await start(sqs)
  await rest()
  await worker.stop()
  assert.deepEqual(await worker.finished, { is: 'stopped' })
})

test('messages that could not be deleted are named in the log, those that SQS says nothing of too', async () => {
  const sqs = stubSqs()
  sqs.answer('DeleteMessageBatch', () => ({
    Successful: [{ Id: '0' }],
    Failed: [{ Id: '1', Code: 'InternalError', Message: 'no' }],
  }))
  sqs.give(messages('deleted', 'refused', 'forgotten'))
  const { logger } = await start(sqs)
  await sqs.called('ReceiveMessage', 2)
  const lines = logger.lines.filter(({ message }) => message.includes('could not be deleted'))
  assert.deepEqual(
    lines.map(({ fields }) => [fields['messageId'], fields['code']]),
    [
      ['refused', 'InternalError'],
      ['forgotten', 'NotAnswered'],
    ],
  )
})

test('a deletion that fails as a whole is logged for each message, and the loop goes on', async () => {
  const sqs = stubSqs()
  sqs.answer('DeleteMessageBatch', () => Promise.reject(new Error('down')))
  sqs.give(messages('m1', 'm2'))
  const { logger } = await start(sqs)
  await sqs.called('ReceiveMessage', 2)
  assert.equal(logger.lines.filter(({ fields }) => fields['message'] === 'down').length, 2)
})

test('B16, B36: deletions go ten a request, with entry ids by position, whatever the message ids', async () => {
  for (const [count, calls] of [
    [0, 0],
    [1, 1],
    [10, 1],
    [11, 2],
    [100, 10],
  ] as const) {
    const sqs = stubSqs()
    const queue = await openQueue(sqs, queueUrl)
    const results = await queue.remove(Array.from({ length: count }, (_, position) => `order/2024#${position}`))
    assert.equal(results.filter(({ is }) => is === 'accepted').length, count)
    const sent = sqs.inputs('DeleteMessageBatch')
    assert.equal(sent.length, calls)
    for (const { Entries = [] } of sent) {
      const ids = Entries.map(({ Id }) => String(Id))
      assert.equal(new Set(ids).size, ids.length)
      assert.ok(ids.every((id) => /^[A-Za-z0-9_-]{1,80}$/.test(id)))
    }
  }
})

test('a FIFO receive is repeated under the same attempt id until it is answered', async () => {
  const sqs = stubSqs({ arn: 'arn:aws:sqs:eu-west-1:123456789012:ledger.fifo' })
  sqs.give(new Error('x'))
  sqs.give([])
  const { clock } = await start(sqs)
  await clock.advance(1)
  await sqs.called('ReceiveMessage', 3)
  const [first, second, third] = sqs.inputs('ReceiveMessage').map((input) => input['ReceiveRequestAttemptId'])
  assert.equal(first, second)
  assert.notEqual(second, third)
})

test('each receive asks for all attributes, and waits 20 seconds', async () => {
  const sqs = stubSqs()
  await start(sqs)
  await sqs.called('ReceiveMessage')
  assert.deepEqual(sqs.inputs('ReceiveMessage')[0], {
    QueueUrl: queueUrl,
    MaxNumberOfMessages: 10,
    WaitTimeSeconds: 20,
    MessageSystemAttributeNames: ['All'],
    MessageAttributeNames: ['All'],
  })
})

const wrong: readonly (readonly [string, Partial<WorkerOptions>, RegExp])[] = [
  ['a batch size over ten', { batchSize: 11 }, /batchSize is 11; it must be a whole number from 1 to 10/],
  ['half a batch', { concurrency: 0.5 }, /concurrency is 0.5/],
  ['a queue name instead of its URL', { queueUrl: 'orders' }, /queueUrl is not a URL: orders/],
  [
    'a handler with a callback',
    { handler: ((_event: unknown, _context: unknown, _done: unknown) => {}) as unknown as LambdaHandler },
    /callback/,
  ],
]
for (const [name, options, expected] of wrong) {
  test(`${name} is refused at start`, async () => {
    const all = { handler: () => undefined, queueUrl, sqs: stubSqs(), logger: stubLogger(), ...options }
    await assert.rejects(startWorker(all), (error) => error instanceof WorkerStartError && expected.test(error.message))
  })
}

const unusable: readonly (readonly [string, RegExp])[] = [
  ['QueueDoesNotExist', /orders does not exist\. Check the name, the account and the region/],
  ['AWS.SimpleQueueService.NonExistentQueue', /does not exist/],
  ['AccessDeniedException', /needs sqs:GetQueueAttributes/],
  ['CredentialsProviderError', /needs AWS credentials/],
  ['ECONNREFUSED', /could not be reached: boom/],
]
for (const [name, expected] of unusable) {
  test(`${name} at start is said in words`, async () => {
    const sqs = stubSqs()
    sqs.answer('GetQueueAttributes', () => Promise.reject(Object.assign(new Error('boom'), { name })))
    const starting = startWorker({ handler: () => undefined, queueUrl, sqs, logger: stubLogger() })
    await assert.rejects(starting, (error) => error instanceof WorkerStartError && expected.test(error.message))
  })
}
