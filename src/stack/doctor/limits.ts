/** Numbers that the doctor asks for; where the generator keeps to them, they are the generator's own. */
import { DEAD_LETTER_RETENTION, RECEIVES_WITH_TABLE } from '../limits.ts'

export { DEFAULT_RETENTION } from '../limits.ts'

/** The visibility timeout is so many times the function's timeout, plus the batching window (F53). */
export const VISIBILITY_FACTOR = 6
/** Fewer receives are used up by throttling alone (F54, B38). */
export const LEAST_RECEIVES = 5
/** The most that SQS takes as maxReceiveCount (F37). */
export const MOST_RECEIVES = RECEIVES_WITH_TABLE
/** The consumer's own `maxAttempts.retryable` where it says nothing. */
export const DEFAULT_ATTEMPTS = 12
/** 14 days, the most that SQS takes (F8). */
export const LONGEST_RETENTION = DEAD_LETTER_RETENTION
/** The table's key and the attribute by which DynamoDB deletes records. */
export const TABLE_KEY: readonly string[] = ['id S']
export const TTL_ATTRIBUTE = 'expiresAt'
/** The oldest Node.js that redrive runs on. */
export const OLDEST_NODE = 22
