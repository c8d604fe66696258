/** How often a message is tried and how old it may get: attempts from the record, not from the receive count. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { memoryStore, PermanentError, RetryableError, schedule } from '../../src/index.ts'
import { recordedQueue, seededRandom } from '../../src/testing/index.ts'
import { bench, evidenceOf, hang, throwing } from './harness.ts'

const down = throwing(new RetryableError('down'))

describe('attempts', () => {
  test('with a store, count runs only: 900 receives that ran nothing leave all twelve', async () => {
    const seen: [number, boolean][] = []
    const one = bench((_payload, { attempt, isLastAttempt }) => {
      seen.push([attempt, isLastAttempt])
      down()
    })
    for (let attempt = 1; attempt <= 12; attempt++) await one.invoke([{ messageId: 'm1', receiveCount: 900 + attempt }])
    assert.deepEqual(
      seen,
      Array.from({ length: 12 }, (_, at) => [at + 1, at === 11]),
    )
    assert.deepEqual(
      [one.queue.letters.length, evidenceOf(one.queue.letters[0]).attempts, evidenceOf(one.queue.letters[0]).receives],
      [1, 12, 912],
    )
  })

  test('without a store the receive count stands for both counts', async () => {
    for (const [error, receiveCount, dead] of [
      [new RetryableError('down'), 11, 0],
      [new RetryableError('down'), 12, 1],
      [new Error('?'), 4, 0],
      [new Error('?'), 5, 1],
    ] as const) {
      const attempts: number[] = []
      const one = bench((_payload, { attempt }) => attempts.push(attempt) && throwing(error)(), { store: false })
      await one.invoke([{ messageId: 'm1', receiveCount }])
      assert.deepEqual([attempts, one.queue.letters.length], [[receiveCount], dead])
    }
  })

  test('unknown failures are counted on their own against 5, all together against 12', async () => {
    // Seven retryable ones in between: the fifth unknown one is attempt 11.
    const errors = [...'rruurrurrru'].map((kind) => (kind === 'u' ? new Error('?') : new RetryableError('down')))
    const one = bench((_payload, { attempt }) => throwing(errors[attempt - 1] ?? new Error('?'))())
    for (let attempt = 1; attempt <= 11; attempt++) assert.deepEqual(await one.invoke(['m1']), ['m1'], `attempt ${attempt}`)
    assert.deepEqual([one.record().retryable, one.record().unknown], [7, 4])
    assert.deepEqual([await one.invoke(['m1']), evidenceOf(one.queue.letters[0]).attempts], [[], 12])
  })

  test('maxAttempts: a number is for both; a part of it leaves the other at its default', async () => {
    for (const [maxAttempts, retryable, unknown] of [
      [1, 1, 1],
      [7, 7, 7],
      [{ retryable: 3 }, 3, 3],
      [{ retryable: 20 }, 20, 5],
      [{ unknown: 2 }, 12, 2],
      [{ unknown: 15 }, 15, 15],
    ] as const) {
      for (const [error, most] of [
        [new RetryableError('x'), retryable],
        [new Error('?'), unknown],
      ] as const) {
        const one = bench(throwing(error), { maxAttempts, store: false })
        const left = [most - 1, most].filter((receiveCount) => receiveCount > 0)
        for (const receiveCount of left) await one.invoke([{ messageId: `m${receiveCount}`, receiveCount }])
        assert.deepEqual([one.counts['dead'], one.counts['retry'] ?? 0], [1, left.length - 1])
      }
    }
  })

  test('the history in the evidence: when, name, message cut at 200 characters, rule; of all attempts', async () => {
    const one = bench((_payload, { attempt }) =>
      throwing(attempt === 1 ? new RetryableError('x'.repeat(500)) : new PermanentError('no'))(),
    )
    await one.invoke(['m1'])
    await one.clock.advance(5_000)
    await one.invoke(['m1'])
    const { history = [] } = evidenceOf(one.queue.letters[0])
    assert.deepEqual(
      history.map(({ name, rule }) => [name, rule]),
      [
        ['RetryableError', 'error.retryable'],
        ['PermanentError', 'error.permanent'],
      ],
    )
    assert.ok((history[0]?.message.length ?? 999) <= 200)
    assert.deepEqual(
      history.map(({ at }) => at),
      ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:05.000Z'],
    )
  })
})

describe('maxAge', () => {
  const aged = (seconds: number, more: object = {}) => ({
    messageId: 'm1',
    sentAt: Date.UTC(2026, 0, 1) - seconds * 1000,
    ...more,
  })
  const outOfReach = { ...memoryStore(), begin: () => Promise.reject(new Error('ETIMEDOUT')) }

  for (const [name, options] of [
    ['with a store', {}],
    ['without one', { store: false }],
    ['with the store out of reach', { store: outOfReach }],
  ] as const) {
    test(`${name}: older goes to the dead-letter queue without running, exactly as old does not`, async () => {
      const one = bench(() => {}, { ...options, maxAge: 3_600 })
      assert.deepEqual([await one.invoke([aged(3_601)]), one.ran, evidenceOf(one.queue.letters[0]).reason], [[], [], 'too-old'])
      assert.equal(one.counts['dead'], 1)
      const young = bench(() => {}, { ...options, maxAge: 3_600 })
      await young.invoke([aged(3_600)])
      assert.deepEqual([young.queue.letters, young.counts['dead']], [[], undefined])
    })
  }

  test('counts from when this SQS message was sent: a replay starts anew', async () => {
    const one = bench(() => {}, { maxAge: 3_600 })
    const replay = { 'redrive.replay': { stringValue: JSON.stringify({ id: 'first', replay: 1 }), dataType: 'String' } }
    assert.deepEqual([await one.invoke([aged(60, { messageAttributes: replay })]), one.ran], [[], ['m1']])
  })

  test('a message that fails when it is already too old has had its last attempt', async () => {
    const one = bench(() => new Promise((_, reject) => void one.clock.after(20_000, () => reject(new RetryableError('down')))), {
      maxAge: 60,
    })
    assert.deepEqual([await one.invoke([aged(50)]), evidenceOf(one.queue.letters[0]).reason], [[], 'too-old'])
    assert.equal(evidenceOf(one.queue.letters[0]).error?.name, 'RetryableError')
  })

  test('what is too old keeps what it has: history, attempts of before', async () => {
    const one = bench(down, { maxAge: 60 })
    await one.invoke([aged(0)])
    await one.clock.advance(61_000)
    assert.deepEqual(await one.invoke([aged(0, { receiveCount: 2 })]), [])
    const { reason, attempts, history } = evidenceOf(one.queue.letters[0])
    assert.deepEqual([reason, attempts, history?.length, one.ran.length, one.record().state], ['too-old', 1, 1, 1, 'dead'])
  })

  test('property: no visibility timeout passes the moment at which the message is too old (but for the last second)', async () => {
    const acts = {
      retry: throwing(new RetryableError('x', { retryAfter: 500 })),
      unknown: throwing(new Error('?')),
      dead: throwing(new PermanentError('no')),
      cut: hang,
    }
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...(['retry', 'unknown', 'dead', 'cut', 'store', 'busy'] as const)),
        fc.nat(600),
        fc.nat(),
        async (act, age, seed) => {
          const refusing = recordedQueue((action) =>
            action === 'bury' ? { is: 'refused', code: 'X', message: 'no' } : { is: 'accepted' },
          )
          const options = { maxAge: 600, backoff: schedule([900, 42_000]), ...(act === 'store' && { store: outOfReach }) }
          const one = bench(act === 'store' || act === 'busy' ? () => {} : acts[act], options, {
            random: seededRandom(seed),
            queue: refusing,
          })
          const now = one.clock.now()
          if (act === 'busy') {
            const begun = { id: 'orders#"m1"', run: 'x', messageId: 'x', firstMessageId: 'm1', fingerprint: '', expiresAt: now }
            await memoryStore({ records: one.records }).begin({ ...begun, now, leaseUntil: now + 900_000 })
          }
          await one.invoke([aged(age, { receiveCount: 7 })])
          const left = 600 - age - Math.floor((one.clock.now() - now) / 1000)
          // What is too old already waits for the other run, or for its dead-letter queue.
          for (const [, seconds] of left > 1 ? one.hidden() : [])
            assert.ok(seconds <= Math.max(left + 1, 1), `${act}: ${seconds} s, ${left} s left`)
        },
      ),
      { numRuns: 120 },
    )
  })
})
