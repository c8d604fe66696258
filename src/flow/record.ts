/** The idempotency record: the item that belongs to one key. Its rules are in lease.ts. */

export type LeaseState = 'running' | 'failed' | 'done' | 'dead'

/** A failed attempt, as the record and the evidence remember it. No payload, ever. */
export interface HistoryNote {
  /** ISO time. */
  readonly at: string
  readonly name: string
  /** At most 200 characters. */
  readonly message: string
  readonly rule: string
}

/** The item in the table. One item a key; written only under conditions. */
export interface LeaseRecord {
  /** The namespaced idempotency key. */
  readonly id: string
  readonly state: LeaseState
  /** The run that wrote last. */
  readonly run: string
  /** Epoch ms from which time alone frees it: running: the lease's end; failed: 0; done: its expiry; dead: {@link NEVER}. */
  readonly freeAt: number
  /** Attempts so far, the running one included. */
  readonly attempts: number
  /** Runs in a row whose end nobody wrote, the running one included. */
  readonly open: number
  /** Attempts that failed as retryable. */
  readonly retryable: number
  /** Attempts that failed as unknown. */
  readonly unknown: number
  readonly history: readonly HistoryNote[]
  /** Results of `once`, as JSON texts. */
  readonly steps: Readonly<Record<string, string>>
  readonly fingerprint: string
  /** The SQS message that wrote last; of a `dead` record: the one that died. */
  readonly messageId: string
  /** That message's first id, which survives replays. */
  readonly firstMessageId: string
  /** Of a `dead` record whose letter the dead-letter queue has not taken: the evidence in short; else `''`. */
  readonly letter: string
  /** Epoch seconds; the TTL attribute. DynamoDB deletes days late, so every condition compares it (F87). */
  readonly expiresAt: number
}

/** A `freeAt` that time never reaches. */
export const NEVER = Number.MAX_SAFE_INTEGER
