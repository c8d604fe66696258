/** Conformance: one test a row of what a begin finds. */
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

const attempted = {
  attempts: 3,
  open: 1,
  retryable: 1,
  unknown: 1,
  history: [note('e1'), note('e2')],
  steps: { charge: '{"id":7}' },
}
const over = { freeAt: now }
const states = {
  running: { state: 'running' },
  'running, lease over': { state: 'running', ...over },
  failed: { state: 'failed', freeAt: 0, open: 0 },
  done: { state: 'done', freeAt: expiresAt * 1000, open: 0 },
  dead: { state: 'dead', freeAt: NEVER, open: 0 },
  'dead, the letter still here': { state: 'dead', freeAt: NEVER, open: 0, letter: '{}' },
} satisfies Record<string, Partial<LeaseRecord>>

type Planted = (changes: Partial<LeaseRecord>) => Promise<LeaseRecord>

export function beginRows(bench: () => Bench): void {
  /** A record in the table before the begin. */
  async function planted(changes: Partial<LeaseRecord>): Promise<LeaseRecord> {
    const record = recordOf(newKey(), { ...attempted, ...changes })
    await bench().plant(record)
    return record
  }

  newRows(bench)
  leaseRows(bench)

  for (const [name, state] of Object.entries({ failed: states.failed, 'running, lease over': states['running, lease over'] })) {
    test(`${name}: the next attempt, with counters, history and steps`, async () => {
      const record = await planted(state)
      const request = ask(record.id, { now: now + 5, messageId: 'm2', expiresAt: expiresAt + 9 })
      const open = record.open + 1
      const after = {
        ...record,
        state: 'running' as const,
        run: request.run,
        freeAt: now + 5 + leaseMs,
        attempts: 4,
        open,
        messageId: 'm2',
      }
      assert.deepEqual(await bench().store.begin(request), {
        is: 'acquired',
        record: { ...after, expiresAt: expiresAt + 9 },
        open: open - 1,
      })
      await holds(bench(), record.id, { ...after, expiresAt: expiresAt + 9 })
    })

    test(`${name}: the same message with an edited body goes on with the new fingerprint`, async () => {
      const record = await planted(state)
      const { record: after } = await acquire(bench(), ask(record.id, { fingerprint: 'B', messageId: 'm2' }))
      assert.deepEqual(
        [after.fingerprint, after.attempts, after.history, after.steps, after.retryable, after.unknown],
        ['B', 4, record.history, record.steps, 1, 1],
      )
    })

    test(`${name}: fingerprint switched off goes on and keeps the old one`, async () => {
      const record = await planted(state)
      const { record: after } = await acquire(bench(), ask(record.id, { fingerprint: '', messageId: 'm2', firstMessageId: 'm2' }))
      assert.deepEqual([after.fingerprint, after.attempts, after.steps], ['A', 4, record.steps])
    })

    test(`${name}: fingerprint switched on goes on and takes the new one`, async () => {
      const record = await planted({ ...state, fingerprint: '' })
      const { record: after } = await acquire(bench(), ask(record.id, { messageId: 'm2', firstMessageId: 'm2' }))
      assert.deepEqual([after.fingerprint, after.attempts, after.steps], ['A', 4, record.steps])
    })
  }

  refusedRows(bench, planted)
  deadRows(bench, planted)
  expiredRows(bench, planted)
}

function refusedRows(bench: () => Bench, planted: Planted): void {
  for (const name of ['running', 'running, lease over', 'failed', 'done'] as const) {
    test(`${name}: another message with another payload is a mismatch`, async () => {
      const record = await planted(states[name])
      await refuses(bench(), ask(record.id, { fingerprint: 'B', messageId: 'm2', firstMessageId: 'm2' }), {
        is: 'mismatch',
        record,
      })
    })
  }

  for (const [what, changes] of Object.entries({
    'the same message again': {},
    'another message with the same payload': { messageId: 'm2', firstMessageId: 'm2' },
    'the same message with an edited body': { messageId: 'm2', fingerprint: 'B' },
    'another message, fingerprint switched off': { messageId: 'm2', firstMessageId: 'm2', fingerprint: '' },
  })) {
    test(`done: ${what} is a duplicate`, async () => {
      const record = await planted(states.done)
      await refuses(bench(), ask(record.id, changes), { is: 'done' })
    })

    test(`running: ${what} is busy until the lease ends`, async () => {
      const record = await planted(states.running)
      await refuses(bench(), ask(record.id, changes), { is: 'busy', until: record.freeAt })
    })
  }
}

function newRows(bench: () => Bench): void {
  test('nothing there: the first attempt, a whole record', async () => {
    const request = ask(newKey())
    const record = recordOf(request.id, { run: request.run })
    assert.deepEqual(await bench().store.begin(request), { is: 'acquired', record, open: 0 })
    await holds(bench(), request.id, record)
  })

  test('nothing there: read finds nothing', async () => holds(bench(), newKey(), undefined))

  test('what a caller does with the records it was given changes nothing in the store', async () => {
    const request = ask(newKey())
    const first = await acquire(bench(), request)
    const before = structuredClone(first.record)
    const again = await acquire(bench(), request)
    const other = await bench().store.begin(ask(request.id, { fingerprint: 'B', messageId: 'm2', firstMessageId: 'm2' }))
    assert.equal(other.is, 'mismatch')
    for (const result of [first, again, other]) {
      if ('record' in result) Object.assign(result.record.steps, { charge: 'changed' })
    }
    await holds(bench(), request.id, before)
  })

  for (const odd of [`it's "q" ? ; -- #`, 'ключ/鍵', 'a\nb\\', '__proto__', 'k'.repeat(1900)]) {
    test(`odd key ${JSON.stringify(odd).slice(0, 30)}`, async () => {
      const request = ask(odd + newKey())
      const { record } = await acquire(bench(), request)
      await refuses(bench(), ask(request.id), { is: 'busy', until: record.freeAt })
      assert.deepEqual(await end(bench(), record, endings.done), { is: 'stored' })
      await refuses(bench(), ask(request.id), { is: 'done' })
    })
  }

  test('300 KB of steps with odd names come along to the next attempt', async () => {
    const steps = { 'a.b "c" \'d\' ?': '1', Größe: 'x'.repeat(300_000), empty: '' }
    const planted = recordOf(newKey(), { state: 'failed', freeAt: 0, open: 0, steps })
    await bench().plant(planted)
    const { record } = await acquire(bench(), ask(planted.id))
    assert.deepEqual(record.steps, steps)
    await end(bench(), record, endings.done)
    assert.deepEqual((await bench().store.read(record.id))?.steps, steps)
  })
}

function leaseRows(bench: () => Bench): void {
  test('running: busy up to the last millisecond of the lease, free at its end', async () => {
    const { record } = await acquire(bench(), ask(newKey(), { leaseUntil: now + 12_345 }))
    await refuses(bench(), ask(record.id, { now: now + 12_344 }), { is: 'busy', until: now + 12_345 })
    const next = await acquire(bench(), ask(record.id, { now: now + 12_345 }))
    assert.deepEqual([next.record.attempts, next.record.open, next.open], [2, 2, 1])
  })

  test('a lease with 0 ms left is a lease, over at once', async () => {
    const { record } = await acquire(bench(), ask(newKey(), { leaseUntil: now }))
    assert.equal(record.freeAt, now)
    assert.equal((await acquire(bench(), ask(record.id))).record.attempts, 2)
  })

  for (const [name, leaseUntil] of Object.entries({ 'its lease': now + leaseMs, 'a lease with 0 ms left': now })) {
    test(`the same run begins again with ${name} (an answer was lost): acquired, counted once`, async () => {
      const request = ask(newKey(), { leaseUntil })
      const first = await acquire(bench(), request)
      assert.deepEqual(await bench().store.begin(request), first)
      assert.deepEqual([first.record.attempts, first.open], [1, 0])
    })
  }

  test('the same run begins again after others whose end nobody wrote: open is not counted twice', async () => {
    const crashed = recordOf(newKey(), { freeAt: now, attempts: 2, open: 2 })
    await bench().plant(crashed)
    const request = ask(crashed.id)
    assert.deepEqual([(await acquire(bench(), request)).open, (await acquire(bench(), request)).open], [2, 2])
  })

  test('four runs, none of the first three with an end: open 3 at the fourth attempt', async () => {
    const id = newKey()
    const opens = []
    for (const start of [0, 40_000, 80_000, 120_000]) opens.push((await acquire(bench(), ask(id, { now: now + start }))).open)
    assert.deepEqual(opens, [0, 1, 2, 3])
  })
}

function deadRows(bench: () => Bench, planted: Planted): void {
  test('dead: the very message that died is a duplicate', async () => {
    const record = await planted(states.dead)
    await refuses(bench(), ask(record.id), { is: 'dead' })
  })

  test('dead with its letter: the very message that died is undelivered', async () => {
    const record = await planted(states['dead, the letter still here'])
    await refuses(bench(), ask(record.id), { is: 'undelivered', record })
  })

  for (const name of ['dead', 'dead, the letter still here'] as const) {
    for (const [what, changes] of Object.entries({
      'a replay (new id, same first id)': { messageId: 'm2' },
      'an edited replay': { messageId: 'm2', fingerprint: 'B' },
      'another message with another payload': { messageId: 'm2', firstMessageId: 'm2', fingerprint: 'B' },
    })) {
      test(`${name}: ${what} starts anew, with steps and history`, async () => {
        const record = await planted(states[name])
        const request = ask(record.id, changes)
        const after = recordOf(record.id, { ...changes, run: request.run, steps: record.steps, history: record.history })
        assert.deepEqual(await bench().store.begin(request), { is: 'acquired', record: after, open: 0 })
        await holds(bench(), record.id, after)
      })
    }
  }

  test('dead, replayed, dead again: that replay is a duplicate, the next one runs', async () => {
    const record = await planted(states.dead)
    const replay = await acquire(bench(), ask(record.id, { messageId: 'm2' }))
    await end(bench(), replay.record, endings.dead)
    await refuses(bench(), ask(record.id, { messageId: 'm2' }), { is: 'dead' })
    assert.equal((await acquire(bench(), ask(record.id, { messageId: 'm3' }))).record.attempts, 1)
  })
}

function expiredRows(bench: () => Bench, planted: Planted): void {
  for (const [name, state] of Object.entries(states)) {
    for (const [what, changes] of Object.entries({
      'the same message': {},
      'another payload': { messageId: 'm2', firstMessageId: 'm2', fingerprint: 'B' },
    })) {
      test(`${name}, expired and not yet deleted: ${what} starts anew with nothing of old`, async () => {
        const record = await planted({ ...state, expiresAt: now / 1000 })
        const request = ask(record.id, changes)
        const after = recordOf(record.id, { ...changes, run: request.run })
        assert.deepEqual(await bench().store.begin(request), { is: 'acquired', record: after, open: 0 })
        await holds(bench(), record.id, after)
      })
    }
  }

  test('expiry counts in whole seconds: the last one still holds', async () => {
    const record = await planted({ ...states.done, freeAt: now + 1000, expiresAt: now / 1000 + 1 })
    await refuses(bench(), ask(record.id, { now: now + 999 }), { is: 'done' })
    assert.equal((await acquire(bench(), ask(record.id, { now: now + 1000 }))).record.attempts, 1)
  })
}
