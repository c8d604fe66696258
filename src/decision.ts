import type { Tally } from './flow/attempts.ts'
import type { Outcome } from './flow/decide.ts'
import type { Evidence } from './flow/evidence.ts'
import type { DecodedMessage, ReceivedMessage } from './flow/message.ts'
import type { LeaseRecord } from './flow/record.ts'

/** A message whose body was read: ready for its lease. */
export interface Opened {
  readonly is: 'opened'
  readonly message: DecodedMessage
  /** The namespaced idempotency key. */
  readonly key: string
  readonly fingerprint: string
}

/** A message whose handler may run. */
export interface Leased {
  readonly is: 'leased'
  readonly message: DecodedMessage
  readonly key: string
  /** The record as it stands while it is ours; none without a store. */
  readonly record: LeaseRecord | undefined
  readonly tally: Tally
}

/** A message on which something was thrown, before its verdict. Without a record of ours nothing ran, or there is no store. */
export interface Failed {
  readonly is: 'failed'
  readonly message: ReceivedMessage
  readonly error: unknown
  readonly tally: Tally
  readonly key?: string
  readonly record?: LeaseRecord | undefined
  /** How many times the handler ran. */
  readonly attempts?: number
}

/** What a message comes to, and what its effects need to know. */
export interface Decision {
  readonly is: 'decided'
  readonly message: ReceivedMessage
  readonly outcome: Outcome
  readonly key?: string
  /** The record that is ours and must be ended. */
  readonly record?: LeaseRecord | undefined
  /** How many times the handler ran. */
  readonly attempts?: number
  /** The evidence of a death that no dead-letter queue took so far: nothing ran, it is only sent again. */
  readonly kept?: Evidence
  /** A begin whose answer never came. */
  readonly unanswered?: { readonly id: string; readonly run: string }
}

/** A message after its effects. `seconds`: the visibility timeout it got; `undefined`: SQS's own applies. */
export interface Settled {
  readonly outcome: Outcome
  readonly stays: boolean
  readonly seconds?: number | undefined
}
