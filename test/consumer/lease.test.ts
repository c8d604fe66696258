/** The lease of a message whose handler runs: taken at its start, ended by its owner, lost to another (cases B22, B29). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type BeginRequest,
  type IdempotencyStore,
  memoryStore,
  PermanentError,
  RetryableError,
  type SqsEvent,
} from '../../src/index.ts'
import { bench, byId, caseInput, hang, throwing } from './harness.ts'

/** A memory store that writes its begins down. */
function watched(overrides: Partial<IdempotencyStore> = {}) {
  const begins: BeginRequest[] = []
  const store = memoryStore()
  const begin: IdempotencyStore['begin'] = (request, signal) => {
    begins.push(request)
    return (overrides.begin ?? store.begin)(request, signal)
  }
  return { begins, inner: store, store: { ...store, ...overrides, begin } }
}

describe('B22: the lease ends when the invocation does, plus 5 seconds for clocks that differ', () => {
  for (const [name, context, leaseMs] of [
    ['12,345 ms left', { getRemainingTimeInMillis: () => 12_345 }, 17_345],
    ['1 ms left', { getRemainingTimeInMillis: () => 1 }, 5_001],
    ['0 ms left is a time, not an unknown one', { getRemainingTimeInMillis: () => 0 }, 5_000],
    ['less than nothing left', { getRemainingTimeInMillis: () => -40 }, 5_000],
    ['a context that doesn’t tell: 900 s, never none', {}, 905_000],
    ['a context that tells nonsense', { getRemainingTimeInMillis: () => Number.NaN }, 905_000],
  ] as const) {
    test(name, async () => {
      const { store, begins } = watched()
      const one = bench(() => {}, { store })
      const now = one.clock.now()
      await one.invoke(['m1'], context)
      assert.deepEqual(
        begins.map(({ leaseUntil }) => leaseUntil - now),
        [leaseMs],
      )
      assert.equal(begins[0]?.expiresAt, Math.ceil(now / 1000) + 30 * 86_400)
    })
  }
})

test('B29: while the first run goes on its duplicate is a failure: not run, no attempt, no letter, hidden until the lease ends', async () => {
  interface Case {
    readonly event: SqsEvent
    readonly store: { readonly leaseLeftMs: number }
  }
  const { event, store } = caseInput<Case>('B29-in-progress-duplicate')
  const id = event.Records[0]?.messageId as string
  for (const chance of [0, 0.5, 0.999]) {
    const one = bench(() => {}, {}, { random: () => chance })
    const now = one.clock.now()
    const begun = {
      id: `orders#"${id}"`,
      run: 'another',
      messageId: id,
      firstMessageId: id,
      fingerprint: '',
      expiresAt: now / 1000 + 999,
    }
    await memoryStore({ records: one.records }).begin({ ...begun, now, leaseUntil: now + store.leaseLeftMs })
    assert.deepEqual([await one.invoke(event), one.ran, one.queue.letters], [[id], [], []])
    const seconds = one.queue.hidden[0]?.seconds ?? 0
    assert.ok(seconds >= store.leaseLeftMs / 1000 && seconds <= (store.leaseLeftMs / 1000) * 1.2, `${seconds} s`)
    assert.deepEqual([one.record().attempts, one.record().run, one.counts], [1, 'another', { received: 1, busy: 1 }])
  }
})

test('a lease that is over is taken: the run that had it ended without a word, and it was an attempt', async () => {
  const attempts: number[] = []
  const one = bench((_payload, message) => void attempts.push(message.attempt))
  const [id, now] = ['m1', one.clock.now()]
  const begun = {
    id: 'orders#"m1"',
    run: 'died',
    messageId: id,
    firstMessageId: id,
    fingerprint: '',
    expiresAt: now / 1000 + 999,
  }
  await memoryStore({ records: one.records }).begin({ ...begun, now: now - 9_000, leaseUntil: now })
  assert.deepEqual([await one.invoke([id]), attempts, one.record().state], [[], [2], 'done'])
})

test('no lease is taken for what is held, deferred, or waits for a place', async () => {
  const { store, begins } = watched()
  const one = bench(hang, { store, concurrency: 2 })
  await one.invoke([
    ...['a1', 'a2'].map((messageId) => ({ messageId, groupId: 'a', queue: 'orders.fifo' })),
    ...['b1', 'c1', 'd1'].map((messageId) => ({ messageId, groupId: messageId, queue: 'orders.fifo' })),
  ])
  assert.deepEqual(
    begins.map(({ messageId }) => messageId),
    ['a1', 'b1'],
  )
})

describe('a lease that was lost: the record decides, and the old receipt handle sets no visibility', () => {
  /** Another run takes the record over while the handler of m1 goes on, and comes to `state`. */
  const overtaken = (handler: () => unknown, state: 'running' | 'done' | 'failed' | 'dead') =>
    bench(() => {
      for (const [id, record] of one().records) one().records.set(id, { ...record, run: 'another', state, freeAt: 9e15 })
      return handler()
    })
  let current: ReturnType<typeof bench> | undefined
  const one = () => current as ReturnType<typeof bench>

  for (const [name, handler] of [
    ['a run that is done', () => {}],
    ['a run that failed', throwing(new RetryableError('down'))],
    ['a run that died', throwing(new PermanentError('no'))],
    ['a run that is cut', hang],
  ] as const) {
    test(`${name}, when the other is done: duplicate`, async () => {
      current = overtaken(handler, 'done')
      assert.deepEqual([await one().invoke(['m1']), one().hidden()], [[], []])
      assert.deepEqual([one().counts['duplicate'], one().counts['lease_lost'], one().record().run], [1, 1, 'another'])
    })

    test(`${name}, when the other goes on, failed or died: busy`, async () => {
      for (const state of ['running', 'failed', 'dead'] as const) {
        current = overtaken(handler, state)
        assert.deepEqual([await one().invoke(['m1']), one().hidden()], [['m1'], []])
        assert.deepEqual([one().counts['busy'], one().counts['lease_lost'], one().record().run], [1, 1, 'another'])
      }
    })
  }

  test('the record is gone: busy', async () => {
    current = bench(() => one().records.clear())
    assert.deepEqual([await one().invoke(['m1']), one().hidden(), one().counts['busy']], [['m1'], [], 1])
  })
})

describe('a begin whose answer does not come', () => {
  test('by the deadline: deferred, and the lease that it took after all is released', async () => {
    const { store, inner } = watched({ begin: (request) => later(40_000).then(() => inner.begin(request)) })
    const one = bench(() => {}, { store })
    const later = (ms: number) => new Promise((go) => void one.clock.after(ms, () => go(undefined)))
    assert.deepEqual([await one.invoke(['m1']), one.ran, one.counts['deferred']], [['m1'], [], 1])
    await one.clock.advance(60_000)
    const record = await inner.read('orders#"m1"')
    assert.deepEqual([record?.state, record?.attempts, record?.open], ['failed', 0, 0])
  })

  test('an answer that was lost: the record is given back, as if nothing had been', async () => {
    const lost = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
    const { store, inner } = watched({ begin: (request) => inner.begin(request).then(throwing(lost)) })
    const one = bench(() => {}, { store })
    assert.deepEqual(await one.invoke(['m1', 'm2']), ['m1', 'm2'])
    for (const id of ['m1', 'm2']) {
      const record = await inner.read(`orders#"${id}"`)
      assert.deepEqual([record?.state, record?.attempts, record?.open], ['failed', 0, 0])
    }
  })

  test('a refusal was not stored: nothing is given back', async () => {
    const asked: unknown[] = []
    const denied = Object.assign(new Error('no'), { name: 'AccessDeniedException', $metadata: { httpStatusCode: 400 } })
    const { store } = watched({ begin: () => Promise.reject(denied), giveBack: async (request) => void asked.push(request) })
    await bench(() => {}, { store }).invoke(['m1'])
    assert.deepEqual(asked, [])
  })
})

test('a store of one’s own that throws at once is one that is out of reach', async () => {
  const one = bench(byId({}), { store: { ...memoryStore(), begin: throwing(new Error('not connected')) } })
  assert.deepEqual([await one.invoke(['m1', 'm2']), one.counts['store_failed'], one.counts['deferred']], [['m1', 'm2'], 2, 2])
})
