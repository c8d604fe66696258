/** Two messages of one batch with one key: the later one waits for the first, without a place of its own. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PermanentError, RetryableError } from '../../src/index.ts'
import { recordedQueue } from '../../src/testing/index.ts'
import { bench, byId, evidenceOf, hang, throwing } from './harness.ts'

const key = () => 'order-1'

test('the first is done: the later ones are duplicates, however few places there are', async () => {
  for (const concurrency of [1, 2, 50]) {
    const one = bench(() => new Promise((done) => void one.clock.after(200, () => done(undefined))), { key, concurrency })
    assert.deepEqual(await one.invoke(['m1', 'm2', 'm3']), [])
    assert.deepEqual([one.ran, one.counts['done'], one.counts['duplicate']], [['m1'], 1, 2])
  }
})

test('who waits for the first holds no place: others run meanwhile', async () => {
  const started: string[] = []
  const one = bench(
    (_payload, { id }) => {
      started.push(`${id} at ${one.clock.now() - from}`)
      return new Promise((done) => void one.clock.after(200, () => done(undefined)))
    },
    { key: (_payload, { id }) => (id === 'm3' ? 'another' : 'order-1'), concurrency: 2 },
  )
  const from = one.clock.now()
  assert.deepEqual(await one.invoke(['m1', 'm2', 'm3']), [])
  assert.deepEqual(started, ['m1 at 0', 'm3 at 0'])
})

test('the first fails: the later ones are busy, with its visibility timeout, and were no attempt', async () => {
  const one = bench(throwing(new RetryableError('down', { retryAfter: 100 })), { key })
  assert.deepEqual(await one.invoke(['m1', 'm2', 'm3']), ['m1', 'm2', 'm3'])
  assert.deepEqual(one.hidden(), [
    ['m1', 110],
    ['m2', 110],
    ['m3', 110],
  ])
  assert.deepEqual([one.ran, one.record().attempts, one.counts['busy']], [['m1'], 1, 2])
})

test('the first is cut: the later ones are busy until its lease ends', async () => {
  const one = bench(hang, { key })
  assert.deepEqual(await one.invoke(['m1', 'm2']), ['m1', 'm2'])
  assert.deepEqual(one.hidden(), [
    ['m1', 9],
    ['m2', 9],
  ])
})

test('the first dies and is a letter: the next has its own turn', async () => {
  const one = bench(byId({ m1: throwing(new PermanentError('no')) }), { key })
  assert.deepEqual(await one.invoke(['m1', 'm2', 'm3']), [])
  assert.deepEqual([one.ran, one.queue.letters.length, one.counts['duplicate'], one.record().state], [['m1', 'm2'], 1, 1, 'done'])
})

test('the first dies and stays: the later ones are busy, with its visibility timeout', async () => {
  const queue = recordedQueue((action) => (action === 'bury' ? { is: 'refused', code: 'X', message: 'no' } : { is: 'accepted' }))
  const one = bench(throwing(new PermanentError('no')), { key }, { queue })
  assert.deepEqual(await one.invoke(['m1', 'm2']), ['m1', 'm2'])
  assert.deepEqual(
    [one.ran, one.hidden(), one.counts['busy']],
    [
      ['m1'],
      [
        ['m1', 2],
        ['m2', 2],
      ],
      1,
    ],
  )
})

test('another payload under that key: permanent, loud, and the first is as it was', async () => {
  for (const [first, state] of [
    [() => {}, 'done'],
    [throwing(new RetryableError('down')), 'failed'],
  ] as const) {
    const one = bench(byId({ m1: first }), { key })
    await one.invoke([
      { messageId: 'm1', body: { n: 1 } },
      { messageId: 'm2', body: { n: 2 } },
    ])
    assert.deepEqual([one.ran, one.record().state, one.record().messageId], [['m1'], state, 'm1'])
    assert.deepEqual(
      [evidenceOf(one.queue.letters[0]).messageId, evidenceOf(one.queue.letters[0]).rule],
      ['m2', 'message.fingerprint'],
    )
  }
})

test('a busy one waits no longer than until it is too old itself', async () => {
  const one = bench(byId({ m1: throwing(new RetryableError('down', { retryAfter: 900 })) }), { key, maxAge: 3600 })
  await one.invoke(['m1', { messageId: 'm2', sentAt: one.clock.now() - 3_590_000 }])
  assert.ok((one.hidden().find(([id]) => id === 'm2')?.[1] ?? 0) <= 10, JSON.stringify(one.hidden()))
})

test('without a store nothing is the same work: both run', async () => {
  const one = bench(() => {}, { key, store: false })
  assert.deepEqual([await one.invoke(['m1', 'm2']), one.ran], [[], ['m1', 'm2']])
})

test('across FIFO groups that wait for each other crosswise: all end', async () => {
  const one = bench(() => {}, { key: (payload) => (payload as { key: string }).key })
  const at = (messageId: string, groupId: string, key: string) => ({ messageId, groupId, queue: 'orders.fifo', body: { key } })
  assert.deepEqual(await one.invoke([at('a1', 'a', 'x'), at('a2', 'a', 'y'), at('b1', 'b', 'y'), at('b2', 'b', 'x')]), [])
  assert.deepEqual([one.counts['done'], one.counts['duplicate']], [2, 2])
})
