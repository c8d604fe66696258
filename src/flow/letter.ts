import { bytes, sendable } from './characters.ts'
import type { SqsMessageAttribute, SqsRecord } from './event.ts'
import { type Evidence, shorter } from './evidence.ts'
import { isFifo } from './order.ts'
import type { Letter, LetterAttribute } from './ports.ts'
import { EVIDENCE_ATTRIBUTE } from './replay.ts'

/** SQS takes ten attributes a message (F5). */
const MOST_ATTRIBUTES = 10

/** Evidence is for people and replays: more than this helps neither and costs a request for each 64 KB (F17). */
const LONGEST_EVIDENCE = 48 * 1024

/** Size of a new queue's largest message, in bytes (F1). A queue may have a lower limit: then it says so and is asked again. */
export const LARGEST_MESSAGE = 1_048_576

/**
 * The dead letter of a record: the body and its own attributes unchanged, the evidence in one attribute more. Evidence is cut to
 * fit `maximumBytes`, the stack first; attributes that make room for it are never cut; the body never is. Where not even reason
 * and origin fit, the letter goes without evidence.
 */
export function letterOf(record: SqsRecord, evidence: Evidence, queueUrl: string, maximumBytes = LARGEST_MESSAGE): Letter {
  const own = Object.entries(record.messageAttributes)
  // What makes room: the last of ten, and one of the user's own that has the evidence's name.
  const beside = own.filter(([name]) => name !== EVIDENCE_ATTRIBUTE).slice(0, MOST_ATTRIBUTES - 1)
  const moved = own.filter((entry) => !beside.includes(entry))
  const kept = Object.fromEntries(beside.map(([name, attribute]) => [name, attributeOf(attribute)]))
  const whole: Evidence = moved.length === 0 ? evidence : { ...evidence, attributes: Object.fromEntries(moved) }
  const room = maximumBytes - bytes(record.body) - sizeOf(kept) - bytes(EVIDENCE_ATTRIBUTE) - bytes('String')
  const movedBytes = moved.length === 0 ? 0 : bytes(JSON.stringify(whole.attributes))
  const text = fitting(whole, Math.min(room, LONGEST_EVIDENCE + movedBytes))
  return {
    body: record.body,
    attributes:
      text === undefined
        ? Object.fromEntries(own.map(([name, attribute]) => [name, attributeOf(attribute)]))
        : { ...kept, [EVIDENCE_ATTRIBUTE]: { DataType: 'String', StringValue: text } },
    // FIFO deduplicates by the message that died: a send repeated after a lost answer is swallowed, another death is not.
    groupId: record.attributes.MessageGroupId ?? (isFifo(queueUrl) ? record.messageId : undefined),
    deduplicationId: isFifo(queueUrl) ? record.messageId : undefined,
    traceHeader: record.attributes.AWSTraceHeader,
  }
}

function fitting(evidence: Evidence, room: number): string | undefined {
  for (const form of shorter(evidence)) {
    const text = sendable(JSON.stringify(form, clean))
    if (bytes(text) <= room) return text
  }
  return undefined
}

/** Cleaned before JSON escapes it, so that what is read back has only characters a person can look at. */
const clean = (_key: string, value: unknown): unknown => (typeof value === 'string' ? sendable(value) : value)

/** camelCase of the event to the SDK's own, empty lists dropped, base64 to bytes (B14, F67). */
export function attributeOf(attribute: SqsMessageAttribute): LetterAttribute {
  const { dataType, stringValue, binaryValue } = attribute
  return dataType.startsWith('Binary')
    ? { DataType: dataType, BinaryValue: Buffer.from(binaryValue ?? '', 'base64') }
    : { DataType: dataType, StringValue: stringValue ?? '' }
}

/** Bytes of a letter as SQS counts them: body, and each attribute's name, type and value (F3). */
export const letterBytes = (letter: Letter): number => bytes(letter.body) + sizeOf(letter.attributes)

function sizeOf(attributes: Readonly<Record<string, LetterAttribute>>): number {
  return Object.entries(attributes).reduce(
    (sum, [name, { DataType, StringValue, BinaryValue }]) =>
      sum + bytes(name) + bytes(DataType) + (StringValue === undefined ? (BinaryValue?.byteLength ?? 0) : bytes(StringValue)),
    0,
  )
}
