import { atLeast, type Backoff, delay, wholeSeconds } from './backoff.ts'
import type { Waiting } from './too-old.ts'

/**
 * A message that waits past its queue's retention is deleted by SQS, silently: no visibility timeout passes the moment at which
 * the message is too old and goes to the dead-letter queue with all it has.
 */
export function notBeyond(seconds: number, sentAt: Date, { maxAge, now }: Waiting): number {
  if (maxAge === undefined) return seconds
  const left = (sentAt.getTime() + maxAge * 1000 - now) / 1000
  // What is too old already waits for something else: for another run's lease, for its dead-letter queue.
  return left <= 0 ? seconds : Math.min(seconds, Math.max(1, Math.floor(left)))
}

/** For a message that waits for something that ends at a known time: a lease, another run. */
export const untilTime = (until: number, sentAt: Date, waiting: Waiting): number =>
  notBeyond(atLeast((until - waiting.now) / 1000, waiting.random), sentAt, waiting)

/** For a message that did not start because the invocation's time was over: 0 or 1 second. */
export const atOnce = ({ random }: Waiting): number => wholeSeconds(random(), random)

const STORE_OUT_OF_REACH: Backoff = { seconds: (receives) => Math.min(300, 2 ** receives), cap: 300, jitter: 0.2 }

/** For a message that did not run because the store is out of reach. No attempt was made, so receives set the pace. */
export const storeDelay = (receiveCount: number, sentAt: Date, waiting: Waiting): number =>
  notBeyond(delay(STORE_OUT_OF_REACH, receiveCount, waiting.random), sentAt, waiting)
