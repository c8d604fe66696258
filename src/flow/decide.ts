import type { Verdict } from '../errors/verdict.ts'
import type { MaxAttempts, Tally } from './attempts.ts'
import { atLeast, type Backoff, delay, LONGEST_VISIBILITY, wholeSeconds } from './backoff.ts'
import { notBeyond } from './delays.ts'
import type { HistoryNote } from './record.ts'
import { tooOld, type Waiting } from './too-old.ts'

/** Why a message went to the dead-letter queue. */
export type DeadReason = 'permanent' | 'attempts-used-up' | 'too-old'

/** A failure, what the classifier said of it, and how history and log tell of it. */
export interface Failure {
  readonly error: unknown
  readonly verdict: Verdict
  readonly note: HistoryNote
}

/** What became of one message (DESIGN 4.3). */
export type Outcome =
  | { readonly is: 'done' }
  | { readonly is: 'duplicate' }
  | { readonly is: 'retry'; readonly failure: Failure; readonly seconds: number }
  /** `counts`: it had its time, so it was an attempt. */
  | { readonly is: 'cut'; readonly counts: boolean }
  | { readonly is: 'dead'; readonly reason: DeadReason; readonly failure?: Failure }
  /** `until`: when the other run's lease ends (epoch ms); `seconds`: what the other message of this batch waits. */
  | { readonly is: 'busy'; readonly until?: number; readonly seconds?: number | undefined }
  | { readonly is: 'held'; readonly seconds: number | undefined }
  /** No time left · the store is out of reach · redrive itself failed on this message. */
  | { readonly is: 'deferred'; readonly because: 'no-time' | 'store' | 'framework' }

/** The consumer's limits and backoff. */
export interface Limits {
  readonly maxAttempts: MaxAttempts
  readonly backoff: { readonly retryable: Backoff; readonly unknown: Backoff }
}

/**
 * What a failed attempt comes to. `custom` is the delay that the user's own backoff function gave; it replaces ours, but no floor.
 */
export function afterFailure(
  failure: Failure,
  tally: Tally,
  sentAt: Date,
  limits: Limits,
  waiting: Waiting,
  custom?: number,
): Outcome {
  const { verdict, retryAfter = 0 } = failure.verdict
  if (verdict === 'permanent') return { is: 'dead', reason: 'permanent', failure }
  if (tooOld(sentAt, waiting)) return { is: 'dead', reason: 'too-old', failure }
  const failures = tally[verdict] + 1
  const usedUp =
    tally.attempts >= limits.maxAttempts.retryable || (verdict === 'unknown' && failures >= limits.maxAttempts.unknown)
  if (usedUp) return { is: 'dead', reason: 'attempts-used-up', failure }
  const { random } = waiting
  const floor = Math.min(retryAfter, LONGEST_VISIBILITY)
  const seconds =
    custom === undefined
      ? delay(limits.backoff[verdict], failures, random, floor)
      : floor > custom
        ? atLeast(floor, random)
        : wholeSeconds(custom, random)
  return { is: 'retry', failure, seconds: notBeyond(seconds, sentAt, waiting) }
}
