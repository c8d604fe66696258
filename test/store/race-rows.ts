/** Conformance: parallel calls on one key. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type LeaseRecord, NEVER } from '../../src/flow/record.ts'
import { acquire, ask, type Bench, end, endings, leaseMs, newKey, now, recordOf } from './bench.ts'

const twelve = Array.from({ length: 12 })

export function raceRows(bench: () => Bench): void {
  const starts: Record<string, { record?: Partial<LeaseRecord>; ask: Parameters<typeof ask>[1]; attempts: number }> = {
    'a new key': { ask: {}, attempts: 1 },
    'a failed one': { record: { state: 'failed', freeAt: 0 }, ask: {}, attempts: 2 },
    'one whose lease is over': { record: { freeAt: now }, ask: {}, attempts: 2 },
    'a dead one, replayed': { record: { state: 'dead', freeAt: NEVER }, ask: { messageId: 'm2' }, attempts: 1 },
    'an expired one': { record: { state: 'done', freeAt: now, expiresAt: now / 1000 }, ask: {}, attempts: 1 },
    'a failed one with an edited body': { record: { state: 'failed', freeAt: 0 }, ask: { fingerprint: 'B' }, attempts: 2 },
  }
  for (const [name, start] of Object.entries(starts)) {
    test(`twelve begins at once of ${name}: one wins, the others are busy until its lease ends`, async () => {
      const id = newKey()
      if (start.record) await bench().plant(recordOf(id, start.record))
      const results = await Promise.all(twelve.map(() => bench().store.begin(ask(id, start.ask))))
      const winners = results.filter((result) => result.is === 'acquired')
      assert.equal(winners.length, 1)
      const losers = results.filter((result) => result.is !== 'acquired')
      assert.deepEqual(losers, Array(11).fill({ is: 'busy', until: now + leaseMs }))
      assert.deepEqual(await bench().store.read(id), winners[0]?.record)
      assert.equal(winners[0]?.record.attempts, start.attempts)
    })
  }

  test('twelve copies at once of one begin: each is told it holds the lease, counted once', async () => {
    const request = ask(newKey())
    const results = await Promise.all(twelve.map(() => bench().store.begin(request)))
    assert.deepEqual(results, Array(12).fill({ is: 'acquired', record: recordOf(request.id, { run: request.run }), open: 0 }))
  })

  test('an end and a take-over at once: the work is done, or the lease is lost, never both', async () => {
    const { record } = await acquire(bench(), ask(newKey()))
    const [ended, begun] = await Promise.all([
      end(bench(), record, endings.done),
      bench().store.begin(ask(record.id, { now: record.freeAt })),
    ])
    assert.deepEqual([ended.is, begun.is], ended.is === 'stored' ? ['stored', 'done'] : ['lost', 'acquired'])
  })

  test('an end and a give-back at once leave an ended record', async () => {
    const { record } = await acquire(bench(), ask(newKey()))
    const back = { id: record.id, run: record.run, now, expiresAt: record.expiresAt }
    await Promise.all([end(bench(), record, endings.done), bench().store.giveBack(back)])
    const after = await bench().store.read(record.id)
    assert.deepEqual([after?.open, ['done', 'failed'].includes(after?.state ?? '')], [0, true])
  })
}
