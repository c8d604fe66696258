/** What the flow needs of the world, as types only. The rooms around it (`aws`, `testing`) implement them. */
import type { HistoryNote, LeaseRecord } from './record.ts'

/** Time. Passed in everywhere, so that a test or a simulator decides what time it is. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  /** Runs `task` once, `ms` milliseconds from now, and keeps the process alive until then. Returns what cancels it. */
  after(ms: number, task: () => void): () => void
}

/** A number from 0 (included) to 1 (excluded), as `Math.random` gives. */
export type Random = () => number

/** Where the log lines go: console, Powertools' logger and pino fit. */
export interface Logger {
  debug(message: string, fields: Record<string, unknown>): void
  info(message: string, fields: Record<string, unknown>): void
  warn(message: string, fields: Record<string, unknown>): void
  error(message: string, fields: Record<string, unknown>): void
}

/** A logger whose lines carry fields already, so that it can do without more. */
export interface Log extends Logger {
  debug(message: string, fields?: Record<string, unknown>): void
  info(message: string, fields?: Record<string, unknown>): void
  warn(message: string, fields?: Record<string, unknown>): void
  error(message: string, fields?: Record<string, unknown>): void
}

/** Where counts and durations go. Called during the invocation, `flush` once at its end. */
export interface Metrics {
  /** Adds to a count, e.g. `done`, `retry`, `dead_letter_failed`. */
  count(name: string, value: number): void
  /** One measured value, in the unit given. */
  measure(name: string, value: number, unit: 'Seconds' | 'Milliseconds'): void
  flush?(): void | Promise<void>
}

// ---- the idempotency store -------------------------------------------------------------------------------------------

/** What a run says of itself when it asks for the lease of a key. */
export interface BeginRequest {
  /** The namespaced idempotency key: the record's id. */
  readonly id: string
  /** A token of this run alone: one message in one invocation. */
  readonly run: string
  /** The id of the SQS message in hand. A re-sent message has a new one (F40, F48). */
  readonly messageId: string
  /** The id of the message when it was first sent: survives replays. */
  readonly firstMessageId: string
  /** Hash of the decoded body; `''`: not compared. */
  readonly fingerprint: string
  /** Epoch ms. */
  readonly now: number
  /** Epoch ms at which the lease ends by itself. */
  readonly leaseUntil: number
  /** Epoch seconds at which DynamoDB may delete the record. */
  readonly expiresAt: number
}

/** What became of a {@link BeginRequest}. */
export type BeginResult =
  /** The lease is ours; the record as it stands now. `open` counts the runs before ours whose end nobody wrote. */
  | { readonly is: 'acquired'; readonly record: LeaseRecord; readonly open: number }
  /** Another run holds the lease, until this time (epoch ms). */
  | { readonly is: 'busy'; readonly until: number }
  /** The work is done already. */
  | { readonly is: 'done' }
  /** This very message died and the dead-letter queue has it. */
  | { readonly is: 'dead' }
  /** This very message died and the dead-letter queue has not taken it yet: send `letter` again, run nothing. */
  | { readonly is: 'undelivered'; readonly record: LeaseRecord }
  /** The key belongs to another payload. */
  | { readonly is: 'mismatch'; readonly record: LeaseRecord }

/** How the owner of a lease ends its run. `record` is the one that begin gave. */
export type EndRequest = { readonly record: LeaseRecord; readonly now: number; readonly expiresAt: number } & (
  | { readonly to: 'done' }
  /** The attempt failed and there will be another. */
  | { readonly to: 'failed'; readonly verdict: 'retryable' | 'unknown'; readonly note: HistoryNote }
  /** Still running at the deadline: the lease stays, `counts` says whether it was an attempt. */
  | { readonly to: 'cut'; readonly counts: boolean; readonly note: HistoryNote }
  /** The handler never ran: as if begin had not been. */
  | { readonly to: 'released' }
  /** Dead. `letter` is the evidence in short while the dead-letter queue has not taken the message, else `''`. */
  | { readonly to: 'dead'; readonly letter: string; readonly note: HistoryNote | undefined }
  /** The dead-letter queue took a message whose record was `undelivered`. */
  | { readonly to: 'delivered' }
)

/** `lost`: another run took the record over; `seen` is what it says now. */
export type EndResult = { readonly is: 'stored' } | { readonly is: 'lost'; readonly seen: LeaseRecord | undefined }

/**
 * One record a key, with conditional writes. Every store passes `test/conformance/store.ts`. A call rejects when the store
 * is out of reach; what it then did is unknown, until `giveBack`.
 */
export interface IdempotencyStore {
  begin(request: BeginRequest, signal?: AbortSignal): Promise<BeginResult>
  end(request: EndRequest, signal?: AbortSignal): Promise<EndResult>
  /** After a begin whose answer never came: frees the record if that begin was stored after all. */
  giveBack(
    request: { readonly id: string; readonly run: string; readonly now: number; readonly expiresAt: number },
    signal?: AbortSignal,
  ): Promise<void>
  read(id: string, signal?: AbortSignal): Promise<LeaseRecord | undefined>
}

// ---- SQS -------------------------------------------------------------------------------------------------------------

/** One attribute as the SDK wants it. */
export interface LetterAttribute {
  readonly DataType: string
  readonly StringValue?: string
  readonly BinaryValue?: Uint8Array
}

/** A message on its way to the dead-letter queue. */
export interface Letter {
  readonly body: string
  readonly attributes: Readonly<Record<string, LetterAttribute>>
  readonly groupId: string | undefined
  readonly deduplicationId: string | undefined
  readonly traceHeader: string | undefined
}

/** What SQS said of one entry of a batch: `Failed` lists are read, an entry in neither list is a failure. */
export type EntryResult =
  | { readonly is: 'accepted' }
  | { readonly is: 'refused'; readonly code: string; readonly message: string }

/** The two things the flow asks of SQS. Neither rejects: a call that fails as a whole is a refusal of each of its entries. */
export interface Queue {
  /** Hides a message for a number of seconds. */
  hide(entry: { readonly queueArn: string; readonly receiptHandle: string; readonly seconds: number }): Promise<EntryResult>
  /** Sends a letter. `fit` makes it for a given size in bytes, so that a queue with a lower limit can be asked again. */
  bury(entry: { readonly queueUrl: string; readonly fit: (maximumBytes: number) => Letter }): Promise<EntryResult>
}
