/** Functions and stores that take their time: nothing is lost, acknowledged in doubt, or asked again every second for ever. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atLeast } from '../../src/flow/backoff.ts'
import { deadlineOf } from '../../src/flow/deadline.ts'
import { memoryStore } from '../../src/index.ts'
import { seededRandom } from '../../src/testing/index.ts'
import { bench, hang } from './harness.ts'

const aged = (seconds: number, more: object = {}) => ({ messageId: 'm1', sentAt: Date.UTC(2026, 0, 1) - seconds * 1000, ...more })
const down = (): never => {
  throw Object.assign(new Error('down'), { code: 'ECONNREFUSED' })
}
const hangingStore = { ...memoryStore(), begin: () => hang() as never, giveBack: async () => {} }

test('an async key and an async fingerprint are awaited: another payload under one key is never skipped silently', async () => {
  const options = { key: async () => 'k', fingerprint: async (decoded: unknown) => (decoded as { v: number }).v }
  const one = bench(() => {}, options as never)
  const answer = await one.invoke([
    { messageId: 'm1', body: { v: 1 } },
    { messageId: 'm2', body: { v: 2 } },
  ])
  assert.deepEqual([one.ran, answer, one.queue.letters.length], [['m1'], [], 1])
})

test('an async fingerprint that rejects is this message’s failure, not the end of the process', async () => {
  const one = bench(() => {}, { fingerprint: async () => down() } as never)
  assert.deepEqual([await one.invoke(['m1', 'm2']), one.ran], [['m1', 'm2'], []])
})

test('a store that hangs at begin is out of reach: counted, with the backoff of receives, and too old is too old', async () => {
  const young = bench(() => {}, { store: hangingStore, maxAge: 100_000 })
  await young.invoke([{ messageId: 'm1', receiveCount: 9 }])
  assert.equal(young.counts['store_failed'], 1)
  assert.ok((young.hidden()[0]?.[1] ?? 0) >= 200)
  const old = bench(() => {}, { store: hangingStore, maxAge: 100 })
  assert.deepEqual([await old.invoke([aged(500)]), old.queue.letters.length], [[], 1])
})

test('a schema that hangs does not let a message outlive its age', async () => {
  const schema = { '~standard': { version: 1, vendor: 'x', validate: () => hang() as never } } as const
  const one = bench(() => {}, { schema, maxAge: 100 } as never)
  assert.deepEqual([await one.invoke([aged(500)]), one.queue.letters.length], [[], 1])
})

test('one key, two payloads, the store out of reach: both wait, neither is dead', async () => {
  const store = { ...memoryStore(), begin: () => Promise.reject(new Error('down')), giveBack: async () => {} }
  const one = bench(() => {}, { key: () => 'k', store })
  const answer = await one.invoke([
    { messageId: 'm1', body: { v: 1 } },
    { messageId: 'm2', body: { v: 2 } },
  ])
  assert.deepEqual([answer, one.queue.letters.length], [['m1', 'm2'], 0])
})

test('a too old message behind a live lease waits for its end, not for a second', async () => {
  const records = new Map()
  await bench(hang, { key: () => 'k', store: memoryStore({ records }) }).invoke(['m0'])
  const one = bench(() => {}, { key: () => 'k', store: memoryStore({ records }), maxAge: 100 })
  await one.invoke([aged(200)])
  assert.ok((one.hidden()[0]?.[1] ?? 0) >= 30)
})

test('a floor of one second has jitter too, and never less than the floor', () => {
  const random = seededRandom(7)
  const seen = new Set(Array.from({ length: 500 }, () => atLeast(1, random)))
  assert.deepEqual([...seen].sort(), [1, 2])
})

test('a remaining time beyond all timers is taken as twelve hours', () => {
  assert.equal(deadlineOf(0, Number.MAX_SAFE_INTEGER).endsAt, 43_200_000)
})

test('a handler that resolves just after its cut, before that is written, is done and no lost lease', async () => {
  const inner = memoryStore()
  const store: typeof inner = {
    ...inner,
    end: async (request) => {
      if (request.to === 'cut') await inner.end({ ...request, to: 'done' })
      return await inner.end(request)
    },
  }
  const one = bench(hang, { store })
  assert.deepEqual([await one.invoke(['m1']), one.counts['lease_lost'], one.counts['done']], [[], undefined, 1])
})
