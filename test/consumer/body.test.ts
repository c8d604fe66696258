/** Body to payload: JSON, text, a function of one's own, the schema (case B45). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as v from 'valibot'
import * as z from 'zod'
import { PermanentError } from '../../src/index.ts'
import { bench, caseInput, evidenceOf } from './harness.ts'

type Row = { readonly body: string } & ({ readonly verdict: 'permanent' } | { readonly payload: unknown })
const { rows, textCodec } = caseInput<{ rows: Row[]; textCodec: { body: string; payload: string } }>('B45-bodies')

async function payloadOf(body: string, options: Parameters<typeof bench>[1] = {}) {
  const payloads: unknown[] = []
  const one = bench((payload) => void payloads.push(payload), options)
  assert.deepEqual(await one.invoke([{ messageId: 'm1', body }]), [])
  return { payloads, one }
}

describe('B45: the body as JSON', () => {
  for (const row of [
    ...rows,
    { body: '\uFEFF', verdict: 'permanent' as const },
    { body: '\uFEFF\uFEFF{}', verdict: 'permanent' as const },
    { body: "{'a':1}", verdict: 'permanent' as const },
    { body: '{"a":1,}', verdict: 'permanent' as const },
    { body: 'undefined', verdict: 'permanent' as const },
    { body: '[]', payload: [] },
    { body: '-0.5e2', payload: -50 },
    { body: 'false', payload: false },
    { body: '{"__proto__":{"polluted":true}}', payload: JSON.parse('{"__proto__":{"polluted":true}}') },
  ]) {
    test(`${JSON.stringify(row.body)}: ${'payload' in row ? JSON.stringify(row.payload) : 'permanent, with the reason, untouched'}`, async () => {
      const { payloads, one } = await payloadOf(row.body)
      if ('payload' in row) return assert.deepEqual(payloads, [row.payload])
      const { reason, rule, error } = evidenceOf(one.queue.letters[0])
      assert.deepEqual([payloads, reason, rule], [[], 'permanent', 'message.not-json'])
      assert.match(error?.message ?? '', /^The body is not JSON/)
      assert.equal(one.queue.letters[0]?.body, row.body)
    })
  }
})

test('B45: the body as text comes as it is, whatever is in it', async () => {
  for (const body of [textCodec.body, '{"a":1}', '\uFEFFx', ' ']) {
    assert.deepEqual((await payloadOf(body, { body: 'text' })).payloads, [body])
  }
})

test('the body through a function: awaited, given the record, its throws classified', async () => {
  const read = async (text: string, { messageId }: { messageId: string }) => [text, messageId]
  assert.deepEqual((await payloadOf('a;b', { body: read })).payloads, [['a;b', 'm1']])
  const { one } = await payloadOf('a;b', {
    body: () => {
      throw new PermanentError('no such column')
    },
  })
  assert.deepEqual([one.ran, evidenceOf(one.queue.letters[0]).error?.message], [[], 'no such column'])
})

test('a payload is what the schema makes of the decoded body: defaults, transforms, async', async () => {
  const schema = z
    .object({ n: z.coerce.number(), kind: z.string().default('order') })
    .transform(async ({ n, kind }) => `${kind} ${n}`)
  assert.deepEqual((await payloadOf('{"n":"7"}', { schema })).payloads, ['order 7'])
})

test('a misfit is permanent, and the evidence lists each issue with its path: zod and valibot', async () => {
  const body = JSON.stringify({ id: 7, lines: [{ count: 1 }, { count: 'x' }] })
  for (const schema of [
    z.object({ id: z.string(), lines: z.array(z.object({ count: z.number() })) }),
    v.object({ id: v.string(), lines: v.array(v.object({ count: v.number() })) }),
  ]) {
    const { one } = await payloadOf(body, { schema })
    const { rule, error } = evidenceOf(one.queue.letters[0])
    assert.deepEqual([one.ran, rule, error?.issues?.map(({ path }) => path)], [[], 'message.schema', ['id', 'lines.1.count']])
  }
})

test('B52: an error thrown inside an async refinement comes out as itself: retryable, not an invalid message', async () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  const schema = z.string().refine(async () => {
    throw refused
  })
  const one = bench(() => {}, { schema })
  assert.deepEqual(
    [await one.invoke([{ messageId: 'm1', body: '"x"' }]), one.counts['retry'], one.queue.letters],
    [['m1'], 1, []],
  )
})

test('a failure before the lease has no record: the receive count stands for the attempts', async () => {
  const schema = z.string().refine(async () => {
    throw new Error('nobody knows')
  })
  for (const [receiveCount, answer, reason] of [
    [1, ['m1'], undefined],
    [4, ['m1'], undefined],
    [5, [], 'attempts-used-up'],
  ] as const) {
    const one = bench(() => {}, { schema })
    assert.deepEqual(await one.invoke([{ messageId: 'm1', body: '"x"', receiveCount }]), answer)
    assert.equal(one.records.size, 0)
    if (reason) assert.equal(evidenceOf(one.queue.letters[0]).reason, reason)
  }
})

test('a body nested deeper than the stack is that message’s matter alone', async () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000)
  const one = bench(() => {})
  const answer = await one.invoke([{ messageId: 'm1', body: deep }, 'm2'])
  assert.deepEqual([one.ran.includes('m2'), answer.includes('m2')], [true, false])
})
