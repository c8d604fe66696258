import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { consumerResources } from '../../src/stack/resources.ts'
import { type Alarm, type Circumstances, type Data, rings, states } from './alarm-evaluator.ts'
import type { FillOfNothing, Series } from './metric-math.ts'
import { orders, watched } from './options.ts'

const alarms = consumerResources(orders, watched)
const alarm = (id: string): Alarm => alarms[`Orders${id}Alarm`]?.Properties as unknown as Alarm

type Stretch = readonly [value: number | undefined, minutes: number]

/** `minutes([0, 3], [2, 4])`: three minutes of 0, four of 2. */
const minutes = (...parts: Stretch[]): Series => parts.flatMap(([value, count]) => Array<number | undefined>(count).fill(value))
const nothing = undefined

const depth = minutes
/** The dead-letter queue as SQS shows it: what redrive sends is counted, what SQS itself moves is not (F95). */
function letters(visible: Series, sentAt: readonly number[] = []) {
  const sent = visible.map((value, minute) => (value === undefined ? undefined : sentAt.filter((at) => at === minute).length))
  return { ApproximateNumberOfMessagesVisible: visible, NumberOfMessagesSent: sent }
}

const everyCircumstance: readonly Circumstances[] = [0, 1, 2].flatMap((late) =>
  (['fills', 'stays empty'] as const).map((fillOfNothing: FillOfNothing) => ({ late, fillOfNothing })),
)

/** The rings, with what is late taken off: the same in each circumstance, or the test has failed. */
function ringsAnyway(id: string, data: Readonly<Record<string, Series>>): number[] {
  const [first = [], ...others] = everyCircumstance.map((circumstance) =>
    rings(alarm(id), data, circumstance).map((minute) => minute - (circumstance.late ?? 0)),
  )
  for (const other of others) assert.deepEqual(other, first)
  return first
}

/** It rings once, in that time, in each circumstance: for periods of five minutes, of which lateness takes some off. */
function ringsOnce(id: string, data: Data, from: number, to: number, circumstances = everyCircumstance): void {
  for (const circumstance of circumstances) {
    const { late = 0, fillOfNothing } = circumstance
    const [at = -1, ...more] = rings(alarm(id), data, circumstance)
    const said = `${id} rings at ${[at, ...more]}, ${late} late, FILL of nothing ${fillOfNothing}`
    assert.ok(more.length === 0 && at >= from && at <= to + late, said)
  }
}

describe('dead letters', () => {
  const id = 'DeadLetters'

  it('ring with the first letter, and stop when the queue is drained', () => {
    const all = states(alarm(id), letters(depth([0, 3], [1, 5], [0, 3])))
    assert.deepEqual(all, [...Array(3).fill('OK'), ...Array(5).fill('ALARM'), ...Array(3).fill('OK')])
  })

  it('stay on where the queue falls silent with a letter in it (F100)', () => {
    const all = states(alarm(id), letters(depth([0, 3], [1, 5], [nothing, 600])))
    assert.equal(all.at(-1), 'ALARM')
  })

  it('ring again for the next letter after a drained queue', () =>
    assert.deepEqual(ringsAnyway(id, letters(depth([0, 3], [1, 5], [0, 10], [1, 10]))), [3, 18]))

  it('do not ring for a quiet queue, whose metrics are not there', () =>
    assert.deepEqual(ringsAnyway(id, letters(depth([nothing, 60]))), []))
})

describe('growth of dead letters', () => {
  const id = 'DeadLettersGrow'

  it('rings from 1 to 2, and again from 2 to 3, while the alarm of the first letter is silent (B40)', () => {
    const data = letters(depth([0, 5], [1, 20], [2, 20], [3, 20]), [5, 25, 45])
    assert.deepEqual(ringsAnyway(id, data), [25, 45])
    assert.deepEqual(ringsAnyway('DeadLetters', data), [5])
  })

  it('rings for what SQS itself moves, which is not counted as sent', () =>
    assert.deepEqual(ringsAnyway(id, letters(depth([0, 5], [1, 20], [2, 20]))), [25]))

  it('rings once for many letters in a row', () =>
    assert.deepEqual(ringsAnyway(id, letters(depth([0, 5], [1, 10], [2, 1], [5, 1], [9, 1], [40, 20]))), [15]))

  it('leaves the first letter to the other alarm', () =>
    assert.deepEqual(ringsAnyway(id, letters(depth([0, 5], [1, 20]), [5])), []))

  it('is silent while the queue is drained, and for the first letter after that', () =>
    assert.deepEqual(ringsAnyway(id, letters(depth([7, 10], [4, 3], [1, 3], [0, 20], [1, 10]), [36])), []))

  it('is silent while letters are replayed', () =>
    assert.deepEqual(ringsAnyway(id, letters(depth([9, 10], [6, 1], [3, 1], [0, 30]))), []))

  it('rings where some come back during a replay', () =>
    assert.deepEqual(ringsAnyway(id, letters(depth([9, 10], [4, 1], [6, 20]), [11])), [11]))

  it('makes no jump of a gap in the data', () =>
    assert.deepEqual(ringsAnyway(id, letters(depth([3, 10], [nothing, 2], [3, 10], [nothing, 60], [3, 10]))), []))

  it('sees growth behind a short gap', () =>
    assert.deepEqual(ringsAnyway(id, letters(depth([1, 10], [nothing, 2], [2, 10]))), [12]))

  for (const circumstance of everyCircumstance) {
    const { late = 0, fillOfNothing } = circumstance
    it(`sees a letter of redrive's after hours of silence, ${late} minutes late, where FILL of nothing ${fillOfNothing}`, () => {
      const data = letters(depth([1, 10], [nothing, 400], [2, 10]), [410])
      const [first = 0, ...more] = rings(alarm(id), data, circumstance)
      assert.ok(first - late >= 410 && first - late <= 411, `at ${first}`)
      assert.deepEqual(more, [])
    })
  }

  it('is silent where somebody only looks at letters after hours of silence', () =>
    assert.deepEqual(ringsAnyway(id, letters(depth([3, 10], [nothing, 400], [3, 10]))), []))
})

describe('sends to the dead-letter queue that fail', () => {
  it('ring at once, and once while they go on every 15 minutes', () => {
    const failed = minutes([nothing, 5], [1, 1], [nothing, 14], [1, 1], [nothing, 14], [1, 1], [nothing, 40])
    assert.deepEqual(ringsAnyway('DeadLetterSends', { dead_letter_failed: failed }), [5])
    assert.equal(states(alarm('DeadLetterSends'), { dead_letter_failed: failed }).at(-1), 'OK')
  })
})

describe('stalled', () => {
  const day = 86_400
  const fifth = (3 * day) / 5

  it('by age: a message that has waited for more than a fifth of its time, once while it comes every 15 minutes', () => {
    const old = minutes([nothing, 5], [fifth + 1, 1], [nothing, 14], [fifth + 900, 1], [nothing, 14], [fifth + 1800, 1])
    assert.deepEqual(ringsAnyway('StalledByAge', { message_age: old }), [5])
  })

  it('by age: silent below that', () => assert.deepEqual(ringsAnyway('StalledByAge', { message_age: minutes([fifth, 120]) }), []))

  it('all messages parked for an hour, the dead-letter queue empty: rings within a quarter, the alarms of letters do not', () => {
    // Good work for half an hour; then two messages are put off, each seen 4 or 5 minutes apart, as the jitter of 300 seconds has it.
    const seen = new Set(Array.from({ length: 28 }, (_, half) => Math.floor(half * 2.25)))
    const parked = Array.from({ length: 60 }, (_, minute) => (seen.has(minute) ? 1 : nothing))
    const data = {
      ...letters(depth([0, 90])),
      done: minutes([40, 30], [nothing, 60]),
      deferred: [...minutes([nothing, 30]), ...parked],
      store_failed: [...minutes([nothing, 30]), ...parked],
    }
    assert.deepEqual(ringsAnyway('DeadLetters', data), [])
    assert.deepEqual(ringsAnyway('DeadLettersGrow', data), [])
    ringsOnce('StalledByStore', data, 40, 46)
    // Where FILL leaves nothing empty this one waits for a "done" of 0, which the runtime does not publish yet; see below.
    ringsOnce(
      'StalledUndone',
      data,
      40,
      46,
      everyCircumstance.filter(({ fillOfNothing }) => fillOfNothing === 'fills'),
    )
    for (const id of ['StalledByStore', 'StalledUndone']) assert.equal(states(alarm(id), data).at(-1), 'ALARM', id)
  })

  it('by age, where the only message is parked and nothing else comes', () => {
    const data = { message_age: minutes([nothing, 10], [40_000, 1], [nothing, 14], [60_000, 1], [nothing, 14], [60_900, 1]) }
    ringsOnce('StalledByAge', data, 25, 25)
  })

  it('put off with work done beside it: silent', () => {
    const data = { deferred: minutes([5, 60]), done: minutes([1, 60]) }
    assert.deepEqual(ringsAnyway('StalledUndone', data), [])
  })

  it('put off once, without work: silent', () => {
    const data = { deferred: minutes([nothing, 10], [1, 1], [nothing, 30]), done: minutes([nothing, 41]) }
    assert.deepEqual(ringsAnyway('StalledUndone', data), [])
  })

  it('a table that is out of reach for a moment: silent', () => {
    const failed = minutes([nothing, 10], [9, 2], [nothing, 30])
    assert.deepEqual(ringsAnyway('StalledByStore', { store_failed: failed }), [])
  })

  it('a table that is out of reach for a moment, and again half an hour later, and again: silent', () => {
    const failed = minutes([nothing, 10], [9, 2], [nothing, 28], [9, 2], [nothing, 28], [9, 2], [nothing, 28])
    assert.deepEqual(ringsAnyway('StalledByStore', { store_failed: failed }), [])
  })

  it('is over when work is done again', () => {
    const data = { deferred: minutes([5, 30], [nothing, 30]), done: minutes([nothing, 30], [9, 30]) }
    assert.equal(states(alarm('StalledUndone'), data).at(-1), 'OK')
  })

  it('needs no answer to what FILL makes of nothing where "done" is published as 0', () => {
    const data = { deferred: minutes([5, 30]), done: minutes([0, 30]) }
    ringsOnce('StalledUndone', data, 10, 12)
  })
})
