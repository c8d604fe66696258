/** The table of outcomes, row by row: answer, visibility timeout, dead-letter queue, attempts, whether the handler ran. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { memoryStore, PermanentError, RetryableError } from '../../src/index.ts'
import { recordedQueue, seededRandom } from '../../src/testing/index.ts'
import { type Bench, bench, byId, evidenceOf, hang, throwing } from './harness.ts'

const down = () => throwing(new RetryableError('the provider is down'))

/** What one message came to, in the table's columns. */
const columns = (one: Bench, answer: string[]) => ({
  ran: one.ran.length,
  answer,
  hidden: one.hidden(),
  letters: one.queue.letters.length,
  attempts: one.records.size === 0 ? undefined : one.record().attempts,
  state: one.records.size === 0 ? undefined : one.record().state,
})

test('done: the handler resolved and its completion is stored: success, one attempt, no visibility timeout', async () => {
  const one = bench(() => {})
  const answer = await one.invoke(['m1'])
  assert.deepEqual(columns(one, answer), { ran: 1, answer: [], hidden: [], letters: 0, attempts: 1, state: 'done' })
  assert.deepEqual(one.counts, { received: 1, attempts: 1, done: 1 })
})

test('done: the option classify says "duplicate" of what the handler threw', async () => {
  for (const said of ['duplicate', { verdict: 'duplicate' }] as const) {
    const one = bench(throwing(new Error('unique constraint')), { classify: () => said })
    const answer = await one.invoke(['m1'])
    assert.deepEqual(columns(one, answer), { ran: 1, answer: [], hidden: [], letters: 0, attempts: 1, state: 'done' })
    assert.equal(one.counts['done'], 1)
  }
})

test('duplicate: the record says done: success, nothing runs, no attempt, even under another SQS message', async () => {
  const one = bench(() => {}, { key: () => 'order-1' })
  await one.invoke(['m1'])
  for (const again of ['m1', 'm2']) assert.deepEqual(await one.invoke([again]), [])
  assert.deepEqual(columns(one, []), { ran: 1, answer: [], hidden: [], letters: 0, attempts: 1, state: 'done' })
  assert.equal(one.counts['duplicate'], 2)
})

test('duplicate: this very message died and is a letter already: success, not sent twice', async () => {
  const one = bench(throwing(new PermanentError('no such product')))
  await one.invoke(['m1'])
  const answer = await one.invoke([{ messageId: 'm1', receiveCount: 2 }])
  assert.deepEqual(columns(one, answer), { ran: 1, answer: [], hidden: [], letters: 1, attempts: 1, state: 'dead' })
  assert.deepEqual(one.counts, { received: 2, attempts: 1, dead: 1, duplicate: 1 })
})

describe('retry', () => {
  for (const [verdict, error, first, second] of [
    ['retryable', new RetryableError('down'), 2, 4],
    ['unknown', new Error('what is this?'), 5, 30],
  ] as const) {
    test(`${verdict} with attempts left: failure, backoff by the failures of that verdict, one attempt each`, async () => {
      const one = bench(throwing(error))
      const answer = await one.invoke(['m1'])
      assert.deepEqual(columns(one, answer), {
        ran: 1,
        answer: ['m1'],
        hidden: [['m1', first]],
        letters: 0,
        attempts: 1,
        state: 'failed',
      })
      await one.invoke([{ messageId: 'm1', receiveCount: 2 }])
      assert.deepEqual(one.hidden().at(-1), ['m1', second])
      assert.deepEqual([one.record().attempts, one.record()[verdict], one.record().history.length], [2, 2, 2])
      assert.deepEqual(one.counts, { received: 2, attempts: 2, retry: 2 })
    })
  }

  test('a Retry-After is a floor under the backoff', async () => {
    const one = bench(throwing(new RetryableError('slow down', { retryAfter: 90 })))
    await one.invoke(['m1'])
    assert.deepEqual(one.hidden(), [['m1', 99]])
  })
})

describe('cut', () => {
  test('running at the deadline: failure, hidden until its lease ends, the lease kept, an attempt if it had half of the time', async () => {
    const one = bench(hang)
    const answer = await one.invoke(['m1'])
    // 30 s, of which 3 s are kept for the effects: cut 27 s on, 8 s before the lease ends.
    assert.deepEqual(columns(one, answer), {
      ran: 1,
      answer: ['m1'],
      hidden: [['m1', 9]],
      letters: 0,
      attempts: 1,
      state: 'running',
    })
    assert.deepEqual([one.record().open, one.record().history[0]?.rule], [0, 'redrive.cut'])
    assert.deepEqual(one.counts, { received: 1, attempts: 1, cut: 1 })
  })

  test('no attempt if less than half of the time was left when it started', async () => {
    for (const [startMs, attempts] of [
      [15_000, 1],
      [15_001, 0],
    ] as const) {
      const one = bench(hang, {
        body: (text) => one.clock.until(new Promise((go) => void one.clock.after(startMs, () => go(text)))),
      })
      assert.deepEqual(await one.invoke(['m1']), ['m1'])
      assert.deepEqual([one.record().state, one.record().attempts], ['running', attempts])
    }
  })
})

describe('dead', () => {
  test('permanent: success once the queue took body and evidence, one attempt', async () => {
    const one = bench(throwing(new PermanentError('no such product')))
    const answer = await one.invoke([{ messageId: 'm1', body: '{"n": 1}' }])
    assert.deepEqual(columns(one, answer), { ran: 1, answer: [], hidden: [], letters: 1, attempts: 1, state: 'dead' })
    const { reason, rule, attempts, receives, error } = evidenceOf(one.queue.letters[0])
    assert.deepEqual([reason, rule, attempts, receives, error?.name], ['permanent', 'error.permanent', 1, 1, 'PermanentError'])
    assert.equal(one.queue.letters[0]?.body, '{"n": 1}')
    assert.deepEqual(one.counts, { received: 1, attempts: 1, dead: 1 })
  })

  test('not taken by the queue: failure with backoff, and counted', async () => {
    const refusing = recordedQueue((action) =>
      action === 'bury' ? { is: 'refused', code: 'KMS', message: 'no key' } : { is: 'accepted' },
    )
    const one = bench(throwing(new PermanentError('no such product')), {}, { queue: refusing })
    const answer = await one.invoke(['m1'])
    assert.deepEqual(columns(one, answer), {
      ran: 1,
      answer: ['m1'],
      hidden: [['m1', 2]],
      letters: 0,
      attempts: 1,
      state: 'dead',
    })
    assert.equal(one.counts['dead_letter_failed'], 1)
  })

  test('attempts used up after a failed run: 5 of unknown errors, 12 together', async () => {
    for (const [error, most] of [
      [new Error('what is this?'), 5],
      [new RetryableError('down'), 12],
    ] as const) {
      const one = bench(throwing(error))
      for (let receive = 1; receive < most; receive++) {
        assert.deepEqual(await one.invoke([{ messageId: 'm1', receiveCount: receive }]), ['m1'])
      }
      assert.deepEqual(await one.invoke([{ messageId: 'm1', receiveCount: most }]), [])
      const { reason, attempts, history } = evidenceOf(one.queue.letters[0])
      assert.deepEqual([reason, attempts, history?.length], ['attempts-used-up', most, Math.min(most, 11)])
      assert.deepEqual([one.ran.length, one.record().state], [most, 'dead'])
    }
  })

  test('too old: the handler does not run, and it is no attempt', async () => {
    const one = bench(() => {}, { maxAge: 3600 })
    const answer = await one.invoke([{ messageId: 'm1', sentAt: one.clock.now() - 3_600_001 }])
    assert.deepEqual([answer, one.ran, one.hidden()], [[], [], []])
    const { reason, attempts, error } = evidenceOf(one.queue.letters[0])
    assert.deepEqual([reason, attempts, error], ['too-old', 0, undefined])
    assert.equal(one.counts['attempts'], undefined)
  })
})

test('busy: another run holds the lease: failure until that lease ends, nothing runs, no attempt', async () => {
  const records = new Map()
  const first = bench(hang, { key: () => 'order-1', store: memoryStore({ records }) })
  await first.invoke(['m1'])
  const one = bench(() => {}, { key: () => 'order-1', store: memoryStore({ records }) })
  assert.deepEqual(await one.invoke(['m2']), ['m2'])
  assert.deepEqual([one.ran, one.queue.letters, one.hidden()], [[], [], [['m2', 38]]])
  assert.equal([...records.values()][0].attempts, 1)
  assert.deepEqual(one.counts, { received: 1, busy: 1 })
})

test('held: behind a message of its group that stays: failure with that message’s visibility timeout, nothing runs', async () => {
  const queue = 'orders.fifo'
  const one = bench(byId({ m1: down() }))
  const answer = await one.invoke(['m1', 'm2', 'm3'].map((messageId) => ({ messageId, queue, groupId: 'a' })))
  assert.deepEqual(answer, ['m1', 'm2', 'm3'])
  assert.deepEqual(
    [one.ran, one.hidden()],
    [
      ['m1'],
      [
        ['m1', 2],
        ['m2', 2],
        ['m3', 2],
      ],
    ],
  )
  assert.deepEqual(one.counts, { received: 3, attempts: 1, retry: 1, held: 2 })
})

describe('deferred', () => {
  test('no time left: failure, hidden for 0 or 1 second, nothing ran, no record', async () => {
    const seconds = new Set<number | undefined>()
    for (let seed = 1; seed <= 10; seed++) {
      const one = bench(byId({ m1: hang }), { concurrency: 1 }, { random: seededRandom(seed) })
      assert.deepEqual(await one.invoke(['m1', 'm2']), ['m1', 'm2'])
      assert.deepEqual([one.ran, one.records.size, one.counts['deferred']], [['m1'], 1, 1])
      seconds.add(one.hidden().find(([id]) => id === 'm2')?.[1])
    }
    assert.deepEqual([...seconds].sort(), [0, 1])
  })

  test('store out of reach: failure, exponential by receive count to 300 seconds, nothing ran, no letter', async () => {
    const store = { ...memoryStore(), begin: () => Promise.reject(new Error('ETIMEDOUT')) }
    for (const [receiveCount, seconds] of [
      [1, 2],
      [5, 32],
      [9, 270],
      [1000, 270],
    ] as const) {
      const one = bench(() => {}, { store })
      assert.deepEqual(await one.invoke([{ messageId: 'm1', receiveCount }]), ['m1'])
      assert.deepEqual([one.ran, one.hidden(), one.queue.letters], [[], [['m1', seconds]], []])
      assert.deepEqual(one.counts, { received: 1, store_failed: 1, deferred: 1 })
    }
  })
})
