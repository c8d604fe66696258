import type { Outcome, Tally } from './flow/decide.ts'
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
export interface Leased extends Omit<Opened, 'is'> {
  readonly is: 'leased'
  /** The record as it stands while it is ours; none without a store. */
  readonly record: LeaseRecord | undefined
  readonly tally: Tally
}

/** What a message comes to, and what its effects need to know. */
export interface Decision {
  readonly is: 'decided'
  readonly message: ReceivedMessage
  readonly outcome: Outcome
  /** The record that is ours and must be ended. */
  readonly record?: LeaseRecord | undefined
  readonly key?: string
  /** The attempts that a dead letter tells of. */
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
