/** Conformance: one test a row of how an owner ends its run. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type LeaseRecord, NEVER } from '../../src/flow/record.ts'
import {
  acquire,
  ask,
  type Bench,
  end,
  endings,
  expiresAt,
  holds,
  leaseMs,
  newKey,
  note,
  now,
  recordOf,
  refuses,
} from './bench.ts'

const before: Partial<LeaseRecord> = {
  state: 'failed',
  freeAt: 0,
  attempts: 3,
  open: 0,
  retryable: 1,
  unknown: 1,
  history: [note('e1'), note('e2')],
  steps: { charge: '7' },
}
const withNote = [note('e1'), note('e2'), note('e')]

/** What each ending changes in a record whose begin gave attempts 4, open 1. */
const changes: Record<keyof typeof endings, Partial<LeaseRecord>> = {
  done: { state: 'done', freeAt: (expiresAt + 60) * 1000, open: 0 },
  'failed as retryable': { state: 'failed', freeAt: 0, open: 0, retryable: 2, history: withNote },
  'failed as unknown': { state: 'failed', freeAt: 0, open: 0, unknown: 2, history: withNote },
  'cut, an attempt': { open: 0, history: withNote },
  'cut, no attempt': { open: 0, attempts: 3, history: withNote },
  released: { state: 'failed', freeAt: 0, attempts: 3, open: 0 },
  dead: { state: 'dead', freeAt: NEVER, open: 0, history: withNote },
  'dead, the letter still here': { state: 'dead', freeAt: NEVER, open: 0, letter: '{"reason":"permanent"}' },
}

const names = Object.keys(endings) as (keyof typeof endings)[]

export function endRows(bench: () => Bench): void {
  async function begun(): Promise<LeaseRecord> {
    const record = recordOf(newKey(), before)
    await bench().plant(record)
    return (await acquire(bench(), ask(record.id))).record
  }

  for (const name of names) {
    test(`${name}: stored`, async () => {
      const record = await begun()
      assert.deepEqual(await end(bench(), record, endings[name], { expiresAt: expiresAt + 60 }), { is: 'stored' })
      await holds(bench(), record.id, { ...record, ...changes[name], expiresAt: expiresAt + 60 })
    })

    test(`${name}: twice (an answer was lost) is stored once`, async () => {
      const record = await begun()
      await end(bench(), record, endings[name])
      const after = await bench().store.read(record.id)
      assert.deepEqual(await end(bench(), record, endings[name]), { is: 'stored' })
      await holds(bench(), record.id, after)
    })

    test(`${name}: by the old owner after a take-over is lost, and changes nothing`, async () => {
      const record = await begun()
      const next = await acquire(bench(), ask(record.id, { now: now + leaseMs }))
      assert.deepEqual(await end(bench(), record, endings[name]), { is: 'lost', seen: next.record })
      await holds(bench(), record.id, next.record)
    })

    test(`${name}: of a record that is gone is lost, and creates nothing`, async () => {
      const record = recordOf(newKey())
      assert.deepEqual(await end(bench(), record, endings[name]), { is: 'lost', seen: undefined })
      await holds(bench(), record.id, undefined)
    })

    test(`${name}: after the own lease, which nobody took, is stored`, async () => {
      const { record } = await acquire(bench(), ask(newKey(), { leaseUntil: now }))
      assert.deepEqual(await end(bench(), record, endings[name]), { is: 'stored' })
    })
  }

  lateRows(bench, begun)
  cutRows(bench)
  letterRows(bench)
  countRows(bench)
  giveBackRows(bench)
}

function lateRows(bench: () => Bench, begun: () => Promise<LeaseRecord>): void {
  for (const [first, late] of [
    ['done', 'cut, an attempt'],
    ['done', 'failed as unknown'],
    ['done', 'released'],
    ['failed as retryable', 'cut, an attempt'],
    ['failed as retryable', 'done'],
    ['dead', 'cut, no attempt'],
    ['dead', 'failed as retryable'],
    ['dead', 'released'],
  ] as const) {
    test(`${late} that comes after ${first} of the same run is lost, and changes nothing`, async () => {
      const record = await begun()
      await end(bench(), record, endings[first])
      const after = await bench().store.read(record.id)
      assert.deepEqual(await end(bench(), record, endings[late]), { is: 'lost', seen: after })
      await holds(bench(), record.id, after)
    })
  }
}

function cutRows(bench: () => Bench): void {
  test('cut: the lease stays; when it is over the next run finds no open end', async () => {
    const { record } = await acquire(bench(), ask(newKey()))
    await end(bench(), record, endings['cut, no attempt'])
    await refuses(bench(), ask(record.id), { is: 'busy', until: record.freeAt })
    const next = await acquire(bench(), ask(record.id, { now: record.freeAt }))
    assert.deepEqual([next.open, next.record.attempts, next.record.history], [0, 1, [note('e')]])
  })

  test('cut, then done after all: done, and it was an attempt', async () => {
    const { record } = await acquire(bench(), ask(newKey()))
    await end(bench(), record, endings['cut, no attempt'])
    assert.deepEqual(await end(bench(), record, endings.done), { is: 'stored' })
    await holds(bench(), record.id, { ...record, ...changes.done, freeAt: expiresAt * 1000, history: [note('e')] })
  })

  test('cut, taken by the next run, then done after all: lost', async () => {
    const { record } = await acquire(bench(), ask(newKey()))
    await end(bench(), record, endings['cut, an attempt'])
    const next = await acquire(bench(), ask(record.id, { now: record.freeAt }))
    assert.deepEqual(await end(bench(), record, endings.done), { is: 'lost', seen: next.record })
  })
}

function letterRows(bench: () => Bench): void {
  const kept = { state: 'dead', freeAt: NEVER, open: 0, letter: '{}' } as const

  test('delivered: the letter is gone, twice as once, and the message is a duplicate from then on', async () => {
    const record = recordOf(newKey(), kept)
    await bench().plant(record)
    const found = await bench().store.begin(ask(record.id))
    assert.deepEqual(found, { is: 'undelivered', record })
    for (const _ of [1, 2]) assert.deepEqual(await end(bench(), record, { to: 'delivered' }), { is: 'stored' })
    await holds(bench(), record.id, { ...record, letter: '' })
    await refuses(bench(), ask(record.id), { is: 'dead' })
  })

  test('delivered, when another message has taken the record over: lost, and changes nothing', async () => {
    const record = recordOf(newKey(), kept)
    await bench().plant(record)
    const next = await acquire(bench(), ask(record.id, { messageId: 'm2' }))
    assert.deepEqual(await end(bench(), record, { to: 'delivered' }), { is: 'lost', seen: next.record })
    await holds(bench(), record.id, next.record)
  })

  test('delivered, while the run still holds the lease: lost, and changes nothing', async () => {
    const { record } = await acquire(bench(), ask(newKey()))
    assert.deepEqual(await end(bench(), record, { to: 'delivered' }), { is: 'lost', seen: record })
    await holds(bench(), record.id, record)
  })
}

function countRows(bench: () => Bench): void {
  test('twelve failures: twelve attempts, the last ten notes', async () => {
    const id = newKey()
    for (let attempt = 1; attempt <= 12; attempt++) {
      const { record } = await acquire(bench(), ask(id))
      await end(bench(), record, { to: 'failed', verdict: attempt % 2 ? 'retryable' : 'unknown', note: note(`e${attempt}`) })
    }
    const record = await bench().store.read(id)
    assert.deepEqual([record?.attempts, record?.retryable, record?.unknown], [12, 6, 6])
    assert.deepEqual(
      record?.history,
      [3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map((attempt) => note(`e${attempt}`)),
    )
  })

  test('failed, crashed, failed: a failure ends the row of open ends', async () => {
    const id = newKey()
    await end(bench(), (await acquire(bench(), ask(id))).record, endings['failed as retryable'])
    await acquire(bench(), ask(id))
    const third = await acquire(bench(), ask(id, { now: now + leaseMs }))
    assert.deepEqual([third.open, third.record.attempts, third.record.retryable], [1, 3, 1])
    await end(bench(), third.record, endings['failed as unknown'])
    const fourth = await acquire(bench(), ask(id))
    assert.deepEqual([fourth.open, fourth.record.attempts, fourth.record.unknown], [0, 4, 1])
  })

  test('released: the next begin is the same attempt, with the same open ends', async () => {
    const crashed = recordOf(newKey(), { freeAt: now, attempts: 2, open: 2 })
    await bench().plant(crashed)
    const first = await acquire(bench(), ask(crashed.id))
    await end(bench(), first.record, endings.released)
    const again = await acquire(bench(), ask(crashed.id))
    assert.deepEqual([again.open, again.record.attempts], [first.open, first.record.attempts])
    assert.equal(first.open, 2)
  })

  test('done: the record outlives its work until it expires', async () => {
    const { record } = await acquire(bench(), ask(newKey()))
    await end(bench(), record, endings.done)
    await refuses(bench(), ask(record.id, { now: expiresAt * 1000 - 1 }), { is: 'done' })
    const next = await acquire(bench(), ask(record.id, { now: expiresAt * 1000, expiresAt: expiresAt + 60 }))
    assert.deepEqual(next.record.attempts, 1)
  })
}

function giveBackRows(bench: () => Bench): void {
  const back = { now: now + 1000, expiresAt: expiresAt + 60 }

  test('given back: a begin that was stored is undone', async () => {
    const { record } = await acquire(bench(), ask(newKey()))
    for (const _ of [1, 2]) await bench().store.giveBack({ id: record.id, run: record.run, ...back })
    await holds(bench(), record.id, { ...record, ...changes.released, attempts: 0, expiresAt: expiresAt + 60 })
  })

  test('given back: a begin that was never stored leaves the other run alone', async () => {
    const { record } = await acquire(bench(), ask(newKey()))
    await bench().store.giveBack({ id: record.id, run: 'another', ...back })
    await holds(bench(), record.id, record)
  })

  test('given back: nothing there, nothing created', async () => {
    const id = newKey()
    await bench().store.giveBack({ id, run: 'mine', ...back })
    await holds(bench(), id, undefined)
  })

  for (const name of ['done', 'failed as retryable', 'released', 'dead'] as const) {
    test(`given back: ${name} by this run stays`, async () => {
      const { record } = await acquire(bench(), ask(newKey()))
      await end(bench(), record, endings[name])
      const after = await bench().store.read(record.id)
      await bench().store.giveBack({ id: record.id, run: record.run, ...back })
      await holds(bench(), record.id, after)
    })
  }
}
