/** Visibility timeouts through the SDK: ten a request, every entry's answer read, refusals final (cases B33, B35, B36). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { RetryableError } from '../../src/index.ts'
import { bench, byId, caseInput, throwing } from '../consumer/harness.ts'
import { accepted, failing, type Request, sdkError, stubSqs } from './stub-sqs.ts'

const down = throwing(new RetryableError('down'))
const many = (count: number) => Array.from({ length: count }, (_, at) => `m${at}`)

describe('B36: so many requests', () => {
  const { rows } = caseInput<{ rows: { failed: number; expectCalls: number }[] }>('B36-batch-call-limits')
  for (const { failed, expectCalls } of [
    ...rows,
    { failed: 9, expectCalls: 1 },
    { failed: 20, expectCalls: 2 },
    { failed: 21, expectCalls: 3 },
  ]) {
    test(`${failed} failures: ${expectCalls}, none empty, none above ten, each message once`, async () => {
      const sqs = stubSqs()
      const one = bench((_payload, { id }) => Number(id.slice(1)) < failed && down(), { concurrency: 1000 }, { sqs })
      assert.equal((await one.invoke(many(failed + 5))).length, failed)
      assert.equal(sqs.requests.length, expectCalls)
      assert.ok(sqs.requests.every(({ entries }) => entries.length >= 1 && entries.length <= 10))
      const handles = sqs.requests.flatMap(({ entries }) => entries.map(({ ReceiptHandle }) => ReceiptHandle))
      assert.deepEqual([handles.length, new Set(handles).size], [failed, failed])
    })
  }

  test('ten of one FIFO group that stay share their requests, too: at most two', async () => {
    const sqs = stubSqs()
    const one = bench(down, {}, { sqs })
    const group = many(10).map((messageId) => ({ messageId, groupId: 'a', queue: 'orders.fifo' }))
    assert.equal((await one.invoke(group)).length, 10)
    assert.ok(sqs.requests.length <= 2, `${sqs.requests.length} requests`)
  })

  test('entries of one request have different timeouts and distinct ids; the request goes to the queue of the record', async () => {
    const sqs = stubSqs()
    const one = bench(
      byId({ m1: down, m2: throwing(new Error('?')), m3: throwing(new RetryableError('x', { retryAfter: 100 })) }),
      {},
      { sqs },
    )
    await one.invoke(['m1', 'm2', 'm3'])
    assert.deepEqual(sqs.requests, [
      {
        name: 'ChangeMessageVisibilityBatchCommand',
        queueUrl: 'https://sqs.eu-central-1.amazonaws.com/111122223333/orders',
        entries: [
          { Id: '0', ReceiptHandle: 'handle-of-m1-1', VisibilityTimeout: 2 },
          { Id: '1', ReceiptHandle: 'handle-of-m2-1', VisibilityTimeout: 5 },
          { Id: '2', ReceiptHandle: 'handle-of-m3-1', VisibilityTimeout: 110 },
        ],
      },
    ])
  })

  test('messages of several queues in one event go to their own queue each', async () => {
    const sqs = stubSqs()
    await bench(down, {}, { sqs }).invoke([{ messageId: 'm1' }, { messageId: 'm2', queue: 'returns' }])
    assert.deepEqual(sqs.requests.map(({ queueUrl, entries }) => [queueUrl.split('/').at(-1), entries.length]).sort(), [
      ['orders', 1],
      ['returns', 1],
    ])
  })
})

describe('B35: a receipt handle that is no longer valid', () => {
  for (const [code, message] of [
    [
      'InvalidParameterValue',
      'Value h for parameter ReceiptHandle is invalid. Reason: Message does not exist or is not available for visibility timeout change.',
    ],
    ['InvalidParameterValueException', 'Value h for parameter ReceiptHandle is invalid. Reason: The receipt handle has expired.'],
    ['ReceiptHandleIsInvalid', 'The input receipt handle is invalid.'],
    ['MessageNotInflight', 'The specified message is not in flight.'],
    ['AWS.SimpleQueueService.MessageNotInflight', 'The specified message is not in flight.'],
  ] as const) {
    test(`${code} as an entry: reported all the same, counted, not tried again, its neighbours hidden`, async () => {
      const sqs = stubSqs((request) => failing(request, ({ ReceiptHandle }) => ReceiptHandle === 'handle-of-m2-1', code, message))
      const one = bench(down, {}, { sqs })
      assert.deepEqual(await one.invoke(['m1', 'm2', 'm3']), ['m1', 'm2', 'm3'])
      assert.deepEqual([sqs.requests.length, one.counts['visibility_failed'], one.counts['retry']], [1, 1, 3])
    })

    test(`${code} for the whole request, because of one entry: its neighbours are hidden, each alone`, async () => {
      const hidden: (string | undefined)[] = []
      const sqs = stubSqs((request) => {
        if (request.entries.some(({ ReceiptHandle }) => ReceiptHandle === 'handle-of-m2-1')) throw sdkError(code, message)
        hidden.push(...request.entries.map(({ ReceiptHandle }) => ReceiptHandle))
        return accepted(request)
      })
      const one = bench(down, {}, { sqs })
      assert.deepEqual(await one.invoke(['m1', 'm2', 'm3']), ['m1', 'm2', 'm3'])
      assert.deepEqual([hidden.sort(), one.counts['visibility_failed']], [['handle-of-m1-1', 'handle-of-m3-1'], 1])
    })
  }

  test('the request as a whole fails (denied, throttled, no such queue, no network): every message still reported', async () => {
    for (const error of [
      sdkError('AccessDenied', 'not authorized to perform: sqs:ChangeMessageVisibility'),
      sdkError('RequestThrottled', 'slow down'),
      sdkError('QueueDoesNotExist', 'no such queue'),
      Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
      'no error at all',
      undefined,
    ]) {
      const sqs = stubSqs(throwing(error))
      const one = bench(down, {}, { sqs })
      assert.deepEqual(await one.invoke(['m1', 'm2']), ['m1', 'm2'])
      assert.deepEqual([sqs.requests.length, one.counts['visibility_failed']], [1, 2])
    }
  })

  test('an entry that the answer names in neither list is not hidden: counted', async () => {
    for (const answer of [
      {},
      null,
      undefined,
      { Successful: [{ Id: '0' }] },
      { Successful: [{ Id: '7' }, { Id: '0' }], Failed: [] },
      'ok',
    ]) {
      const one = bench(down, {}, { sqs: stubSqs(() => answer) })
      assert.deepEqual(await one.invoke(['m1', 'm2']), ['m1', 'm2'])
      const named = Object(answer).Successful === undefined ? 0 : 1
      assert.equal(one.counts['visibility_failed'], 2 - named)
    }
  })
})

describe('B33: twelve hours in total, from the receive', () => {
  const beyond = (seconds: number) =>
    `Value ${seconds} for parameter VisibilityTimeout is invalid. Reason: Total VisibilityTimeout for the message is beyond the limit [43200 seconds]`
  const over = (most: number) => (request: Request) =>
    failing(request, ({ VisibilityTimeout = 0 }) => VisibilityTimeout > most, 'InvalidParameterValue', beyond(42_000))
  const timeouts = (requests: readonly Request[]) =>
    requests.flatMap(({ entries }) => entries.map(({ VisibilityTimeout }) => VisibilityTimeout))

  test('refused for that limit: repeated once at half', async () => {
    const sqs = stubSqs(over(30_000))
    const one = bench(down, { backoff: () => 41_999 }, { sqs })
    assert.deepEqual(
      [await one.invoke(['m1']), timeouts(sqs.requests), one.counts['visibility_failed']],
      [['m1'], [41_999, 20_999], undefined],
    )
  })

  test('refused again: left at that, logged and counted, still reported', async () => {
    const sqs = stubSqs(over(100))
    const one = bench(down, { backoff: () => 41_999 }, { sqs })
    assert.deepEqual([await one.invoke(['m1']), sqs.requests.length, one.counts['visibility_failed']], [['m1'], 2, 1])
  })

  test('refused as a whole request: the other entries are hidden, that one at half', async () => {
    const sqs = stubSqs((request) => {
      if (request.entries.some(({ VisibilityTimeout = 0 }) => VisibilityTimeout > 30_000))
        throw sdkError('InvalidParameterValue', beyond(42_000))
      return accepted(request)
    })
    const one = bench(down, { backoff: (_attempt, _error, { id }) => (id === 'm1' ? 42_000 : 7) }, { sqs })
    assert.deepEqual([await one.invoke(['m1', 'm2']), one.counts['visibility_failed']], [['m1', 'm2'], undefined])
    assert.deepEqual(timeouts(sqs.requests).sort(), [21_000, 42_000, 42_000, 7, 7])
  })
})

test('a batch without failures makes no request at all', async () => {
  const sqs = stubSqs()
  await bench(() => {}, {}, { sqs }).invoke(many(20))
  assert.deepEqual(sqs.requests, [])
})
