import { MessageError } from '../errors/message-error.ts'
import type { SqsRecord } from './event.ts'
import type { Log } from './ports.ts'
import { receivedAgain } from './replay.ts'
import type { Schema, SchemaIssue, SchemaResult } from './schema.ts'

/** What is known of a message before its body is read. */
export interface ReceivedMessage {
  /** The raw SQS record; redrive's own attributes of a replay are taken off, what had to make room for them is back. */
  readonly record: SqsRecord
  /** The id of the message when it was first sent: it survives a replay. */
  readonly id: string
  /** The message group, on FIFO and on fair queues. */
  readonly groupId: string | undefined
  /** When this SQS message was sent; a replay is sent anew. */
  readonly sentAt: Date
  /** How many times SQS has handed this message out. Not the number of attempts: throttles and waits count too (F63, F69). */
  readonly receiveCount: number
  /** How often it has been replayed from a dead-letter queue. */
  readonly replays: number
}

/** A message whose body was read and found valid. */
export interface DecodedMessage<P = unknown> extends ReceivedMessage {
  readonly payload: P
}

/** What the handler gets beside the payload. */
export interface Message<P = unknown> extends DecodedMessage<P> {
  /** Which attempt this is, from 1. Only runs of the handler count. Without a store: SQS's receive count. */
  readonly attempt: number
  /** Whether no verdict would get another attempt after this one. */
  readonly isLastAttempt: boolean
  /**
   * Stable over all attempts, duplicates and replays of the message: hand it to the services you call. Printable ASCII, at
   * most 255 characters.
   */
  readonly idempotencyKey: string
  /** Aborts at the deadline: hand it to `fetch` and to drivers. */
  readonly signal: AbortSignal
  /** Milliseconds until the deadline; 0 after it. */
  remainingTimeMs(): number
  /** A logger whose lines carry the message id and the attempt. */
  readonly log: Log
}

/** The user's handler. Anything thenable that it returns is awaited; what it resolves to is ignored; what it throws is classified. */
export type Handler<P = unknown> = (payload: P, message: Message<P>) => unknown

/** How a body becomes what the schema gets. */
export type BodyReader = 'json' | 'text' | ((text: string, record: SqsRecord) => unknown)

/** Reads the envelope of a record: its ids and times. Never throws on a record that the event check let through. */
export function receive(raw: SqsRecord, now: number): ReceivedMessage {
  const { record, id, replays } = receivedAgain(raw)
  const { ApproximateReceiveCount, SentTimestamp, MessageGroupId } = record.attributes
  return {
    record,
    id,
    replays,
    groupId: MessageGroupId,
    sentAt: new Date(wholeNumber(SentTimestamp, now)),
    receiveCount: Math.max(1, wholeNumber(ApproximateReceiveCount, 1)),
  }
}

const wholeNumber = (text: string | undefined, otherwise: number): number => {
  const number = Number(text)
  return text !== undefined && text !== '' && Number.isFinite(number) ? Math.trunc(number) : otherwise
}

/** Body to decoded value. Throws a {@link MessageError} for what is not JSON, and whatever the user's own reader throws. */
export async function decode(message: ReceivedMessage, reader: BodyReader): Promise<unknown> {
  const { record } = message
  if (typeof record.body !== 'string') throw new MessageError('message.body', 'The record has no body text.')
  if (reader === 'text') return record.body
  if (typeof reader === 'function') return await reader(record.body, record)
  try {
    // A byte-order mark is no JSON, but tools on Windows put one there.
    return JSON.parse(record.body.replace(/^\uFEFF/, ''))
  } catch (error) {
    // V8's own text quotes the body, which must not reach logs: keep the position only.
    const position = error instanceof Error ? /position (\d+)/.exec(error.message)?.[1] : undefined
    const place = position === undefined ? '' : `, at character ${position}`
    throw new MessageError('message.not-json', `The body is not JSON${place} (${record.body.length} characters).`)
  }
}

/** Decoded value to payload. A misfit is a {@link MessageError} with each issue; a schema that *throws* passes that on (B52). */
export async function validate(decoded: unknown, schema: Schema | undefined): Promise<unknown> {
  if (schema === undefined) return decoded
  const result = await check(decoded, schema)
  if (result.issues === undefined) return result.value
  const issues = result.issues.map((issue) => ({ path: pathOf(issue.path), message: String(issue.message) }))
  // Issues quote what came (valibot's texts, unknown keys in paths): they belong into the evidence, beside the body, not into logs.
  const count = issues.length === 1 ? 'one issue' : `${issues.length} issues`
  throw new MessageError('message.schema', `The payload does not fit the schema: ${count}, in the evidence.`, { issues })
}

/**
 * zod's own `~standard` first tries without waiting: an async refinement would run twice, and the rejection of its first run
 * would be nobody's and end the process. So zod is asked for its async form (versions 3, 4 and mini have it).
 */
async function check(decoded: unknown, schema: Schema): Promise<SchemaResult<unknown>> {
  const { safeParseAsync } = schema as { safeParseAsync?: (value: unknown) => Promise<ZodResult> }
  if (schema['~standard'].vendor !== 'zod' || typeof safeParseAsync !== 'function')
    return await schema['~standard'].validate(decoded)
  const { success, data, error } = await safeParseAsync.call(schema, decoded)
  return success ? { value: data } : { issues: error?.issues ?? [] }
}

interface ZodResult {
  readonly success: boolean
  readonly data?: unknown
  readonly error?: { readonly issues: readonly SchemaIssue[] }
}

const pathOf = (path: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined): string =>
  (path ?? []).map((part) => String(typeof part === 'object' ? part.key : part)).join('.')
