/** Time: who starts, who is cut, what becomes of those that go on; and a host that must leave. */
import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { describe, test } from 'node:test'
import { fateDecided, type HostContext, shutdownSignal } from '../../src/flow/event.ts'
import { type Message, memoryStore, PermanentError, RetryableError } from '../../src/index.ts'
import { lambdaContext } from '../../src/testing/index.ts'
import { type Bench, bench, byId, hang, throwing } from './harness.ts'

/** A handler that takes so many milliseconds. */
const taking = (ms: number) => () => new Promise<void>((done) => void one.clock.after(ms, () => done()))
const passing = (ms: number) => new Promise<void>((done) => void one.clock.after(ms, () => done()))
let one: Bench = bench(() => {})

describe('starts', () => {
  test('the first message always starts, however little time is left', async () => {
    for (const remainingMs of [0, 1, -50]) {
      one = bench(() => {}, { concurrency: 1 }, { remainingMs })
      assert.deepEqual([await one.invoke(['m1']), one.ran], [[], ['m1']])
    }
  })

  test('past the deadline no other message starts', async () => {
    one = bench(() => {}, { concurrency: 1 }, { remainingMs: 0 })
    const answer = await one.invoke(['m1', 'm2', 'm3'])
    assert.deepEqual([answer, one.ran, one.counts['deferred']], [['m2', 'm3'], ['m1'], 2])
  })

  test('none that would likely not finish, by the median so far', async () => {
    // 30 s, of which 3 s are kept: after five of 5 s there are 2 s left.
    one = bench(taking(5_000), { concurrency: 1 })
    const answer = await one.invoke(['m1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7'])
    assert.deepEqual([answer, one.ran.length, one.counts['deferred'], one.counts['cut']], [['m6', 'm7'], 5, 2, undefined])
    const quick = { m1: taking(24_000), m2: taking(10), m3: taking(10) }
    one = bench(byId(quick), { concurrency: 1 })
    // The median of one is 24 s: nothing more. Of two at once it is the longer, of three the middle one.
    assert.deepEqual(await one.invoke(['m1', 'm2', 'm3']), ['m2', 'm3'])
    one = bench(byId({ ...quick, m4: taking(10) }), { concurrency: 3 })
    assert.deepEqual(await one.invoke(['m1', 'm2', 'm3', 'm4']), [])
  })

  test('on a standard queue those received more often start first', async () => {
    one = bench(() => {}, { concurrency: 1 })
    await one.invoke([1, 3, 2, 3].map((receiveCount, at) => ({ messageId: `m${at}`, receiveCount })))
    assert.deepEqual(one.ran, ['m1', 'm3', 'm2', 'm0'])
  })

  test('at most so many at a time as the option concurrency says, 50 without it', async () => {
    for (const [options, most] of [
      [{ concurrency: 3 }, 3],
      [{}, 50],
    ] as const) {
      let [now, peak] = [0, 0]
      one = bench(async () => {
        peak = Math.max(peak, ++now)
        await passing(10)
        now--
      }, options)
      await one.invoke(Array.from({ length: 60 }, (_, at) => `m${at}`))
      assert.equal(peak, most)
    }
  })
})

describe('at the deadline', () => {
  test('signal aborts, remainingTimeMs is 0, and before it counts down to the deadline', async () => {
    const seen: unknown[] = []
    const look = ({ signal, remainingTimeMs }: Message) => seen.push([signal.aborted, remainingTimeMs(), signal.reason?.name])
    one = bench(async (_payload, message) => {
      for (const pause of [0, 10_000, 16_999, 1, 500]) {
        await passing(pause)
        look(message)
      }
    })
    await one.invoke(['m1'])
    await one.clock.advance(1_000)
    const before = [27_000, 17_000, 1].map((left) => [false, left, undefined])
    assert.deepEqual(seen, [...before, [true, 0, 'TimeoutError'], [true, 0, 'TimeoutError']])
  })

  test('a handler that rejects because of the signal is cut, not failed', async () => {
    one = bench(
      (_payload, { signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    )
    assert.deepEqual([await one.invoke(['m1']), one.counts['cut'], one.record().state], [['m1'], 1, 'running'])
  })

  test('a handler that never settles is a reported failure, well before the invocation ends', async () => {
    one = bench(hang)
    const from = one.clock.now()
    assert.deepEqual(await one.invoke(['m1', 'm2']), ['m1', 'm2'])
    assert.ok(one.clock.now() - from < 30_000 && one.clock.now() - from >= 27_000)
  })

  test('what was done before it stays done', async () => {
    one = bench(byId({ m2: hang, m3: throwing(new RetryableError('down')) }))
    assert.deepEqual(await one.invoke(['m1', 'm2', 'm3']), ['m2', 'm3'])
  })

  test('a later success is still recorded, if the lease is still its own', async () => {
    one = bench(taking(29_000))
    assert.deepEqual([await one.invoke(['m1']), one.record().state], [['m1'], 'running'])
    await one.clock.advance(2_000)
    assert.deepEqual([one.record().state, one.record().attempts], ['done', 1])
    assert.deepEqual([await one.invoke([{ messageId: 'm1', receiveCount: 2 }]), one.ran], [[], ['m1']])
  })

  test('a later success after another run took over changes nothing', async () => {
    one = bench(taking(29_000))
    await one.invoke(['m1'])
    for (const [id, record] of one.records) one.records.set(id, { ...record, run: 'another' })
    await one.clock.advance(2_000)
    assert.deepEqual([one.record().run, one.record().state], ['another', 'running'])
  })

  test('a later rejection is caught: nothing is unhandled, nothing changes', async () => {
    one = bench(() => passing(29_000).then(throwing(new PermanentError('too late'))))
    await one.invoke(['m1'])
    await one.clock.advance(5_000)
    assert.deepEqual([one.record().state, one.queue.letters, one.counts['cut']], ['running', [], 1])
  })

  test('a schema that hangs leaves its message unstarted: deferred, no record', async () => {
    const schema = { '~standard': { version: 1, vendor: 'test', validate: hang } } as const
    one = bench(() => {}, { schema })
    assert.deepEqual([await one.invoke(['m1']), one.counts['deferred'], one.records.size], [['m1'], 1, 0])
  })

  test('cuts that count use the attempts up: the next one is dead without running', async () => {
    one = bench(hang, { maxAttempts: 2 })
    for (const receiveCount of [1, 2]) {
      assert.deepEqual(await one.invoke([{ messageId: 'm1', receiveCount }]), ['m1'])
      await one.clock.advance(60_000)
    }
    assert.deepEqual([await one.invoke([{ messageId: 'm1', receiveCount: 3 }]), one.ran.length], [[], 2])
    assert.deepEqual([one.queue.letters.length, one.record().state, one.record().attempts >= 2], [1, 'dead', true])
  })
})

describe('effects that hang', () => {
  test('SQS does not answer: the answer leaves before the invocation ends, with every message in it', async () => {
    one = bench(
      byId({ m1: throwing(new PermanentError('no')) }),
      {},
      { queue: { ...one.queue, hidden: [], letters: [], hide: hang, bury: hang } },
    )
    const from = one.clock.now()
    assert.deepEqual(await one.invoke(['m1', 'm2']), ['m1'])
    assert.ok(one.clock.now() - from < 30_000)
  })

  test('the store does not answer: a completion is success, anything else a failure, before the invocation ends', async () => {
    one = bench(byId({ m2: throwing(new RetryableError('down')) }), { store: { ...memoryStore(), end: hang } })
    const from = one.clock.now()
    assert.deepEqual(await one.invoke(['m1', 'm2']), ['m2'])
    assert.ok(one.clock.now() - from < 30_000)
  })

  test('their requests are aborted: a begin at the deadline, the others when the answer leaves', async () => {
    const aborted: string[] = []
    const watch = (name: string) => (_request: unknown, signal?: AbortSignal) => {
      signal?.addEventListener('abort', () => aborted.push(`${name} at ${one.clock.now() - Date.UTC(2026, 0, 1)} ms`))
      return hang()
    }
    one = bench(() => {}, { store: { ...memoryStore(), begin: watch('begin'), giveBack: watch('give back') } })
    assert.deepEqual(await one.invoke(['m1']), ['m1'])
    assert.deepEqual(aborted, ['begin at 27000 ms', 'give back at 29250 ms'])
  })

  test('onDead does not return: the answer does', async () => {
    one = bench(throwing(new PermanentError('no')), { onDead: hang })
    assert.deepEqual(await one.invoke(['m1']), [])
  })
})

describe('a host that keeps messages invisible (the worker)', () => {
  const host = (decided: HostContext[typeof fateDecided] = () => {}) => {
    const [draining, leaving] = [new AbortController(), new AbortController()]
    const signals = { draining: draining.signal, leaving: leaving.signal }
    return {
      draining,
      leaving,
      context: { ...lambdaContext(30_000, one.clock), [fateDecided]: decided, [shutdownSignal]: signals },
    }
  }

  test('is told of each message that stays, before its visibility timeout is set, and waited for', async () => {
    const told: string[] = []
    one = bench(byId({ m1: throwing(new RetryableError('down')) }))
    const { context } = host(async (id) => {
      await passing(100)
      told.push(`${id}, ${one.queue.hidden.length} hidden`)
    })
    assert.deepEqual(await one.invoke(['m1', 'm2'], context), ['m1'])
    assert.deepEqual(told, ['m1, 0 hidden'])
    assert.deepEqual(one.hidden(), [['m1', 2]])
  })

  test('is told of a message whose lease was lost, for nobody sets its visibility timeout', async () => {
    const told: string[] = []
    one = bench(() => one.records.clear())
    const { context } = host((id) => void told.push(id))
    assert.deepEqual([await one.invoke(['m1'], context), told, one.hidden()], [['m1'], ['m1'], []])
  })

  test('a word to the host that throws is that message’s matter alone, held ones too', async () => {
    one = bench(byId({ a1: throwing(new RetryableError('down')), c1: () => passing(1_000) }))
    const { context } = host(throwing(new Error('the host is broken')))
    const fifo = ['a1', 'a2', 'b1', 'c1'].map((messageId) => ({
      messageId,
      groupId: messageId[0] as string,
      queue: 'orders.fifo',
    }))
    assert.deepEqual([await one.invoke(fifo, context), one.counts['done']], [['a1', 'a2'], 2])
  })

  test('draining: nothing more starts, not even the first; what runs goes on to its end', async () => {
    one = bench(() => passing(5_000), { concurrency: 1 })
    const { context, draining } = host()
    one.clock.after(1_000, () => draining.abort())
    assert.deepEqual(
      [await one.invoke(['m1', 'm2'], context), one.ran, one.counts['done'], one.counts['deferred']],
      [['m2'], ['m1'], 1, 1],
    )
  })

  test('draining before the invocation: nothing starts at all', async () => {
    one = bench(() => {})
    const { context, draining } = host()
    draining.abort()
    assert.deepEqual([await one.invoke(['m1', 'm2'], context), one.ran, one.records.size], [['m1', 'm2'], [], 0])
  })

  test('leaving: what still runs is cut at once, and hidden until its lease ends', async () => {
    one = bench(hang)
    const { context, leaving } = host()
    const from = one.clock.now()
    one.clock.after(1_000, () => leaving.abort())
    assert.deepEqual([await one.invoke(['m1'], context), one.counts['cut']], [['m1'], 1])
    assert.ok(one.clock.now() - from < 2_000)
    assert.ok((one.hidden()[0]?.[1] ?? 0) >= 34)
  })

  test('leaving before the invocation: nothing starts, the answer comes at once', async () => {
    one = bench(() => {})
    const { context, draining, leaving } = host()
    draining.abort()
    leaving.abort()
    assert.deepEqual([await one.invoke(['m1'], context), one.ran], [['m1'], []])
  })

  test('its signals are let go of when the invocation ends', async () => {
    one = bench(() => {})
    const { context, draining, leaving } = host()
    await one.invoke(['m1'], context)
    assert.deepEqual(
      [draining, leaving].map(({ signal }) => getEventListeners(signal, 'abort').length),
      [0, 0],
    )
  })
})
