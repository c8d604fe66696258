/** What leaves for Lambda: the ids of failures, each once, in event order, and nothing else (cases B03, B04, B05). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as z from 'zod'
import {
  consumer,
  memoryStore,
  NotAnSqsEventError,
  PermanentError,
  RetryableError,
  redrive,
  type SqsEvent,
} from '../../src/index.ts'
import { lambdaContext, recordedQueue, sqsEvent } from '../../src/testing/index.ts'
import { bench, byId, caseInput, DLQ, evidenceOf, messages, throwing } from './harness.ts'

interface Answer {
  readonly batchItemFailures: { readonly itemIdentifier: string }[]
}
const idsIn = ({ batchItemFailures }: Answer) => batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)

test('B03: every message failed: every id in the answer, in event order, and the invocation does not reject', async () => {
  const { event, expect } = caseInput<{ event: SqsEvent; expect: { response: Answer } }>('B03-all-failed')
  for (const error of [new RetryableError('transient'), new Error('?'), undefined, null, 'text']) {
    const one = bench(throwing(error))
    assert.deepEqual(await one.invoke(event), idsIn(expect.response))
    assert.equal(one.counts['retry'], 3)
  }
})

test('ids come in event order, whatever order the messages end or start in', async () => {
  const wait = (ms: number) => () =>
    new Promise((_, reject) => void one.clock.after(ms, () => reject(new RetryableError('down'))))
  const one = bench(byId({ m1: wait(300), m2: () => {}, m3: wait(200), m4: wait(100) }))
  const [m1, m2, m3, m4] = ['m1', 'm2', 'm3', 'm4'].map((messageId, at) => ({ messageId, receiveCount: at + 1 }))
  assert.deepEqual(await one.invoke([m1!, m2!, m3!, m4!]), ['m1', 'm3', 'm4'])
  assert.deepEqual(one.ran, ['m4', 'm3', 'm2', 'm1'])
})

test('the same message id twice in one event counts as one', async () => {
  const one = bench(throwing(new RetryableError('down')))
  assert.deepEqual(await one.invoke(['m1', 'm2', 'm1']), ['m1', 'm2'])
  assert.deepEqual([one.ran, one.counts['received'], one.counts['retry']], [['m1', 'm2'], 2, 2])
})

describe('B04: one message that can’t be used', () => {
  interface Case {
    readonly event: SqsEvent
    readonly expect: {
      readonly handlerCalls: string[]
      readonly dlqSentIds: string[]
      readonly response: Answer
      readonly ifDlqSendFails: Answer
    }
  }
  const { event, expect } = caseInput<Case>('B04-poison-record')
  const schema = z.object({ orderId: z.string() })

  test('goes to the dead-letter queue with what is wrong; its neighbours run', async () => {
    const one = bench(() => {}, { schema })
    assert.deepEqual(await one.invoke(event), idsIn(expect.response))
    assert.deepEqual(one.ran, expect.handlerCalls)
    const letters = one.queue.letters.map(evidenceOf).sort((a, b) => (a.messageId < b.messageId ? -1 : 1))
    assert.deepEqual(
      letters.map(({ messageId }) => messageId),
      expect.dlqSentIds,
    )
    assert.deepEqual(
      letters.map(({ reason, rule, error }) => [reason, rule, error?.issues?.map(({ path }) => path)]),
      [
        ['permanent', 'message.schema', ['orderId']],
        ['permanent', 'message.not-json', undefined],
      ],
    )
  })

  test('stays if the dead-letter queue does not take it', async () => {
    const queue = recordedQueue((action) =>
      action === 'bury' ? { is: 'refused', code: 'X', message: 'no' } : { is: 'accepted' },
    )
    const one = bench(() => {}, { schema }, { queue })
    assert.deepEqual(await one.invoke(event), idsIn(expect.ifDlqSendFails))
  })

  test('throws from anywhere: sync, async, from a getter or a Proxy: it alone is a failure', async () => {
    const trap = throwing(new Error('trapped'))
    const proxy = new Proxy({}, { get: trap, has: trap, ownKeys: trap, getPrototypeOf: trap, getOwnPropertyDescriptor: trap })
    const getter = Object.defineProperty({}, 'message', { get: trap, enumerable: true })
    for (const hostile of [proxy, getter, new Proxy(new Error('x'), { get: trap }), Object.freeze(new Error('frozen'))]) {
      for (const bad of [
        throwing(hostile),
        async () => throwing(hostile)(),
        () => Promise.reject(hostile),
        () => thenable(hostile),
      ]) {
        const one = bench(byId({ m2: bad }))
        assert.deepEqual(await one.invoke(['m1', 'm2', 'm3']), ['m2'])
        assert.deepEqual([one.ran.length, one.counts['done'], one.counts['retry']], [3, 2, 1])
      }
    }
  })

  /** What awaits it gets the reason as a rejection. */
  // biome-ignore lint/suspicious/noThenProperty: a thenable that is no promise is the point
  const thenable = (reason: unknown) => ({ then: (_: unknown, reject: (reason: unknown) => void) => reject(reason) })

  test('has a record that lacks what SQS always sends: the others run', async () => {
    const [m1, m2, m3] = messages(['m1', 'm2', 'm3']).Records
    for (const broken of [
      { body: undefined },
      { body: { already: 'parsed' } },
      { attributes: undefined },
      { attributes: { ApproximateReceiveCount: 'many', SentTimestamp: 'once' } },
      { attributes: { SentTimestamp: '1e300', ApproximateFirstReceiveTimestamp: '1e300' } },
      { messageAttributes: null },
      { messageAttributes: { redrive: null } },
      { receiptHandle: undefined },
    ]) {
      const one = bench(byId({ m2: throwing(new RetryableError('down')) }))
      const answer = await one.invoke({ Records: [m1, { ...m2, ...broken }, m3] } as SqsEvent)
      assert.deepEqual(
        [one.ran.includes('m1'), one.ran.includes('m3'), one.counts['done']],
        [true, true, 2],
        JSON.stringify(broken),
      )
      assert.ok(answer.length + one.queue.letters.length === 1 && answer.every((id) => id === 'm2'), JSON.stringify(broken))
    }
  })
})

test('an error in another middleware before the messages run: the invocation rejects, and nothing ran', async () => {
  const ran: string[] = []
  const handler = consumer({ store: memoryStore(), partialBatch: true, logger: silent }, (_, { id }) => void ran.push(id))
  handler.use({ before: throwing(new Error('no secrets')) })
  await assert.rejects(handler(messages(['m1']), lambdaContext()), /no secrets/)
  assert.deepEqual(ran, [])
})

const silent = { debug() {}, info() {}, warn() {}, error() {} }

describe('B05: what is no event of SQS', () => {
  const { rows } = caseInput<{ rows: { event: never; expect: 'reject' | Answer }[] }>('B05-not-an-sqs-event')
  const record = sqsEvent([{}]).Records[0]!
  const handler = consumer({ deadLetterQueue: DLQ, logger: silent }, () => assert.fail('ran'))

  for (const { event, expect } of rows) {
    test(`${JSON.stringify(event)}: ${expect === 'reject' ? 'the invocation rejects' : 'an empty answer'}`, async () => {
      if (expect === 'reject') await assert.rejects(handler(event, lambdaContext()), NotAnSqsEventError)
      else assert.deepEqual(await handler(event, lambdaContext()), expect)
    })
  }

  test('neighbours: each is refused, and the error says what came', async () => {
    for (const [event, said] of [
      [undefined, /an empty object|undefined/],
      ['text', /a string/],
      [[], /object/],
      [{ httpMethod: 'POST', body: '{}' }, /API Gateway/],
      [{ 'detail-type': 'Order', detail: {} }, /EventBridge/],
      [{ Records: {} }, /Records/],
      [{ Records: [null] }, /record 0 is one without messageId/],
      [{ Records: [record, { ...record, eventSource: 'aws:kinesis' }] }, /record 1 is one of "aws:kinesis"/],
      [{ Records: [{ EventSource: 'aws:sns', Sns: {} }] }, /"aws:sns"/],
      [{ Records: [{ ...record, messageId: '' }] }, /record 0/],
      [{ Records: [{ ...record, eventSourceARN: undefined }] }, /record 0/],
    ] as const) {
      await assert.rejects(handler(event as never, lambdaContext()), (error: Error) => {
        assert.equal(error.name, 'NotAnSqsEventError')
        assert.match(error.message, said)
        return true
      })
    }
  })

  test('inside a chain of one’s own: redrive() refuses it before the handler, too', () => {
    assert.throws(() => redrive({}).before({ event: {}, context: {} }), NotAnSqsEventError)
  })
})

test('a permanent error never makes the invocation reject, nor does a batch of nothing but dead letters', async () => {
  const one = bench(throwing(new PermanentError('no')))
  assert.deepEqual([await one.invoke(['m1', 'm2', 'm3']), one.queue.letters.length], [[], 3])
})
