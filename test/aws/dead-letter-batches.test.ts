/** Dead letters through the SDK: what is sent, ten a request, every entry's answer read (cases B09, B14, B16). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { PermanentError, type SqsEvent } from '../../src/index.ts'
import { bench, byId, caseInput, DLQ, messages, throwing } from '../consumer/harness.ts'
import { accepted, type Entry, failing, type Request, sdkError, stubSqs } from './stub-sqs.ts'

const dead = throwing(new PermanentError('no'))
const many = (count: number) => Array.from({ length: count }, (_, at) => `m${at}`)
const textOf = (entry: Entry | undefined) => entry?.MessageAttributes?.['redrive']?.StringValue
const evidence = (entry: Entry | undefined) => JSON.parse(textOf(entry) ?? 'null')
const size = ({ MessageBody = '', MessageAttributes = {} }: Entry) =>
  Object.entries(MessageAttributes).reduce(
    (sum, [name, { DataType = '', StringValue = '', BinaryValue }]) =>
      sum + Buffer.byteLength(name + DataType + StringValue) + (BinaryValue?.byteLength ?? 0),
    Buffer.byteLength(MessageBody),
  )

describe('B09: the send is rejected', () => {
  interface Case {
    readonly event: SqsEvent
    readonly handler: Record<string, unknown>
    readonly sdk: { readonly SendMessageBatch: { readonly reject: { name: string; message: string } } }
    readonly expect: { readonly response: { batchItemFailures: { itemIdentifier: string }[] } }
  }
  const { event, sdk, expect } = caseInput<Case>('B09-dlq-send-rejected')
  const [first] = event.Records.map(({ messageId }) => messageId)
  const failures = expect.response.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)

  test('KMS denied, as in the case: reported, dead_letter_failed is 1, the invocation does not reject', async () => {
    const { name, message, ...more } = sdk.SendMessageBatch.reject
    const sqs = stubSqs((request) =>
      request.name.startsWith('Send') ? Promise.reject(sdkError(name, message, more)) : accepted(request),
    )
    const one = bench(byId({ [first as string]: dead }), {}, { sqs })
    assert.deepEqual([await one.invoke(event), one.counts['dead_letter_failed'], one.counts['done']], [failures, 1, 1])
    assert.ok(
      one.lines.some(({ level, fields }) => level === 'error' && String(fields['reason']).includes('kms:GenerateDataKey')),
    )
    assert.equal(sqs.of('hide')[0]?.entries[0]?.VisibilityTimeout, 2)
  })

  test('its kind: any rejection, any shape of answer that does not say that the entry was taken', async () => {
    const entryFailed = (request: Request) => failing(request, () => true, 'InternalError')
    for (const answer of [
      throwing(sdkError('QueueDoesNotExist', 'gone')),
      throwing(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })),
      throwing(undefined),
      () => undefined,
      () => null,
      () => ({}),
      () => ({ Successful: [] }),
      () => ({ Successful: [{ Id: 'x' }] }),
      entryFailed,
      // In both lists: in doubt, so it was not taken.
      (request: Request) => ({ ...entryFailed(request), Successful: request.entries.map(({ Id }) => ({ Id })) }),
    ]) {
      const sqs = stubSqs((request) => (request.name.startsWith('Send') ? answer(request) : accepted(request)))
      const one = bench(byId({ [first as string]: dead }), {}, { sqs })
      assert.deepEqual([await one.invoke(event), one.counts['dead_letter_failed']], [failures, 1])
    }
  })
})

test('B14: attributes of the event in the SDK’s form, bytes as bytes, empty lists dropped', async () => {
  interface Case {
    readonly event: SqsEvent
    readonly expect: { readonly sdkMessageAttributes: Record<string, unknown> }
  }
  const { event, expect } = caseInput<Case>('B14-attribute-case')
  const lists = { stringListValues: [], binaryListValues: [] }
  const more = {
    blob: { binaryValue: 'AP8=', ...lists, dataType: 'Binary' },
    gif: { binaryValue: 'R0lG', ...lists, dataType: 'Binary.gif' },
    price: { stringValue: '1.50', ...lists, dataType: 'Number.eur' },
  }
  const [record] = event.Records
  const sqs = stubSqs()
  const messageAttributes = { ...record?.messageAttributes, ...more }
  await bench(dead, {}, { sqs }).invoke({ Records: [{ ...record, messageAttributes }] } as SqsEvent)
  const { redrive: _evidence, ...sent } = sqs.of('bury')[0]?.entries[0]?.MessageAttributes ?? {}
  assert.deepEqual(
    JSON.parse(JSON.stringify(sent, (_, value) => (value?.type === 'Buffer' ? Buffer.from(value).toString('hex') : value))),
    {
      ...expect.sdkMessageAttributes,
      blob: { DataType: 'Binary', BinaryValue: '00ff' },
      gif: { DataType: 'Binary.gif', BinaryValue: '474946' },
      price: { DataType: 'Number.eur', StringValue: '1.50' },
    },
  )
})

describe('B16: entry ids', () => {
  const { messageIds, expect } = caseInput<{ messageIds: string[]; expect: { entryIdPattern: string } }>('B16-entry-ids')

  test('are what SQS takes and distinct in a request, whatever the message ids', async () => {
    const sqs = stubSqs()
    const ids = [...messageIds, '😀', '0', '1', 'a'.repeat(200), '__proto__', 'constructor', '"', '-', 'ä'.normalize('NFD')]
    assert.deepEqual(await bench(dead, {}, { sqs }).invoke(ids), [])
    for (const { entries } of sqs.requests) {
      for (const { Id } of entries) assert.match(Id, new RegExp(expect.entryIdPattern))
      assert.equal(new Set(entries.map(({ Id }) => Id)).size, entries.length)
    }
    assert.deepEqual(
      sqs
        .of('bury')
        .flatMap(({ entries }) => entries.map((entry) => evidence(entry).messageId))
        .sort(),
      [...ids].sort(),
    )
  })
})

test('ten letters a request, to the dead-letter queue', async () => {
  for (const [count, requests] of [
    [1, 1],
    [10, 1],
    [11, 2],
    [45, 5],
  ] as const) {
    const sqs = stubSqs()
    assert.deepEqual(await bench(dead, {}, { sqs }).invoke(many(count)), [])
    assert.deepEqual([sqs.requests.length, sqs.requests.every(({ queueUrl }) => queueUrl === DLQ)], [requests, true])
  }
})

test('a trace header goes along as a system attribute; group and deduplication id only where there are any', async () => {
  const sqs = stubSqs()
  const [record] = messages(['m1']).Records
  const traced = { ...record, attributes: { ...record?.attributes, AWSTraceHeader: 'Root=1-5759e988-bd862e3fe1be46a994272793' } }
  await bench(dead, {}, { sqs }).invoke({ Records: [traced] } as SqsEvent)
  const entry = sqs.requests[0]?.entries[0]
  assert.deepEqual(entry?.MessageSystemAttributes, {
    AWSTraceHeader: { DataType: 'String', StringValue: 'Root=1-5759e988-bd862e3fe1be46a994272793' },
  })
  assert.deepEqual(
    Object.keys(entry ?? {}).filter((name) => /Group|Dedup/.test(name)),
    [],
  )
})

test('letters of 600 KB each do not share a request of 1 MiB', async () => {
  const sqs = stubSqs()
  const one = bench(dead, { body: 'text' }, { sqs })
  assert.deepEqual(await one.invoke(['m1', 'm2', 'm3'].map((messageId) => ({ messageId, body: 'é'.repeat(300_000) }))), [])
  assert.deepEqual(
    sqs.requests.map(({ entries }) => entries.length),
    [1, 1, 1],
  )
  for (const { entries } of sqs.requests) assert.ok(entries.reduce((sum, entry) => sum + size(entry), 0) <= 1_048_576)
})

describe('a queue with a lower limit', () => {
  const LIMIT = 262_144
  const says = `One or more parameters are invalid. Reason: Message must be shorter than ${LIMIT} bytes.`
  const refuseLarge = (request: Request) => failing(request, (entry) => size(entry) > LIMIT, 'InvalidParameterValue', says)

  test('says so when it refuses: the letter is made to fit and sent again, and from then on at once', async () => {
    const sqs = stubSqs(refuseLarge)
    const error = new PermanentError('x'.repeat(2_000))
    const one = bench(throwing(error), { body: 'text' }, { sqs })
    const body = 'b'.repeat(LIMIT - 1_000)
    assert.deepEqual(
      [await one.invoke([{ messageId: 'm1', body }]), sqs.requests.length, one.counts['dead_letter_failed']],
      [[], 2, undefined],
    )
    assert.deepEqual([await one.invoke([{ messageId: 'm2', body }]), sqs.requests.length], [[], 3])
    for (const { entries } of sqs.requests.slice(1))
      assert.ok(size(entries[0] as Entry) <= LIMIT && evidence(entries[0]).reason === 'permanent')
    assert.equal(sqs.requests.at(-1)?.entries[0]?.MessageBody, body)
  })

  test('below the body itself: refused, a failure; the body is never cut', async () => {
    const sqs = stubSqs((request) => (request.name.startsWith('Send') ? refuseLarge(request) : accepted(request)))
    const one = bench(dead, { body: 'text' }, { sqs })
    assert.deepEqual(
      [await one.invoke([{ messageId: 'm1', body: 'b'.repeat(LIMIT + 1) }]), one.counts['dead_letter_failed']],
      [['m1'], 1],
    )
    assert.ok(sqs.of('bury').length <= 2)
  })

  test('refused as a whole request for its size: each letter goes alone', async () => {
    const sqs = stubSqs((request) => {
      if (request.entries.length > 1)
        throw sdkError('BatchRequestTooLong', `Batch requests cannot be longer than ${LIMIT} bytes. You have sent 500000 bytes.`)
      return refuseLarge(request)
    })
    const one = bench(dead, { body: 'text' }, { sqs })
    assert.deepEqual(await one.invoke(['m1', 'm2'].map((messageId) => ({ messageId, body: 'b'.repeat(250_000) }))), [])
    assert.deepEqual([one.counts['dead'], one.counts['dead_letter_failed']], [2, undefined])
  })
})

test('one letter that SQS does not take does not fail its neighbours, whether as an entry or as the whole request', async () => {
  const isBad = ({ MessageBody }: Entry) => MessageBody === '"bad"'
  for (const name of [
    'InvalidMessageContents',
    'AWS.SimpleQueueService.InvalidBatchEntryId',
    'InvalidParameterValue',
    'InvalidAttributeValue',
  ]) {
    for (const answer of [
      (request: Request) => failing(request, isBad, name),
      (request: Request) => (request.entries.some(isBad) ? Promise.reject(sdkError(name, 'no')) : accepted(request)),
    ]) {
      const sqs = stubSqs((request) => (request.name.startsWith('Send') ? answer(request) : accepted(request)))
      const one = bench(dead, {}, { sqs })
      assert.deepEqual(await one.invoke(['m1', { messageId: 'm2', body: '"bad"' }, 'm3']), ['m2'])
      assert.deepEqual([one.counts['dead'], one.counts['dead_letter_failed']], [2, 1])
    }
  }
})
