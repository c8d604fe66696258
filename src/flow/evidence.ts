import { describeError, type ErrorDescription } from '../errors/describe.ts'
import { fingerprint } from '../errors/fingerprint.ts'
import type { DeadReason, Failure } from './decide.ts'
import type { SqsMessageAttribute } from './event.ts'
import type { ReceivedMessage } from './message.ts'
import type { HistoryNote } from './record.ts'

/** What travels with a message into the dead-letter queue, as JSON in the one attribute `redrive`. Times are ISO texts. */
export interface Evidence {
  readonly reason: DeadReason
  /** The rule that called the error what it is. */
  readonly rule?: string
  readonly error?: ErrorDescription
  /** The same for the same fault, whichever message it hit. */
  readonly fingerprint?: string
  /** Runs of the handler. */
  readonly attempts: number
  /** Receives of this SQS message, those included that ran nothing. */
  readonly receives: number
  readonly history?: readonly HistoryNote[]
  readonly consumer: string
  readonly functionVersion?: string
  readonly requestId?: string
  readonly traceId?: string
  readonly queueArn: string
  /** The SQS message that died. */
  readonly messageId: string
  /** The id it had when it was first sent. */
  readonly firstMessageId: string
  readonly groupId?: string
  readonly deduplicationId?: string
  /** 20 digits: more than a JavaScript number holds. */
  readonly sequenceNumber?: string
  readonly sentAt: string
  readonly firstReceivedAt?: string
  readonly deadAt: string
  readonly idempotencyKey?: string
  readonly replays: number
  /** Attributes of the message's own that had to make room (SQS takes ten); a replay puts them back. */
  readonly attributes?: Readonly<Record<string, SqsMessageAttribute>>
}

/** Where and by whom the message was handled. */
export interface Scene {
  readonly consumer: string
  readonly functionVersion?: string | undefined
  readonly requestId?: string | undefined
  readonly traceId?: string | undefined
}

/** What is known of a dead message beside its record. */
export interface Death {
  readonly reason: DeadReason
  readonly failure: Failure | undefined
  readonly attempts: number
  readonly history: readonly HistoryNote[]
  readonly idempotencyKey: string | undefined
  /** Epoch ms. */
  readonly at: number
}

/** The whole evidence, before any limit. */
export function evidenceOf(message: ReceivedMessage, death: Death, scene: Scene): Evidence {
  const { record } = message
  const { attributes } = record
  const firstReceive = Number(attributes.ApproximateFirstReceiveTimestamp)
  return defined({
    reason: death.reason,
    rule: death.failure?.verdict.rule,
    error: death.failure && describeError(death.failure.error),
    fingerprint: death.failure && fingerprint(death.failure.error),
    attempts: death.attempts,
    receives: message.receiveCount,
    history: death.history.length > 0 ? death.history : undefined,
    ...scene,
    queueArn: record.eventSourceARN,
    messageId: record.messageId,
    firstMessageId: message.id,
    groupId: message.groupId,
    deduplicationId: attributes.MessageDeduplicationId,
    sequenceNumber: attributes.SequenceNumber,
    sentAt: iso(message.sentAt.getTime()),
    firstReceivedAt: firstReceive > 0 ? iso(firstReceive) : undefined,
    deadAt: iso(death.at),
    idempotencyKey: death.idempotencyKey,
    replays: message.replays,
  })
}

/** Forms of the same evidence, each shorter than the one before: the stack goes first, what is needed for a replay stays. */
export function* shorter(evidence: Evidence): Generator<Evidence> {
  yield evidence
  const { error, history, ...rest } = evidence
  const plain = error && { name: error.name, message: error.message, ...(error.code !== undefined && { code: error.code }) }
  const { stack: _stack, ...noStack } = error ?? { stack: undefined }
  if (error)
    yield {
      ...evidence,
      error: { ...noStack, causes: error.causes?.map(({ stack: _own, ...cause }) => cause) } as ErrorDescription,
    }
  if (plain) yield { ...evidence, error: { ...plain, ...(error?.issues && { issues: error.issues }) } }
  if (plain) yield { ...rest, error: plain }
  if (plain) yield { ...rest, error: { ...plain, message: plain.message.slice(0, 200) } }
  yield rest
  const needed: readonly string[] = NEEDED
  yield Object.fromEntries(Object.entries(evidence).filter(([field]) => needed.includes(field))) as unknown as Evidence
}

/** What a replay can't do without, and what a person asks first. */
const NEEDED = [
  'reason',
  'rule',
  'fingerprint',
  'attempts',
  'receives',
  'consumer',
  'queueArn',
  'messageId',
  'firstMessageId',
  'sentAt',
  'deadAt',
  'replays',
  'attributes',
] as const satisfies (keyof Evidence)[]

const iso = (ms: number): string => new Date(ms).toISOString()

const defined = <T extends object>(fields: { [K in keyof T]: T[K] | undefined }): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T

/** The evidence as a record keeps it until a dead-letter queue takes it: short, since the record has the history (DESIGN 4.6). */
export function inShort(evidence: Evidence): string {
  const { history: _inTheRecord, error, ...rest } = evidence
  if (error === undefined) return JSON.stringify(rest)
  const { name, message, code } = error
  return JSON.stringify({ ...rest, error: { name, message: message.slice(0, 200), ...(code !== undefined && { code }) } })
}
