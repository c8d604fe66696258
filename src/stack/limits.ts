/** Numbers that the generator sets, and the doctor compares with. Seconds where nothing else is said. */
import { isFifo } from './names.ts'
import type { ConsumerOptions, ServiceOptions } from './options.ts'

/** The most that SQS has: letters must outlive the weekend, and a standard queue counts from the first send (F41, B17). */
export const DEAD_LETTER_RETENTION = 1_209_600

/** SQS's own default, 4 days. */
export const DEFAULT_RETENTION = 345_600

const DAY = 86_400

/** With a table redrive counts attempts itself, and SQS's count is only the net behind it; 1,000 is the most it takes (F37). */
export const RECEIVES_WITH_TABLE = 1000

/** Without a table receives are the attempts; waits behind a throttle and in a group cost receives too (F54, F63, F69). */
const RECEIVES_PER_ATTEMPT = 3
const FEWEST_RECEIVES = 5

const DEFAULT_MAX_ATTEMPTS = 12

/** Six times the function's timeout, plus the batching window: AWS's own advice (F53). */
export function visibilityTimeoutOf(consumer: ConsumerOptions): number {
  return 6 * consumer.functionTimeout + batchWindowOf(consumer)
}

/** At least a second where a batch may be larger than ten, for Lambda refuses the mapping otherwise (F51). */
export function batchWindowOf({ batchWindow, batchSize = 10 }: ConsumerOptions): number {
  return batchWindow ?? (batchSize > 10 ? 1 : 0)
}

/** When SQS itself moves a message, whatever the consumer thinks of it. */
export function maxReceiveCountOf({ maxAttempts = DEFAULT_MAX_ATTEMPTS }: ConsumerOptions, { table }: ServiceOptions): number {
  if (table !== false) return RECEIVES_WITH_TABLE
  return Math.min(1000, Math.max(FEWEST_RECEIVES, RECEIVES_PER_ATTEMPT * maxAttempts))
}

/** A queue's retention less a day, half of it under two days: a message that is too old still exists then, and can be kept. */
export function defaultMaxAge(retention: number): number {
  return retention >= 2 * DAY ? retention - DAY : Math.floor(retention / 2)
}

/** `undefined` on one's own queue, whose retention nobody told us. */
export function maxAgeOf(
  { maxAge, queue }: ConsumerOptions,
  { retention = DEFAULT_RETENTION }: ServiceOptions,
): number | undefined {
  if (maxAge !== undefined) return maxAge
  return 'make' in queue ? defaultMaxAge(retention) : undefined
}

/** What Lambda takes in one batch. */
export const largestBatch = (consumer: ConsumerOptions): number => (isFifo(consumer) ? 10 : 10_000)

/** A fifth of what a message may wait. One's own queue without a `maxAge` counts as one of SQS's default retention. */
export function alarmingAge(consumer: ConsumerOptions, service: ServiceOptions): number {
  return Math.max(1, Math.floor((maxAgeOf(consumer, service) ?? defaultMaxAge(DEFAULT_RETENTION)) / 5))
}
