import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Explanation, explain } from '../../src/errors/classify.ts'
import { type Recorded, recorded } from './recorded.ts'

/** Why a miss is one, by the beginning of its id. An undebated miss that is not listed fails the test. */
const reasons: Readonly<Record<string, string>> = {
  'http.fetch.status-manual-cause': 'the recording lost the status and headers of the Response in `cause`; the live test has it',
  'store.redis.multi-errors': 'the recording lost `replies`, where the errors are; the live test has it',
}

const judged = recorded.map((each) => ({ ...each, said: explain(each.error, { now: each.now }) }))
const undebated = judged.filter(({ debatable }) => debatable === undefined)
const misses = judged.filter(({ expected, said }) => said.verdict !== expected)

const line = ({ id, expected, debatable, said }: Recorded & { readonly said: Explanation }): string =>
  `${id}: ${expected} expected, ${said.verdict} said by ${said.rule}${debatable ? `; debatable: ${debatable}` : `; ${reasons[id]}`}`

test('of the undebated errors of real libraries at least 95 % get the right verdict', (t) => {
  const missed = misses.filter(({ debatable }) => debatable === undefined)
  const share = 100 * (1 - missed.length / undebated.length)
  const all = 100 * (1 - misses.length / judged.length)
  t.diagnostic(`exact: ${share.toFixed(1)} % of ${undebated.length} undebated, ${all.toFixed(1)} % of all ${judged.length}`)
  for (const miss of misses) t.diagnostic(line(miss))
  assert.ok(share >= 95, `${share} %`)
  assert.deepEqual(
    missed.map(({ id }) => id).filter((id) => reasons[id] === undefined),
    [],
  )
})

test('no error that would have passed is called permanent, debatable or not', () => {
  const lost = misses.filter(({ expected, said }) => expected === 'retryable' && said.verdict === 'permanent')
  assert.deepEqual(lost.map(line), [])
})

test('what hits all messages is never permanent', () => {
  const wrong = undebated.filter(({ expected, said }) => expected === 'unknown' && said.verdict === 'permanent')
  assert.deepEqual(wrong.map(line), [])
})

test('every Retry-After is read, in seconds, milliseconds or as a date', () => {
  for (const { id, retryAfterSeconds, said } of judged) {
    if (retryAfterSeconds === undefined || reasons[id] !== undefined) continue
    // A date names a moment 90 s after the answer, which came a little before `now`.
    const slack = retryAfterSeconds === 90 ? 30 : 0
    assert.ok(
      said.retryAfter !== undefined && Math.abs(said.retryAfter - retryAfterSeconds) <= slack,
      `${id}: ${said.retryAfter}`,
    )
  }
})

test('the verdict is the same when the error is wrapped one to three times', () => {
  for (const { id, error, said, now } of judged) {
    let wrapped: unknown = error
    for (let times = 1; times <= 3; times++) {
      wrapped = new Error(`while handling the order (${times})`, { cause: wrapped })
      assert.deepEqual([id, explain(wrapped, { now }).verdict], [id, said.verdict])
    }
  }
})
