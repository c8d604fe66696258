/** What makes two messages the same work: key and fingerprint (cases B24, B26, B30). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as z from 'zod'
import type { AnyOptions } from '../../src/flow/options.ts'
import { memoryStore, PermanentError, RetryableError, type SqsRecord } from '../../src/index.ts'
import type { RecordParts } from '../../src/testing/index.ts'
import { bench, byId, caseInput, evidenceOf, throwing } from './harness.ts'

const text = (stringValue: string) => ({ stringValue, dataType: 'String' })
const replayed = (id: string, more: object = {}) => ({ 'redrive.replay': text(JSON.stringify({ id, replay: 1, ...more })) })

describe('B24: the fingerprint of a payload', () => {
  const { pairs } = caseInput<{ pairs: { a: unknown; b: unknown; same: boolean }[] }>('B24-key-order')
  const more = [
    { a: { x: { y: [{ b: 1, a: 2 }] } }, b: { x: { y: [{ a: 2, b: 1 }] } }, same: true },
    { a: { 10: 'x', 9: 'y' }, b: { 9: 'y', 10: 'x' }, same: true },
    { a: { n: 1 }, b: { n: '1' }, same: false },
    { a: { n: null }, b: {}, same: false },
    { a: [[1], 2], b: [[1, 2]], same: false },
    { a: { a: { b: 1 } }, b: { a: 1, b: 1 }, same: false },
    { a: 'x', b: ['x'], same: false },
    { a: 0, b: false, same: false },
  ]
  for (const { a, b, same } of [...pairs, ...more]) {
    test(`${JSON.stringify(a)} and ${JSON.stringify(b)} under one key are ${same ? 'the same work' : 'two payloads: permanent'}`, async () => {
      const one = bench(() => {}, { key: () => 'k' })
      assert.deepEqual(await one.invoke([{ messageId: 'm1', body: JSON.stringify(a) }]), [])
      assert.deepEqual(await one.invoke([{ messageId: 'm2', body: JSON.stringify(b) }]), [])
      assert.deepEqual([one.ran, one.counts['duplicate'] ?? 0, one.queue.letters.length], [['m1'], same ? 1 : 0, same ? 0 : 1])
    })
  }

  test('is of the decoded body, before the schema: a changed default or transform changes nothing', async () => {
    const records = new Map()
    const deploy = (schema: AnyOptions['schema'], body: string) =>
      bench(() => {}, { schema, key: () => 'k', store: memoryStore({ records }) } as AnyOptions).invoke([
        { messageId: crypto.randomUUID(), body },
      ])
    assert.deepEqual(await deploy(z.object({ n: z.number() }), '{"n":1}'), [])
    const next = z.object({ n: z.number().transform((n) => n * 100), currency: z.string().default('EUR') })
    assert.deepEqual(await deploy(next, ' { "n" : 1 } '), [])
    assert.equal([...records.values()][0].attempts, 1)
  })

  test('of another payload: the error says key, both fingerprints, both messages and the two ways out', async () => {
    const one = bench(() => {}, { key: () => 'order-1' })
    await one.invoke([{ messageId: 'm1', body: { n: 1 } }])
    const first = one.record().fingerprint
    await one.invoke([{ messageId: 'm2', body: { n: 2 } }])
    const { reason, rule, attempts, idempotencyKey, error } = evidenceOf(one.queue.letters[0])
    assert.deepEqual([reason, rule, attempts], ['permanent', 'message.fingerprint', 0])
    for (const part of [idempotencyKey, first, 'm1', 'm2', '"key"', '"fingerprint"'])
      assert.ok(error?.message.includes(part ?? '?'), part)
    assert.deepEqual([one.record().state, one.record().fingerprint], ['done', first])
  })

  test('is not compared with the record of the same message: an edited body goes on', async () => {
    const one = bench(byId({ m1: throwing(new RetryableError('down')) }), { key: () => 'k' })
    await one.invoke([{ messageId: 'm1', body: { n: 1 } }])
    assert.deepEqual(await one.invoke([{ messageId: 'm9', body: { n: 2 }, messageAttributes: replayed('m1') }]), [])
    assert.deepEqual([one.ran, one.record().attempts], [['m1', 'm9'], 2])
  })

  test('is not compared with that of a dead record: an edited letter runs', async () => {
    const one = bench(byId({ m1: throwing(new PermanentError('no')) }), { key: () => 'k' })
    await one.invoke([{ messageId: 'm1', body: { n: 1 } }])
    assert.deepEqual(await one.invoke([{ messageId: 'm2', body: { n: 2 } }]), [])
    assert.deepEqual([one.ran, one.record().state], [['m1', 'm2'], 'done'])
  })

  test('false compares nothing; a function compares what it gives', async () => {
    const both: RecordParts[] = [
      { messageId: 'm1', body: { n: 1, at: 'noon' } },
      { messageId: 'm2', body: { n: 1, at: 'night' } },
    ]
    for (const fingerprint of [false, (decoded: unknown) => (decoded as { n: number }).n] as const) {
      const one = bench(() => {}, { key: () => 'k', fingerprint })
      for (const message of both) assert.deepEqual(await one.invoke([message]), [])
      assert.deepEqual([one.ran, one.queue.letters], [['m1'], []])
    }
  })
})

describe('B26: the key function', () => {
  const key = (({ tenant, orderId }: Record<string, string>) => [tenant, orderId]) as never
  interface Row {
    readonly bodies: Record<string, unknown>[]
    readonly consumers?: string[]
    readonly expect: string
  }
  const { rows } = caseInput<{ rows: Row[] }>('B26-missing-and-composite')

  for (const { bodies, consumers, expect } of rows) {
    const different = expect.startsWith('two different keys')
    test(`${JSON.stringify(bodies)}: ${different ? 'two different keys' : 'both are key errors, never one shared key'}`, async () => {
      const records = new Map()
      for (const [at, body] of bodies.entries()) {
        const one = bench(() => {}, { key, store: memoryStore({ records }), name: consumers?.[at] ?? 'shop' })
        assert.deepEqual(await one.invoke([{ messageId: `m${at}`, body }]), [])
        assert.deepEqual(one.ran, different ? [`m${at}`] : [])
        if (!different) assert.equal(evidenceOf(one.queue.letters[0]).rule, 'message.key')
      }
      assert.equal(records.size, different ? 2 : 0)
    })
  }

  test('gives nothing usable: permanent, whatever the nothing', async () => {
    const cyclic: unknown[] = []
    cyclic.push(cyclic)
    for (const nothing of [
      undefined,
      null,
      '',
      [],
      {},
      [''],
      [null],
      ['a', undefined],
      [[]],
      Number.NaN,
      Infinity,
      true,
      () => 'k',
      cyclic,
    ]) {
      const one = bench(() => {}, { key: () => nothing as never })
      assert.deepEqual([await one.invoke(['m1']), one.ran, one.records.size], [[], [], 0])
      assert.equal(evidenceOf(one.queue.letters[0]).rule, 'message.key')
    }
  })

  test('keys that look alike stay apart: number and text, parts and separators, a long one and its neighbour', async () => {
    const long = 'x'.repeat(5_000)
    const keys = [
      1,
      '1',
      [1],
      ['1'],
      ['a', 'b'],
      ['a,b'],
      ['a","b'],
      'a\u0000b',
      'é',
      '\\u00e9',
      `${long}1`,
      `${long}2`,
      [long, '1'],
      [`${long}","1`],
    ]
    const one = bench((_payload, message) => void seen.push(message.idempotencyKey), {
      key: (body) => (body as { key: string }).key,
      fingerprint: false,
    })
    const seen: string[] = []
    assert.deepEqual(await one.invoke(keys.map((key, at) => ({ messageId: `m${at}`, body: { key } }))), [])
    assert.deepEqual([one.ran.length, new Set(seen).size, one.records.size], [keys.length, keys.length, keys.length])
    for (const key of seen) assert.match(key, /^[ -~]{1,255}$/)
  })
})

describe('without a key function', () => {
  test('the producer’s idempotency-key attribute is the key, else the message id', async () => {
    const keys: string[] = []
    const one = bench((_payload, message) => void keys.push(message.idempotencyKey))
    await one.invoke(['m1', { messageId: 'm2', messageAttributes: { 'idempotency-key': text('order-7') } }])
    assert.deepEqual(keys, ['orders#"m1"', 'orders#"order-7"'])
  })

  test('key: false runs without idempotency: no record, the receive count stands for the attempts', async () => {
    const attempts: number[] = []
    const one = bench((_payload, message) => void attempts.push(message.attempt), { key: false })
    for (const receiveCount of [1, 4]) assert.deepEqual(await one.invoke([{ messageId: 'm1', receiveCount }]), [])
    assert.deepEqual([attempts, one.records.size], [[1, 4], 0])
  })
})

describe('B30: a replayed copy has a new message id', () => {
  const { first, replayed: copy } = caseInput<{ first: SqsRecord; replayed: SqsRecord }>('B30-replayed-copy')
  const again = { ...copy, messageAttributes: replayed(first.messageId) }

  test('its first was done: skipped and acknowledged', async () => {
    const one = bench(() => {})
    assert.deepEqual([await one.invoke({ Records: [first] }), await one.invoke({ Records: [again] })], [[], []])
    assert.deepEqual([one.ran, one.counts['duplicate']], [[first.messageId], 1])
  })

  test('its first died: the replay runs, attempts start anew, the history stays', async () => {
    const attempts: number[] = []
    const one = bench((_payload, message) => {
      attempts.push(message.attempt)
      if (message.record.messageId === first.messageId) throw new PermanentError('no')
      assert.equal(message.id, first.messageId)
    })
    assert.deepEqual([await one.invoke({ Records: [first] }), await one.invoke({ Records: [again] })], [[], []])
    assert.deepEqual([attempts, one.record().state, one.record().history.length], [[1, 1], 'done', 1])
  })

  test('moved by SQS itself, or sent by hand with the evidence still on it: a replay all the same', async () => {
    const one = bench(byId({ [first.messageId]: throwing(new PermanentError('no')) }))
    await one.invoke({ Records: [first] })
    const evidence = one.queue.letters[0]?.attributes['redrive']?.StringValue ?? ''
    const byHand = { ...copy, messageAttributes: { redrive: text(evidence), tenant: text('t') } }
    const seen: unknown[] = []
    const store = memoryStore({ records: one.records })
    const two = bench((_payload, { id, record, replays }) => void seen.push(id, Object.keys(record.messageAttributes), replays), {
      store,
    })
    assert.deepEqual(await two.invoke({ Records: [byHand] }), [])
    assert.deepEqual(seen, [first.messageId, ['tenant'], 1])
  })

  test('text of somebody else’s in these attributes makes no replay', async () => {
    for (const messageAttributes of [
      { redrive: text('yes') },
      { 'redrive.replay': text('[1]') },
      { redrive: { binaryValue: 'AP8=', dataType: 'Binary' } },
    ]) {
      const seen: unknown[] = []
      const one = bench((_payload, { id, record }) => void seen.push(id, record.messageAttributes))
      assert.deepEqual(await one.invoke([{ messageId: 'm1', messageAttributes }]), [])
      assert.deepEqual(seen, ['m1', messageAttributes])
    }
  })
})
