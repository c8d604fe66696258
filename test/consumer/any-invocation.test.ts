/** Properties of whole invocations: any bodies, handlers that do anything, stores and queues that fail at random. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  type BeginRequest,
  type EndRequest,
  type LeaseRecord,
  memoryStore,
  PermanentError,
  RetryableError,
} from '../../src/index.ts'
import { type RecordParts, recordedQueue, seededRandom } from '../../src/testing/index.ts'
import { bench, hang } from './harness.ts'

const trap = (): never => {
  throw new Error('trapped')
}
const hostile = [
  undefined,
  null,
  'text',
  42n,
  Symbol('s'),
  {},
  Object.create(null),
  new Proxy({}, { get: trap, has: trap, ownKeys: trap, getPrototypeOf: trap, getOwnPropertyDescriptor: trap }),
  new Proxy(() => {}, { get: trap, apply: trap }),
  Object.freeze(Object.assign(new Error('frozen'), { code: 'ECONNRESET' })),
  Object.defineProperty(new Error('x'), 'stack', { get: trap }),
  Object.defineProperty({}, 'cause', { get: trap }),
  Object.assign(new Error('huge'), { message: 'x'.repeat(300_000) }),
  new AggregateError([new RetryableError('a'), new PermanentError('b')]),
]
const OUTCOMES = ['done', 'duplicate', 'retry', 'cut', 'dead', 'busy', 'held', 'deferred'] as const

const acts = [
  'ok',
  'slow',
  'retry',
  'after',
  'unknown',
  'permanent',
  'hang',
  'hostile',
  'bad thenable',
  'late success',
  'late failure',
] as const
const plan = fc.record({
  act: fc.constantFrom(...acts),
  body: fc.oneof(fc.json(), fc.string(), fc.constantFrom('', '{', 'null', '\uFEFF{}')),
  group: fc.constantFrom('a', 'b'),
  key: fc.constantFrom('k1', 'k2', 'own', 'none'),
  receiveCount: fc.integer({ min: 1, max: 20 }),
  age: fc.nat(5_000),
  extra: fc.nat(hostile.length - 1),
})
const world = fc.record({
  batch: fc.array(plan, { minLength: 1, maxLength: 12 }),
  fifo: fc.boolean(),
  store: fc.constantFrom('good', 'flaky', 'down', 'none'),
  queue: fc.constantFrom('good', 'flaky', 'down'),
  dlq: fc.boolean(),
  concurrency: fc.integer({ min: 1, max: 5 }),
  remainingMs: fc.constantFrom(0, 900, 10_000, 60_000),
  seed: fc.nat(),
  repeatIds: fc.boolean(),
})
type Plan = typeof plan extends fc.Arbitrary<infer P> ? P : never
type World = typeof world extends fc.Arbitrary<infer W> ? W : never

/** Runs one such invocation, `times` times over the same messages, and gives what can be said of the last. */
async function runWorld({ batch, fifo, store: kind, queue: queueKind, dlq, concurrency, remainingMs, seed, repeatIds }: World) {
  const random = seededRandom(seed)
  const fails = (kind: string) => kind === 'down' || (kind === 'flaky' && random() < 0.3)
  const records = new Map<string, LeaseRecord>()
  const inner = memoryStore({ records })
  const reach = async <T>(call: () => Promise<T>): Promise<T> => {
    if (fails(kind)) throw Object.assign(new Error('connect ETIMEDOUT'), { code: 'ETIMEDOUT' })
    const result = await call()
    // An answer that is lost: the write is there all the same.
    if (kind === 'flaky' && random() < 0.1) throw new Error('socket hang up')
    return result
  }
  const store = {
    ...inner,
    begin: (request: BeginRequest) => reach(() => inner.begin(request)),
    end: (request: EndRequest) => reach(() => inner.end(request)),
  }
  const queue = recordedQueue(() =>
    fails(queueKind) ? { is: 'refused', code: 'InternalError', message: 'no' } : { is: 'accepted' },
  )
  const parts: RecordParts[] = batch.map(({ body, group, receiveCount, age }, at) => ({
    messageId: `m${repeatIds ? at % 9 : at}`,
    body,
    receiveCount,
    groupId: group,
    queue: fifo ? 'orders.fifo' : 'orders',
    sentAt: Date.UTC(2026, 0, 1) - age * 1000,
  }))
  const planOf = (id: string): Plan => batch[Number(id.slice(1))] as Plan
  const resolved = new Set<string>()
  const wait = (ms: number) => new Promise<void>((done) => void one.clock.after(ms, () => done()))
  const handler = async (_payload: unknown, { record: { messageId } }: { record: { messageId: string } }): Promise<unknown> => {
    const { act, extra } = planOf(messageId)
    if (act === 'slow') await wait(400)
    if (act === 'hang') await hang()
    if (act.startsWith('late')) await wait(70_000)
    if (act === 'retry') throw new RetryableError('down')
    if (act === 'after') throw new RetryableError('down', { retryAfter: 100_000 })
    if (act === 'unknown') throw new Error('?')
    if (act === 'permanent' || act === 'late failure') throw new PermanentError('no')
    if (act === 'hostile') throw hostile[extra]
    if (act === 'bad thenable') return Object.defineProperty({}, 'then', { get: trap })
    resolved.add(messageId)
    return hostile[extra]
  }
  const key = (_payload: unknown, { record }: { record: { messageId: string } }) => {
    const { key } = planOf(record.messageId)
    return key === 'own' ? record.messageId : key === 'none' ? '' : key
  }
  const options = { key, concurrency, maxAge: 4_000, fingerprint: false as const, ...(!dlq && { deadLetterQueue: undefined }) }
  const one = bench(handler, { ...options, store: kind === 'none' ? false : store } as never, { queue, random, remainingMs })
  return { one, parts, records, resolved, queue }
}

describe('property', () => {
  test('ids in the answer are ids of the event, each once, in its order; each message is decided exactly once', async () => {
    await fc.assert(
      fc.asyncProperty(world, async (given) => {
        const { one, parts } = await runWorld(given)
        const answer = await one.invoke(parts)
        const ids = [...new Set(parts.map(({ messageId }) => messageId as string))]
        assert.deepEqual(
          answer,
          ids.filter((id) => answer.includes(id)),
        )
        const lines = one.lines.filter(({ message, fields }) => message.startsWith('Message ') && 'outcome' in fields)
        const said = lines.map(({ fields }) => fields['messageId'])
        assert.equal(new Set(said).size, said.length, 'a message was decided twice')
        const counted = OUTCOMES.reduce((sum, outcome) => sum + (one.counts[outcome] ?? 0), 0)
        const notBuried = one.counts['dead_letter_failed'] ?? 0
        assert.equal(counted + notBuried, ids.length, JSON.stringify(one.counts))
        assert.equal(one.counts['received'], ids.length)
        assert.equal(one.counts['attempts'] ?? 0, one.ran.length)
      }),
      { numRuns: 250 },
    )
  })

  test('never acknowledged in doubt: what is not in the answer was done, is done by its record, or is a letter', async () => {
    await fc.assert(
      fc.asyncProperty(world, async (given) => {
        const { one, parts, records, resolved, queue } = await runWorld(given)
        const answer = await one.invoke(parts)
        const letters = new Set(
          queue.letters.map(({ attributes }) => JSON.parse(attributes['redrive']?.StringValue ?? '{}').messageId),
        )
        for (const messageId of new Set(parts.map(({ messageId }) => messageId as string))) {
          if (answer.includes(messageId)) continue
          const twinDone = [...records.values()].some(({ state, id }) => state === 'done' && id.includes('"k'))
          const anyResolved = [...resolved].some((id) => given.batch[Number(id.slice(1))]?.key.startsWith('k'))
          assert.ok(resolved.has(messageId) || letters.has(messageId) || twinDone || anyResolved, `${messageId} is gone`)
        }
      }),
      { numRuns: 250 },
    )
  })

  test('the answer leaves before the invocation ends, whatever hangs', async () => {
    await fc.assert(
      fc.asyncProperty(world, async (given) => {
        const { one, parts } = await runWorld(given)
        const from = one.clock.now()
        await one.invoke(parts)
        assert.ok(one.clock.now() - from <= given.remainingMs, `${one.clock.now() - from} ms of ${given.remainingMs}`)
      }),
      { numRuns: 100 },
    )
  })

  test('received again until it is gone, a message with a key of its own runs at most 12 times, and none is lost', async () => {
    await fc.assert(
      fc.asyncProperty(world, async (given) => {
        const steady = {
          ...given,
          dlq: true,
          store: given.store === 'flaky' ? 'good' : given.store,
          queue: given.queue === 'down' ? 'flaky' : given.queue,
        } as World
        fc.pre(steady.store === 'good')
        const { one, parts, resolved, queue } = await runWorld({ ...steady, remainingMs: 60_000 })
        let left = parts.map((part) => ({ ...part, sentAt: one.clock.now() }))
        for (let round = 1; left.length > 0; round++) {
          assert.ok(round < 200, `still there after 200 receives: ${JSON.stringify(left)}`)
          const answer = await one.invoke(left.map((part) => ({ ...part, receiveCount: round })))
          left = left
            .filter(({ messageId = '' }) => answer.includes(messageId))
            .map((part) => ({ ...part, sentAt: one.clock.now() }))
          await one.clock.advance(120_000)
        }
        const letters = queue.letters.map(({ attributes }) => JSON.parse(attributes['redrive']?.StringValue ?? '{}').messageId)
        for (const messageId of new Set(parts.map(({ messageId }) => messageId as string))) {
          // A key that messages share has its attempts for all of them together.
          if ((given.batch[Number(messageId.slice(1))] as Plan).key !== 'own') continue
          const runs = one.ran.filter((id) => id === messageId).length
          assert.ok(runs <= 12, `${messageId} ran ${runs} times`)
          assert.ok(resolved.has(messageId) || letters.includes(messageId), `${messageId} is lost`)
        }
      }),
      { numRuns: 40 },
    )
  })
})
