/** FIFO: groups side by side, a group's messages one after another, nothing done behind a message that stays (cases B31, B37). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { memoryStore, PermanentError, RetryableError, type SqsEvent } from '../../src/index.ts'
import { recordedQueue, seededRandom } from '../../src/testing/index.ts'
import { type Bench, bench, byId, caseInput, hang, throwing } from './harness.ts'

const fifo = (...ids: string[]) => ids.map((messageId) => ({ messageId, groupId: messageId[0] as string, queue: 'orders.fifo' }))
const down = throwing(new RetryableError('down', { retryAfter: 10 }))
const sleep = (one: () => Bench, ms: number) => () => new Promise<void>((done) => void one().clock.after(ms, () => done()))

test('B31: A1 B1(fails) A2 B2 C1 B3: A1 B1 A2 C1 run, the group B is reported', async () => {
  interface Case {
    readonly event: SqsEvent
    readonly expect: { handlerCalls: string[]; response: { batchItemFailures: { itemIdentifier: string }[] } }
  }
  const { event, expect } = caseInput<Case>('B31-fifo-groups')
  const one = bench(byId({ [expect.handlerCalls[1] as string]: down }))
  const answer = await one.invoke(event)
  assert.deepEqual(
    answer,
    expect.response.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier),
  )
  assert.deepEqual([...one.ran].sort(), [...expect.handlerCalls].sort())
  assert.deepEqual([one.counts['done'], one.counts['retry'], one.counts['held']], [3, 1, 2])
})

test('within a group one at a time, groups side by side', async () => {
  const spans: string[] = []
  const one = bench(async (_payload, { record }) => {
    spans.push(`+${record.messageId}`)
    await sleep(() => one, 100)()
    spans.push(`-${record.messageId}`)
  })
  const from = one.clock.now()
  assert.deepEqual(await one.invoke(fifo('a1', 'b1', 'a2', 'c1', 'a3')), [])
  assert.deepEqual(
    spans.filter((span) => span[1] === 'a'),
    ['+a1', '-a1', '+a2', '-a2', '+a3', '-a3'],
  )
  assert.deepEqual(spans.slice(0, 3).sort(), ['+a1', '+b1', '+c1'])
  assert.equal(one.clock.now() - from, 300)
})

describe('behind a message that stays the rest of its group is held, with its visibility timeout', () => {
  const refusing = (what: 'hide' | 'bury') =>
    recordedQueue((action) => (action === what ? { is: 'refused', code: 'X', message: 'no' } : { is: 'accepted' }))

  for (const [outcome, options] of [
    ['retry', { handler: byId({ a1: down }) }],
    ['cut', { handler: byId({ a1: hang }) }],
    ['deferred', { handler: () => {}, store: { ...memoryStore(), begin: () => Promise.reject(new Error('out of reach')) } }],
    ['dead, not taken', { handler: byId({ a1: throwing(new PermanentError('no')) }), queue: refusing('bury') }],
  ] as const) {
    test(outcome, async () => {
      const { handler, ...more } = options
      const world = 'queue' in more ? { queue: more.queue } : {}
      const one = bench(handler, 'store' in more ? { store: more.store } : {}, world)
      assert.deepEqual(await one.invoke(fifo('a1', 'a2', 'a3')), ['a1', 'a2', 'a3'])
      const seconds = one.hidden()[0]?.[1] ?? 0
      assert.ok(seconds > 0)
      assert.deepEqual(one.hidden(), [
        ['a1', seconds],
        ['a2', seconds],
        ['a3', seconds],
      ])
      assert.equal(one.counts['held'], 2)
    })
  }

  test('busy: another run holds the lease of the first', async () => {
    const one = bench(() => {}, { key: (_, { id }) => id })
    const begun = { id: 'orders.fifo#"a1"', run: 'other', messageId: 'x', firstMessageId: 'x', fingerprint: '' }
    const now = one.clock.now()
    await memoryStore({ records: one.records }).begin({ ...begun, now, leaseUntil: now + 60_000, expiresAt: now })
    assert.deepEqual(await one.invoke(fifo('a1', 'a2')), ['a1', 'a2'])
    assert.deepEqual(
      [one.ran, one.hidden()],
      [
        [],
        [
          ['a1', 66],
          ['a2', 66],
        ],
      ],
    )
  })

  test('B37: a follower never gets less, even if the head’s own visibility timeout was refused', async () => {
    const queue = recordedQueue(() =>
      queue.hidden.length === 0 && ++refusals === 1 ? { is: 'refused', code: 'X', message: 'no' } : { is: 'accepted' },
    )
    let refusals = 0
    const one = bench(byId({ a1: down }), {}, { queue })
    await one.invoke(fifo('a1', 'a2', 'a3'))
    assert.deepEqual(
      [one.hidden(), one.counts['visibility_failed']],
      [
        [
          ['a2', 11],
          ['a3', 11],
        ],
        1,
      ],
    )
  })

  test('one in the middle: those before it are done, those behind it held', async () => {
    const one = bench(byId({ a2: down }))
    assert.deepEqual(await one.invoke(fifo('a1', 'a2', 'a3')), ['a2', 'a3'])
    assert.deepEqual(one.ran, ['a1', 'a2'])
  })
})

test('done, duplicate and a dead letter that was taken let the group go on', async () => {
  const one = bench(byId({ a2: throwing(new PermanentError('no')) }))
  await one.invoke(fifo('a1'))
  assert.deepEqual(await one.invoke(fifo('a1', 'a2', 'a3')), [])
  assert.deepEqual([one.ran, one.counts['duplicate'], one.counts['dead']], [['a1', 'a2', 'a3'], 1, 1])
})

test('a letter of a FIFO queue keeps its group, and is deduplicated by the message that died', async () => {
  const deadLetterQueue = 'https://sqs.eu-central-1.amazonaws.com/111122223333/orders-dlq.fifo'
  const one = bench(throwing(new PermanentError('no')), { deadLetterQueue })
  await one.invoke(fifo('a1', 'b1'))
  assert.deepEqual(
    one.queue.letters.map(({ groupId, deduplicationId }) => [groupId, deduplicationId]),
    [
      ['a', 'a1'],
      ['b', 'b1'],
    ],
  )
})

test('a standard queue with group ids (fair queues) is not FIFO: a failure holds nobody, all run at once', async () => {
  const one = bench((_payload, message) => sleep(() => one, 100)().then(() => message.id === 'a1' && down()))
  const from = one.clock.now()
  assert.deepEqual(await one.invoke(['a1', 'a2', 'a3'].map((messageId) => ({ messageId, groupId: 'a' }))), ['a1'])
  assert.deepEqual([one.ran.length, one.clock.now() - from], [3, 100])
})

const ACTS = ['ok', 'retry', 'unknown', 'dead', 'hang', 'slow', 'begin fails', 'end fails', 'send fails'] as const
type Plan = readonly { readonly group: string; readonly act: (typeof ACTS)[number] }[]

/** A consumer whose messages, store and dead-letter queue do what the plan says. A handler that finds its group at work fails the test. */
function planned(plan: Plan, concurrency: number, seed: number) {
  const actOf = (id: string) => plan[Number(id.slice(1))]?.act
  const inner = memoryStore()
  const unless = <T>(fails: boolean, work: () => Promise<T>) => (fails ? Promise.reject(new Error('out of reach')) : work())
  const store: typeof inner = {
    ...inner,
    begin: (request) => unless(actOf(request.messageId) === 'begin fails', () => inner.begin(request)),
    end: (request) => unless(actOf(request.record.messageId) === 'end fails', () => inner.end(request)),
  }
  const running = new Map<string, string>()
  const handler = async (_payload: unknown, { id, groupId = '' }: { id: string; groupId: string | undefined }) => {
    assert.ok(!running.has(groupId), `${running.get(groupId)} still runs when ${id} starts`)
    running.set(groupId, id)
    const act = actOf(id)
    if (act === 'hang') await hang()
    if (act === 'slow') await sleep(() => one, 9_000)()
    running.delete(groupId)
    if (act === 'retry') down()
    if (act === 'unknown') throw new Error('?')
    if (act === 'dead' || act === 'send fails') throw new PermanentError('no')
  }
  const sending = (): boolean => one.ran.some((id) => actOf(id) === 'send fails')
  const queue = recordedQueue((action) =>
    action === 'bury' && sending() ? { is: 'refused', code: 'X', message: 'no' } : { is: 'accepted' },
  )
  const one = bench(handler, { store, concurrency }, { random: seededRandom(seed), queue })
  return one
}

test('property: nothing of a group behind a message that stays is acknowledged, or runs; each group runs in order, one at a time', async () => {
  const batch = fc.array(fc.record({ group: fc.constantFrom('a', 'b', 'c'), act: fc.constantFrom(...ACTS) }), {
    minLength: 1,
    maxLength: 10,
  })
  await fc.assert(
    fc.asyncProperty(batch, fc.integer({ min: 1, max: 3 }), fc.nat(), async (plan, concurrency, seed) => {
      const one = planned(plan, concurrency, seed)
      const ids = plan.map(({ group }, at) => `${group}${at}`)
      const answer = await one.invoke(ids.map((messageId) => ({ messageId, groupId: messageId[0] ?? '', queue: 'orders.fifo' })))
      for (const group of ['a', 'b', 'c']) {
        const own = ids.filter((id) => id[0] === group)
        const ran = one.ran.filter((id) => id[0] === group)
        const staying = own.findIndex((id) => answer.includes(id))
        const behind = staying === -1 ? [] : own.slice(staying + 1)
        assert.deepEqual(
          behind.filter((id) => !answer.includes(id) || ran.includes(id)),
          [],
        )
        assert.deepEqual(
          ran,
          own.filter((id) => ran.includes(id)),
        )
      }
    }),
    { numRuns: 150 },
  )
})
