/** What is sent to the dead-letter queue: body and own attributes untouched, evidence in one attribute (cases B11, B13). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type Evidence, evidenceOf } from '../../src/flow/evidence.ts'
import { letterOf } from '../../src/flow/letter.ts'
import { receive } from '../../src/flow/message.ts'
import type { SqsEvent, SqsMessageAttribute, SqsRecord } from '../../src/index.ts'
import { PermanentError } from '../../src/index.ts'
import { type Letter, sqsRecord } from '../../src/testing/index.ts'
import { bench, caseInput, DLQ, evidenceOf as evidenceIn, throwing } from '../consumer/harness.ts'

/** What SQS takes (F4). */
const LEGAL = /^[\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]*$/u
const text = (stringValue: string): SqsMessageAttribute => ({ stringValue, dataType: 'String' })
const sizeOf = ({ body, attributes }: Letter) =>
  Object.entries(attributes).reduce(
    (sum, [name, { DataType, StringValue = '', BinaryValue }]) =>
      sum + Buffer.byteLength(name + DataType + StringValue) + (BinaryValue?.byteLength ?? 0),
    Buffer.byteLength(body),
  )
const evidenceFor = (record: SqsRecord, error: unknown): Evidence => {
  const verdict = { verdict: 'permanent', rule: 'error.permanent', why: '' } as const
  const failure = { error, verdict, note: { at: '', name: 'E', message: 'm', rule: 'r' } }
  const death = { reason: 'permanent', failure, attempts: 1, history: [failure.note], idempotencyKey: 'k', at: 0 } as const
  return evidenceOf(receive(record, 0), death, { consumer: 'orders' })
}
const letter = (record: SqsRecord, error: unknown, limit?: number) => letterOf(record, evidenceFor(record, error), DLQ, limit)
const readBack = ({ attributes }: Letter): Evidence | undefined =>
  attributes['redrive'] && JSON.parse(attributes['redrive'].StringValue ?? '')

/** The letter as it comes out of SQS again, in the event's form. */
const received = ({ body, attributes }: Letter, messageId = 'again'): SqsRecord => {
  const back = Object.entries(attributes).map(([name, { DataType, StringValue, BinaryValue }]) => [
    name,
    {
      dataType: DataType,
      ...(BinaryValue ? { binaryValue: Buffer.from(BinaryValue).toString('base64') } : { stringValue: StringValue }),
    },
  ])
  return sqsRecord({ messageId, body, messageAttributes: Object.fromEntries(back) })
}

describe('property: of any message that SQS holds and anything thrown', () => {
  const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,30}$/).filter((name) => !name.startsWith('redrive'))
  const attribute: fc.Arbitrary<SqsMessageAttribute> = fc.oneof(
    fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 200 })
      .map((value) => text(value.replace(/[^\t\n\r -\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '?'))),
    fc
      .uint8Array({ minLength: 1, maxLength: 200 })
      .map((bytes) => ({ binaryValue: Buffer.from(bytes).toString('base64'), dataType: 'Binary' })),
    fc.integer().map((value) => ({ stringValue: String(value), dataType: 'Number.int' })),
  )
  const anyText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('\u0000\u001b[31m', '\uD800', '\uDC00x\uD800', '\uFFFE\uFFFF', '"\\', '\u2028'),
  )
  const thrown = fc.tuple(anyText, anyText, fc.nat(2_000), fc.anything()).map(([name, message, times, extra]) =>
    Object.assign(new Error(message.repeat(times + 1), { cause: extra }), {
      name,
      code: message,
      stack: `${name}\n    at x (${'y'.repeat(times * 10)})`,
    }),
  )
  const limit = fc.oneof(fc.constant(1_048_576), fc.integer({ min: 1_024, max: 1_048_576 }))
  /** A body of so many bytes or a little less, in characters of one to four bytes. */
  const bodyOf = (bytes: number, unit: string) => unit.repeat(Math.max(1, Math.floor(bytes / Buffer.byteLength(unit))))

  test('at most ten attributes, within the limit in UTF-8 bytes, the body as it was, legal characters only, evidence that parses', () => {
    const shape = {
      limit,
      unit: fc.constantFrom('x', 'é', '€', '😀'),
      fill: fc.double({ min: 0, max: 1, noNaN: true }),
      own: fc.dictionary(name, attribute, { maxKeys: 10 }),
      error: thrown,
    }
    fc.assert(
      fc.property(fc.record(shape), ({ limit, unit, fill, own, error }) => {
        const bytesOfOwn = sizeOf({ ...letter(sqsRecord({ body: 'x', messageAttributes: own }), error, 0), body: '' })
        fc.pre(bytesOfOwn + 4 <= limit)
        const body = bodyOf((limit - bytesOfOwn) * fill, unit)
        const record = sqsRecord({ body, messageAttributes: own })
        const sent = letter(record, error, limit)
        assert.equal(sent.body, body)
        assert.ok(Object.keys(sent.attributes).length <= 10)
        assert.ok(Object.values(sent.attributes).every(({ StringValue = '' }) => LEGAL.test(StringValue)))
        assert.ok(sizeOf(sent) <= limit, `${sizeOf(sent)} bytes of ${limit}`)
        const evidence = readBack(sent)
        if (evidence) assert.deepEqual([evidence.reason, evidence.messageId], ['permanent', record.messageId])
        else assert.ok(limit - bytesOfOwn - Buffer.byteLength(body) < 2_000, 'there was room for evidence')
        const back = receive(received(sent), 0).record.messageAttributes
        assert.deepEqual(JSON.parse(JSON.stringify(back)), JSON.parse(JSON.stringify(own)))
      }),
      { numRuns: 400 },
    )
  })
})

describe('evidence is cut to fit, the stack first', () => {
  const error = Object.assign(new Error('m'.repeat(1_500), { cause: new Error('c'.repeat(1_500)) }), { code: 'E_CODE' })
  const at = (room: number) => {
    const body = 'b'.repeat(10_000)
    return readBack(letter(sqsRecord({ body }), error, 10_000 + room))
  }

  test('everything where there is room', () => {
    const all = at(40_000)
    assert.ok(all?.error?.stack && all.error.causes?.[0]?.stack && all.history?.length)
  })

  test('then without stacks, without causes, without history, with a short message, without the error', () => {
    const forms = new Set<string>()
    for (let room = 12_000; room > 0; room -= 50) {
      const { error: kept, history, ...rest } = at(room) ?? { none: true }
      forms.add(
        [
          kept?.stack && 'stack',
          kept?.causes && 'causes',
          history && 'history',
          kept && (kept.message.length > 200 ? 'long' : 'short'),
          'reason' in rest && 'reason',
        ]
          .filter(Boolean)
          .join(' '),
      )
    }
    assert.deepEqual(
      [...forms],
      [
        'stack causes history long reason',
        'causes history long reason',
        'history long reason',
        'long reason',
        'short reason',
        'reason',
        '',
      ],
    )
  })

  test('where not even reason and origin fit, it goes without, with all its own attributes', () => {
    const own = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`a${at}`, text('v')]))
    const record = sqsRecord({ body: 'b'.repeat(1_000), messageAttributes: own })
    const sent = letter(record, error, 1_200)
    assert.deepEqual([Object.keys(sent.attributes), sent.body.length], [Object.keys(own), 1_000])
  })

  test('never above 48 KB, however much room there is: a person has to read it', () => {
    const huge = Object.assign(new Error('x'.repeat(5_000_000)), { name: 'n'.repeat(5_000_000) })
    const started = performance.now()
    const sent = letter(sqsRecord({}), huge)
    assert.ok(sizeOf(sent) < 49_500, `${sizeOf(sent)} bytes`)
    assert.ok(performance.now() - started < 500)
  })
})

describe('B11: a message that has ten attributes already', () => {
  const { event, expect } = caseInput<{ event: SqsEvent; expect: { dlqSends: number; attributeCountAtMost: number } }>(
    'B11-ten-attributes',
  )
  const [ten] = event.Records as [SqsRecord]
  const dead = throwing(new PermanentError('no'))
  const values = (record: SqsRecord) =>
    Object.fromEntries(Object.entries(record.messageAttributes).map(([name, { stringValue }]) => [name, stringValue]))

  test('one letter, at most ten attributes, the body unchanged, and nothing lost', async () => {
    const one = bench(dead)
    assert.deepEqual([await one.invoke(event), one.queue.letters.length], [[], expect.dlqSends])
    const [sent] = one.queue.letters as [Letter]
    assert.deepEqual([Object.keys(sent.attributes).length, sent.body], [expect.attributeCountAtMost, ten.body])
    assert.deepEqual(Object.keys(evidenceIn(sent).attributes ?? {}), ['a9'])
    assert.deepEqual(values(receive(received(sent), 0).record), values(ten))
  })

  test('nine and fewer keep them all beside the evidence', async () => {
    for (const count of [0, 1, 9]) {
      const messageAttributes = Object.fromEntries(Object.entries(ten.messageAttributes).slice(0, count))
      const sent = letter({ ...ten, messageAttributes }, new Error('x'))
      assert.deepEqual([Object.keys(sent.attributes).length, readBack(sent)?.attributes], [count + 1, undefined])
    }
  })

  test('what made room comes back on a replay that carries it, and the handler sees all ten', async () => {
    const { a9, ...nine } = ten.messageAttributes
    const replay = { id: ten.messageId, replay: 1, attributes: { a9 } }
    const again: SqsRecord = {
      ...ten,
      messageId: 'again',
      messageAttributes: { ...nine, 'redrive.replay': text(JSON.stringify(replay)) },
    }
    const seen: unknown[] = []
    const one = bench((_payload, { record, id, replays }) => void seen.push(values(record), id, replays))
    assert.deepEqual([await one.invoke({ Records: [again] }), seen], [[], [values(ten), ten.messageId, 1]])
  })

  test('a replay that dies again: ten attributes at most, nothing lost, its first id and the number of the replay in the evidence', async () => {
    const { a9, ...nine } = ten.messageAttributes
    const replay = { id: ten.messageId, replay: 2, attributes: { a9 } }
    const one = bench(dead)
    await one.invoke({
      Records: [{ ...ten, messageId: 'again', messageAttributes: { ...nine, 'redrive.replay': text(JSON.stringify(replay)) } }],
    })
    const [sent] = one.queue.letters as [Letter]
    const { firstMessageId, messageId, replays } = evidenceIn(sent)
    assert.deepEqual([firstMessageId, messageId, replays, Object.keys(sent.attributes).length], [ten.messageId, 'again', 2, 10])
    assert.deepEqual(values(receive(received(sent), 0).record), values(ten))
  })

  test('evidence of before is no attribute of its own: a second pass overwrites it', async () => {
    const one = bench(dead)
    const { a9: _, ...nine } = ten.messageAttributes
    const first = letter({ ...ten, messageAttributes: nine }, new Error('x'))
    await one.invoke({ Records: [received(first, 'm2')] })
    const [sent] = one.queue.letters as [Letter]
    assert.deepEqual(
      [Object.keys(sent.attributes).length, evidenceIn(sent).attributes, evidenceIn(sent).replays],
      [10, undefined, 1],
    )
  })

  test('an attribute of the user’s own that is named like the evidence is not lost', () => {
    const record = sqsRecord({ messageAttributes: { redrive: text('mine'), tenant: text('t') } })
    const sent = letter(record, new Error('x'))
    assert.equal(readBack(sent)?.reason, 'permanent')
    assert.deepEqual(values(receive(received(sent), 0).record), { redrive: 'mine', tenant: 't' })
  })
})

describe('B13: characters that SQS refuses', () => {
  interface Case {
    readonly event: SqsEvent
    readonly handler: { readonly '*': { readonly throwMessage: string } }
    readonly expect: { readonly mustKeep: string[] }
  }
  const { event, handler, expect } = caseInput<Case>('B13-forbidden-characters')
  const { throwMessage } = handler['*']

  test('in an error’s text: cleaned, tab and newline kept, the letter is sent', async () => {
    const one = bench(throwing(new PermanentError(throwMessage)))
    assert.deepEqual([await one.invoke(event), one.queue.letters.length], [[], 1])
    const evidence = one.queue.letters[0]?.attributes['redrive']?.StringValue ?? ''
    const message = JSON.parse(evidence).error.message as string
    assert.match(evidence, LEGAL)
    assert.match(message, LEGAL)
    for (const kept of [...expect.mustKeep, 'bad', '[31m', ' and lone ', ' end']) assert.ok(message.includes(kept), kept)
  })

  test('anywhere else in the evidence: name, code, cause, stack, issues, ids', async () => {
    const bad = throwMessage
    const error = Object.assign(new PermanentError(bad, { cause: new Error(bad) }), {
      name: bad,
      code: bad,
      issues: [{ message: bad, path: [bad] }],
      stack: `${bad}\n    at ${bad}`,
    })
    const one = bench(throwing(error), { name: bad.slice(0, 100), key: () => bad })
    await one.invoke([{ messageId: `m1${bad}` }])
    const evidence = one.queue.letters[0]?.attributes['redrive']?.StringValue ?? ''
    assert.match(evidence, LEGAL)
    JSON.parse(evidence, (_key, value) => {
      if (typeof value === 'string') assert.match(value, LEGAL)
    })
  })

  test('the body is never changed: it came from SQS', async () => {
    for (const body of ['\t\n\r ퟿�😀', '{"a":"\\u0000"}', '   ', '\uFEFF{}']) {
      const one = bench(throwing(new PermanentError('x')), { body: 'text' })
      await one.invoke([{ messageId: 'm1', body }])
      assert.equal(one.queue.letters[0]?.body, body)
    }
  })
})
