import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LeaseRecord } from '../../src/flow/record.ts'
import { memoryStore } from '../../src/memory-store.ts'
import { storeConformance } from '../conformance/store.ts'
import { acquire, ask, end, endings, expiresAt, leaseMs, newKey, now, recordOf } from './bench.ts'

function openBench(limit?: number) {
  const records = new Map<string, LeaseRecord>()
  const store = memoryStore({ records, ...(limit === undefined ? {} : { limit }) })
  const plant = async (record: LeaseRecord) => {
    records.set(record.id, structuredClone(record))
  }
  return { store, plant, records }
}

storeConformance('memory store', async () => openBench(), 1000)

describe('memory store: what it keeps', () => {
  test('a begin drops what has expired, of any key', async () => {
    const bench = openBench()
    const { record } = await acquire(bench, ask(newKey()))
    await end(bench, record, endings.done)
    const other = await acquire(bench, ask(newKey(), { now: expiresAt * 1000, expiresAt: expiresAt + 60 }))
    assert.deepEqual([...bench.records.keys()], [other.record.id])
  })

  test('beyond the limit the record written longest ago goes', async () => {
    const bench = openBench(2)
    const [a, b, c] = [newKey(), newKey(), newKey()]
    const first = await acquire(bench, ask(a))
    await end(bench, (await acquire(bench, ask(b))).record, endings.done)
    await end(bench, first.record, endings.done)
    await acquire(bench, ask(c))
    assert.deepEqual([...bench.records.keys()], [a, c])
  })

  test('a run that holds its lease is never dropped; one whose lease is over is', async () => {
    const bench = openBench(1)
    const [a, b] = [newKey(), newKey()]
    await acquire(bench, ask(a))
    await acquire(bench, ask(b))
    assert.equal(bench.records.size, 2)
    const later = await acquire(bench, ask(newKey(), { now: now + leaseMs }))
    assert.deepEqual([...bench.records.keys()], [later.record.id])
  })

  test('an aborted signal stops a call before it changes anything', async () => {
    const bench = openBench()
    const record = recordOf(newKey())
    await bench.plant(record)
    const stopped = AbortSignal.abort(new Error('no time left'))
    const { store } = bench
    const back = { id: record.id, run: record.run, now, expiresAt }
    await assert.rejects(store.begin(ask(newKey()), stopped), /no time left/)
    await assert.rejects(store.end({ to: 'done', record, now, expiresAt }, stopped), /no time left/)
    await assert.rejects(store.giveBack(back, stopped), /no time left/)
    await assert.rejects(store.read(record.id, stopped), /no time left/)
    assert.deepEqual([...bench.records.values()], [record])
  })
})
