import type { Verdict } from '../errors/verdict.ts'
import { atLeast, type Backoff, delay, exponential, LONGEST_VISIBILITY, wholeSeconds } from './backoff.ts'
import type { Random } from './ports.ts'

/** Why a message went to the dead-letter queue. */
export type DeadReason = 'permanent' | 'attempts-used-up' | 'too-old'

/** A failure and what the classifier said of it. */
export interface Failure {
  readonly error: unknown
  readonly verdict: Verdict
}

/** What became of one message (DESIGN 4.3). `seconds`: the visibility timeout to set; `undefined`: none. */
export type Outcome =
  | { readonly is: 'done' }
  | { readonly is: 'duplicate' }
  | { readonly is: 'retry'; readonly failure: Failure; readonly seconds: number }
  | { readonly is: 'cut'; readonly counts: boolean; readonly seconds: number }
  | { readonly is: 'dead'; readonly reason: DeadReason; readonly failure: Failure | undefined; readonly seconds: number }
  | { readonly is: 'busy'; readonly seconds: number | undefined }
  | { readonly is: 'held'; readonly seconds: number | undefined }
  | {
      readonly is: 'deferred'
      /** No time left · the store is out of reach · redrive itself failed on this message. */
      readonly because: 'no-time' | 'store' | 'framework'
      readonly seconds: number | undefined
      readonly error?: unknown
    }

/** The attempts of a message: the running one included in `attempts`, the failures those before it. */
export interface Tally {
  readonly attempts: number
  readonly retryable: number
  readonly unknown: number
}

/** What deciding needs to know beside the message: the consumer's limits, the time, chance. */
export interface Rules {
  readonly maxAttempts: { readonly retryable: number; readonly unknown: number }
  readonly backoff: { readonly retryable: Backoff; readonly unknown: Backoff }
  /** Seconds since the message was sent; `undefined`: no limit. */
  readonly maxAge: number | undefined
  readonly now: number
  readonly random: Random
}

/** Without a store SQS's receive count stands for all three counts (DESIGN 4.4). */
export const tallyOfReceives = (receiveCount: number): Tally => ({
  attempts: receiveCount,
  retryable: receiveCount - 1,
  unknown: receiveCount - 1,
})

/** Whether the message has waited for longer than it may. */
export const tooOld = (sentAt: Date, rules: Pick<Rules, 'maxAge' | 'now'>): boolean =>
  rules.maxAge !== undefined && rules.now - sentAt.getTime() > rules.maxAge * 1000

/** Whether no verdict would get another attempt after number `attempts`. */
export const isLast = (attempts: number, rules: Pick<Rules, 'maxAttempts'>): boolean => attempts >= rules.maxAttempts.retryable

/**
 * What a failed attempt comes to. `custom` is the delay that the user's own backoff function gave; it replaces ours, but no floor.
 */
export function afterFailure(failure: Failure, tally: Tally, sentAt: Date, rules: Rules, custom?: number): Outcome {
  const { verdict, retryAfter } = failure.verdict
  const kind = verdict === 'unknown' ? 'unknown' : 'retryable'
  const failures = tally[kind] + 1
  const floor = Math.min(retryAfter ?? 0, LONGEST_VISIBILITY)
  const backoff = rules.backoff[kind]
  const wanted = custom === undefined ? delay(backoff, failures, rules.random, floor) : customDelay(custom, floor, rules.random)
  const seconds = notBeyond(wanted, sentAt, rules)
  if (verdict === 'permanent') return { is: 'dead', reason: 'permanent', failure, seconds }
  if (tooOld(sentAt, rules)) return { is: 'dead', reason: 'too-old', failure, seconds }
  const usedUp = tally.attempts >= rules.maxAttempts.retryable || (kind === 'unknown' && failures >= rules.maxAttempts.unknown)
  if (usedUp) return { is: 'dead', reason: 'attempts-used-up', failure, seconds }
  return { is: 'retry', failure, seconds }
}

const customDelay = (custom: number, floor: number, random: Random): number =>
  floor > custom ? atLeast(floor, random) : wholeSeconds(custom, random)

/** For a message that waits for something that ends at a known time: a lease, another run. */
export const untilTime = (until: number, sentAt: Date, rules: Rules): number =>
  notBeyond(atLeast((until - rules.now) / 1000, rules.random), sentAt, rules)

/** For a message that did not start because the invocation's time was over: 0 or 1 second. */
export const atOnce = (rules: Pick<Rules, 'random'>): number => wholeSeconds(rules.random(), rules.random)

const STORE_OUT_OF_REACH = exponential({ base: 2, factor: 2, cap: 300, jitter: 0.2 })

/** For a message that did not run because the store is out of reach. No attempt was made, so receives set the pace. */
export const storeDelay = (receiveCount: number, sentAt: Date, rules: Rules): number =>
  notBeyond(delay(STORE_OUT_OF_REACH, receiveCount, rules.random), sentAt, rules)

/** For a dead message that stays in the queue because no dead-letter queue took it. */
export const buryDelay = (receiveCount: number, sentAt: Date, rules: Rules): number =>
  notBeyond(delay(rules.backoff.retryable, receiveCount, rules.random), sentAt, { ...rules, maxAge: undefined })

/**
 * A message that waits past its queue's retention is deleted by SQS, silently: no visibility timeout passes the moment at which
 * the message is too old and goes to the dead-letter queue with all it has.
 */
function notBeyond(seconds: number, sentAt: Date, rules: Pick<Rules, 'maxAge' | 'now'>): number {
  if (rules.maxAge === undefined) return seconds
  const left = Math.floor((sentAt.getTime() + rules.maxAge * 1000 - rules.now) / 1000)
  return Math.min(seconds, Math.max(left, 1))
}
