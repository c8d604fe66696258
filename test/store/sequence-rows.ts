/** Conformance: whatever several runs do in whatever order, the store agrees with the rules, and one run at most owns the key. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { acquired, decide, ended, endRefused, endsFrom, fresh, HISTORY_LENGTH } from '../../src/flow/lease.ts'
import type { BeginRequest, BeginResult, EndRequest, EndResult } from '../../src/flow/ports.ts'
import type { LeaseRecord } from '../../src/flow/record.ts'
import { ask, type Bench, endings, newKey, now } from './bench.ts'

const action = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('begin' as const),
      message: fc.constantFrom('m1', 'm1 replayed', 'm2'),
      fingerprint: fc.constantFrom('A', 'A', 'B', ''),
      leaseMs: fc.constantFrom(0, 10_000, 30_000),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('end' as const), run: fc.nat(), ending: fc.constantFrom(...Object.values(endings)) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('begin again' as const), run: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('give back' as const), run: fc.nat() }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 9_999, 10_000, 30_000, 61_000) }),
  },
)

type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never

/** The rules on one record in a variable: what each store must agree with. */
function model() {
  let record: LeaseRecord | undefined
  return {
    get record() {
      return record
    },
    begin(request: BeginRequest): BeginResult {
      const decision = record ? decide(record, request) : ({ is: 'take-over', record: fresh(request) } as const)
      if (decision.is !== 'take-over') return decision
      record = decision.record
      return acquired(record)
    },
    end(request: EndRequest): EndResult {
      if (record?.run !== request.record.run || record.state !== endsFrom(request.to)) return endRefused(request, record)
      record = { ...record, ...ended(request) }
      return { is: 'stored' }
    },
  }
}

export function sequenceRows(bench: () => Bench, sequences: number): void {
  test('random begins, ends, repeats and waits of several runs', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 25 }), (actions) => play(bench(), actions)),
      { numRuns: sequences },
    )
  })
}

async function play(bench: Bench, actions: readonly Action[]): Promise<void> {
  const id = newKey()
  const rules = model()
  const owners = ownership()
  const runs: { request: BeginRequest; record: LeaseRecord }[] = []
  let time = now
  const expiresAt = () => Math.ceil(time / 1000) + 60

  async function begin(request: BeginRequest): Promise<void> {
    const result = await bench.store.begin(request)
    assert.deepEqual(result, rules.begin(request))
    if (result.is === 'acquired') {
      owners.began(request, result.record)
      runs.push({ request, record: result.record })
    }
    if (result.is === 'undelivered') await end({ to: 'delivered', record: result.record, now: time, expiresAt: expiresAt() })
  }

  async function end(request: EndRequest): Promise<void> {
    const result = await bench.store.end(request)
    assert.deepEqual(result, rules.end(request))
    if (result.is === 'stored' && request.to !== 'cut') owners.ended(request.record.run, request)
  }

  async function act(one: Action): Promise<void> {
    if (one.do === 'wait') {
      time += one.ms
      return
    }
    if (one.do === 'begin') {
      const firstMessageId = one.message.slice(0, 2)
      const lease = { now: time, leaseUntil: time + one.leaseMs, expiresAt: expiresAt() }
      return begin(ask(id, { messageId: one.message, firstMessageId, fingerprint: one.fingerprint, ...lease }))
    }
    const of = runs[one.run % runs.length]
    if (!of) return
    if (one.do === 'begin again') return begin({ ...of.request, now: time, expiresAt: expiresAt() })
    if (one.do === 'end') return end({ record: of.record, now: time, expiresAt: expiresAt(), ...one.ending })
    const back = { id, run: of.request.run, now: time, expiresAt: expiresAt() }
    await bench.store.giveBack(back)
    const seen = rules.record
    if (seen?.run === back.run && seen.state === 'running') {
      rules.end({ to: 'released', record: seen, now: time, expiresAt: back.expiresAt })
      owners.ended(back.run)
    }
  }

  for (const one of actions) {
    await act(one)
    const record = await bench.store.read(id)
    assert.deepEqual(record, rules.record)
    if (record) sane(record)
  }
}

function sane(record: LeaseRecord): void {
  assert.ok(record.open >= 0 && record.open <= record.attempts, `open ${record.open} of attempts ${record.attempts}`)
  assert.ok(record.history.length <= HISTORY_LENGTH)
  assert.ok(record.letter === '' || record.state === 'dead')
}

/** Who may think that the key is its own: known from answers alone, not from the record. */
function ownership() {
  let owner: { run: string; until: number } | undefined
  let doneUntil = 0
  return {
    began(request: BeginRequest, record: LeaseRecord) {
      assert.ok(request.now >= doneUntil, 'work that is done begins again')
      if (owner && owner.run !== request.run) assert.ok(owner.until <= request.now, 'two runs own the key')
      owner = { run: request.run, until: record.freeAt }
    },
    ended(run: string, request?: EndRequest) {
      if (owner?.run !== run) return
      owner = undefined
      if (request?.to === 'done') doneUntil = request.expiresAt * 1000
    },
  }
}
