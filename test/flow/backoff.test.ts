/** What a failed message waits: whole seconds from 0 to 42,000, never below a floor, with jitter (case B33). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type Backoff, delay } from '../../src/flow/backoff.ts'
import { exponential, RetryableError, schedule } from '../../src/index.ts'
import { seededRandom } from '../../src/testing/index.ts'
import { bench, caseInput, throwing } from '../consumer/harness.ts'

const LONGEST = 42_000
const anyNumber = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(Number.NaN, Infinity, -Infinity, 0, -0, 1e308, 2 ** 53))
const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
const jitter = fc.oneof(fc.constant('full' as const), fc.double({ min: 0, max: 1, noNaN: true }))
const seconds = fc.double({ min: 0, max: LONGEST, noNaN: true })
const factor = fc.double({ min: 1, max: 1e9, noNaN: true })
const maker: fc.Arbitrary<Backoff> = fc.oneof(
  fc.record({ base: seconds, factor, cap: seconds, jitter }).map(exponential),
  fc.tuple(fc.array(seconds, { minLength: 1 }), jitter).map(([delays, jitter]) => schedule(delays, { jitter })),
  fc.record({ own: anyNumber, cap: anyNumber, jitter }).map(({ own, ...rest }) => ({ ...rest, seconds: () => own })),
)

/** The delays that come of so many chances. */
const spread = (backoff: Backoff, attempt: number, floor?: number) => {
  const random = seededRandom(7)
  return Array.from({ length: 2_000 }, () => delay(backoff, attempt, random, floor))
}
const range = (delays: number[]) => [Math.min(...delays), Math.max(...delays)]

test('property: a whole number of seconds from 0 to 42,000, whatever maker, attempt, floor and chance; never below the floor', () => {
  fc.assert(
    fc.property(
      maker,
      anyNumber,
      chance,
      fc.option(fc.double({ min: 0, max: 1e9, noNaN: true })),
      (backoff, attempt, at, floor) => {
        const result = delay(backoff, attempt, () => at, floor ?? 0)
        assert.ok(Number.isInteger(result) && result >= 0 && result <= LONGEST && !Object.is(result, -0), String(result))
        assert.ok(result >= Math.min(floor ?? 0, LONGEST), `${result} is below the floor ${floor}`)
      },
    ),
    { numRuns: 3_000 },
  )
})

test('property: no delay passes the cap but for a floor', () => {
  fc.assert(
    fc.property(
      seconds,
      factor,
      fc.nat(LONGEST),
      jitter,
      fc.integer({ min: 1, max: 5_000 }),
      chance,
      (base, factor, cap, jitter, attempt, at) => {
        assert.ok(
          delay(
            exponential({ base, factor, cap, jitter: jitter === 'full' ? jitter : Math.min(jitter, 0) }),
            attempt,
            () => at,
          ) <= cap,
        )
      },
    ),
  )
})

describe('the defaults', () => {
  for (const [verdict, error, attempts, minutes] of [
    ['retryable', new RetryableError('down'), 12, 47],
    ['unknown', new Error('?'), 5, 13],
  ] as const) {
    test(`wait ${minutes} minutes altogether over ${attempts} attempts of ${verdict} errors, before jitter`, async () => {
      const one = bench(throwing(error))
      for (let receiveCount = 1; receiveCount <= attempts; receiveCount++) await one.invoke([{ messageId: 'm1', receiveCount }])
      // Chance is 0.5: no jitter but at the cap of 900 s, where it shortens to 810.
      const waits = one.hidden().map(([, seconds]) => (seconds === 810 ? 900 : seconds))
      assert.deepEqual([waits.length, Math.round(waits.reduce((sum, wait) => sum + wait) / 60)], [attempts - 1, minutes])
    })
  }

  test('double from 2 to 900 seconds; the schedule of unknown errors repeats its last', () => {
    const plain = (backoff: Backoff, attempts: number[]) => attempts.map((attempt) => backoff.seconds(attempt))
    assert.deepEqual(plain(exponential(), [1, 2, 3, 9, 10, 11, 1_000, 1e9]), [2, 4, 8, 512, 900, 900, 900, 900])
    assert.deepEqual(plain(schedule([5, 30, 120, 600]), [1, 2, 4, 5, 1e9]), [5, 30, 600, 600, 600])
  })
})

describe('jitter', () => {
  test('0.2 multiplies by 0.8 to 1.2; at the cap it only shortens', () => {
    assert.deepEqual(range(spread(exponential(), 9)), [409, 614])
    assert.deepEqual(range(spread(exponential(), 12)), [720, 900])
    assert.deepEqual(range(spread(schedule([100]), 1)), [80, 120])
  })

  test('"full" multiplies by 0 to 1, and 0 by nothing', () => {
    const [least = 9, most = 0] = range(spread(schedule([100], { jitter: 'full' }), 1))
    assert.ok(least <= 1 && most >= 99 && most <= 100, `${least} to ${most}`)
    assert.deepEqual(range(spread(schedule([100], { jitter: 0 }), 1)), [100, 100])
  })

  test('over a floor it only adds, up to 42,000', () => {
    assert.deepEqual(range(spread(exponential(), 1, 100)), [100, 120])
    assert.deepEqual(range(spread(schedule([60], { jitter: 'full' }), 1, 100)), [100, 200])
    assert.ok(spread(exponential(), 1, 41_000).every((wait) => wait >= 41_000 && wait <= 42_000))
    assert.deepEqual(range(spread(exponential(), 1, 1e6)), [42_000, 42_000])
  })

  test('rounds at random, so that the mean stays: 1.2 s is 1 s four times of five', () => {
    const delays = spread(schedule([1.2], { jitter: 0 }), 1)
    assert.deepEqual([...new Set(delays)].sort(), [1, 2])
    const mean = delays.reduce((sum, one) => sum + one, 0) / delays.length
    assert.ok(Math.abs(mean - 1.2) < 0.03, `the mean is ${mean}`)
  })
})

test('the makers refuse what has no sense, by its name', () => {
  for (const [make, name] of [
    [() => exponential({ base: -1 }), /"base"/],
    [() => exponential({ base: Number.NaN }), /"base"/],
    [() => exponential({ factor: 0.9 }), /"factor"/],
    [() => exponential({ cap: 42_001 }), /"cap"/],
    [() => exponential({ cap: '900' as never }), /"cap"/],
    [() => exponential({ jitter: 1.1 }), /"jitter"/],
    [() => exponential({ jitter: 'half' as never }), /"jitter"/],
    [() => schedule([]), /at least one/],
    [() => schedule([5, -1]), /"delay"/],
    [() => schedule([Infinity]), /"delay"/],
    [() => schedule(5 as never), /list/],
    [() => schedule([5], { jitter: -0.1 }), /"jitter"/],
  ] as const) {
    assert.throws(make, (error: Error) => error instanceof RangeError && name.test(error.message))
  }
})

test('a schedule does not change when its list does', () => {
  const list = [5, 6]
  const backoff = schedule(list)
  list[0] = 99
  assert.equal(backoff.seconds(1), 5)
})

describe('B33: what a function of the user’s wants', () => {
  interface Row {
    readonly wanted: number
    readonly elapsedS?: number
    readonly expect: number | string
  }
  const { rows } = caseInput<{ rows: Row[] }>('B33-twelve-hours')
  for (const { wanted, expect } of [
    ...rows,
    { wanted: 42_001, expect: 'at most 42000' },
    { wanted: -Infinity, expect: 'at most 900' },
    { wanted: 0.4, expect: 'an integer' },
  ]) {
    test(`${wanted} s: ${expect}`, async () => {
      const one = bench(throwing(new RetryableError('down')), { backoff: () => wanted })
      assert.deepEqual(await one.invoke(['m1']), ['m1'])
      const set = one.hidden()[0]?.[1] as number
      assert.ok(Number.isInteger(set) && set >= 0 && set <= LONGEST)
      if (typeof expect === 'number') assert.equal(set, expect)
      else if (expect.startsWith('at most')) assert.ok(set <= Number(expect.slice(8)), String(set))
      else assert.ok(Math.abs(set - wanted) < 1, String(set))
    })
  }

  test('a function is given attempt, error and message, replaces both defaults, and no floor of the error', async () => {
    const asked: unknown[] = []
    for (const [error, expected] of [
      [new RetryableError('x'), 7],
      [new Error('?'), 7],
      [new RetryableError('x', { retryAfter: 100 }), 110],
    ] as const) {
      const one = bench(throwing(error), { backoff: (attempt, thrown, { id }) => asked.push(attempt, thrown, id) && 7 })
      await one.invoke(['m1'])
      assert.deepEqual(one.hidden(), [['m1', expected]])
      assert.deepEqual(asked.splice(0), [1, error, 'm1'])
    }
  })

  test('a backoff value replaces both defaults', async () => {
    for (const error of [new RetryableError('x'), new Error('?')]) {
      const one = bench(throwing(error), { backoff: schedule([70], { jitter: 0 }) })
      await one.invoke(['m1'])
      assert.deepEqual(one.hidden(), [['m1', 70]])
    }
  })
})
