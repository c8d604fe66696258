import type { Matcher } from '../errors/classify.ts'
import type { VerdictName } from '../errors/verdict.ts'
import type { Backoff } from './backoff.ts'
import type { SqsRecord } from './event.ts'
import type { Evidence } from './evidence.ts'
import type { Key } from './key.ts'
import type { DecodedMessage, ReceivedMessage } from './message.ts'
import type { IdempotencyStore, Logger, Metrics } from './ports.ts'
import type { Payload, Schema } from './schema.ts'

/** What a user's `classify` may say; `undefined` leaves it to redrive's rules. `duplicate`: the work is done already. */
export type ClassifyAnswer =
  | Exclude<VerdictName, 'unknown'>
  | 'duplicate'
  | { readonly verdict: VerdictName | 'duplicate'; readonly retryAfter?: number | undefined }
  | undefined

/** A message as `classify` and `backoff` see it: its body may not even have been readable. */
export interface FailedMessage extends ReceivedMessage {
  readonly attempt: number
}

/** A message that the dead-letter queue took. */
export interface DeadMessage {
  readonly record: SqsRecord
  readonly evidence: Evidence
}

/** The only thing redrive asks of an SDK client. */
export interface SdkClient {
  send(command: never, options?: { abortSignal?: AbortSignal }): Promise<unknown>
}

/** A store that is opened when the consumer knows its environment, as `dynamoStore()` is. */
export interface StoreMaker {
  readonly kind: string
  open(environment: { readonly table: string | undefined; readonly client: SdkClient | undefined }): IdempotencyStore
}

/** How a consumer behaves. Every option has a default; an option wins over the environment. */
export interface Options<S extends Schema | undefined = undefined, B extends 'json' | 'text' = 'json', R = unknown> {
  /**
   * A Standard Schema (zod, valibot, arktype, …) for the payload. A misfit is permanent; its issues are in the evidence.
   * @default none: the payload is `unknown`
   */
  readonly schema?: S
  /**
   * How the body is read: as JSON, as text, or by a function of your own, whose throws are classified.
   * @default 'json'
   */
  readonly body?: B | ((text: string, record: SqsRecord) => R)
  /**
   * The idempotency key: what must be done once. `false`: no idempotency. A key that is `undefined`, `''`, `null` or an array
   * with such a part is a permanent error, never a key that messages share.
   * @default the producer's `idempotency-key` attribute, else the id of the message when it was first sent
   */
  readonly key?: false | ((payload: Payload<S, B, R>, message: DecodedMessage<Payload<S, B, R>>) => Key)
  /**
   * What must be equal when one key comes twice, from the decoded body before the schema. `false`: nothing is compared.
   * @default the whole decoded body, independent of the order of keys
   */
  readonly fingerprint?: false | ((decoded: unknown) => unknown)
  /**
   * Where idempotency records live.
   * @default dynamoStore() where REDRIVE_TABLE is set, else none: said once in the log
   */
  readonly store?: IdempotencyStore | StoreMaker | false
  /**
   * Errors that are never worth another try: classes, names or codes, predicates. Looked for in the whole cause chain.
   * @default []
   */
  readonly permanent?: readonly Matcher[]
  /**
   * Errors that are worth another try. `permanent` is asked first.
   * @default []
   */
  readonly retryable?: readonly Matcher[]
  /**
   * Your own word on an error, asked before all rules. If it throws, that is logged and the rules decide.
   * @default none
   */
  readonly classify?: (error: unknown, message: FailedMessage) => ClassifyAnswer
  /**
   * How many runs of the handler a message gets: all together (`retryable`), and those that failed for reasons nobody knows
   * (`unknown`). Limit: 1 to 1,000, `unknown` not above `retryable`.
   * @default { retryable: 12, unknown: 5 }
   */
  readonly maxAttempts?: number | { readonly retryable?: number; readonly unknown?: number }
  /**
   * Seconds since the message was sent, after which it is dead without running. Keep it below the queue's retention: SQS
   * deletes silently what is older. Limit: 1 to 1,209,600.
   * @default REDRIVE_MAX_AGE, else none
   */
  readonly maxAge?: number
  /**
   * What to wait after a failed attempt: a backoff value for all failures, or seconds from a function (0 to 42,000; a
   * Retry-After stays the floor). If the function throws or gives no number, that is logged and the default applies.
   * @default exponential() for retryable, schedule([5, 30, 120, 600]) for unknown
   */
  readonly backoff?: Backoff | ((attempt: number, error: unknown, message: FailedMessage) => number)
  /**
   * URL of the dead-letter queue.
   * @default REDRIVE_DLQ_URL, else none: dead messages stay failures, and SQS's own redrive policy moves them
   */
  readonly deadLetterQueue?: string
  /**
   * `true`: the event source mapping has ReportBatchItemFailures. The code can't see it, and without it SQS deletes failed
   * messages: unless this or the environment says so, the log warns once.
   * @default REDRIVE_PARTIAL=1
   */
  readonly partialBatch?: boolean
  /**
   * What a dead letter means to the rest of its message group: `continue` lets it go on.
   * @default { onDead: 'continue' }
   */
  readonly fifo?: { readonly onDead?: 'continue' }
  /**
   * How many messages of a batch run side by side. Limit: 1 to 10,000.
   * @default 50
   */
  readonly concurrency?: number
  /**
   * Called after the dead-letter queue took a message. What it throws is logged and changes nothing.
   * @default none
   */
  readonly onDead?: (letter: DeadMessage) => unknown
  /**
   * The consumer's name: part of every idempotency key and the dimension of its metrics. Changing it forgets what was done.
   * Limit: 1 to 128 characters.
   * @default the queue's name
   */
  readonly name?: string
  /**
   * Where log lines go: console, Powertools' logger, pino.
   * @default JSON lines on standard output, from level REDRIVE_LOG_LEVEL (info)
   */
  readonly logger?: Logger
  /**
   * Where counts and durations go; `false`: nowhere.
   * @default CloudWatch's embedded metric format on standard output, namespace `redrive`, dimension `consumer`
   */
  readonly metrics?: Metrics | false
  /**
   * Ready SDK clients.
   * @default made when first needed
   */
  readonly clients?: { readonly sqs?: SdkClient; readonly dynamodb?: SdkClient }
}

/** Options of any consumer, after the types have done their work. */
// biome-ignore lint/suspicious/noExplicitAny: the payload's type is known to the caller alone; nothing here looks into it
export type AnyOptions = Options<Schema | undefined, 'json' | 'text', any>
