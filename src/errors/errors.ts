import { markClass, putMark } from './brand.ts'

/** What a RetryableError may be given beside its message. */
export interface RetryableErrorOptions {
  /** Seconds to wait at least before the next attempt. */
  readonly retryAfter?: number | undefined
  readonly cause?: unknown
}

/** Throw it where another try may succeed, whatever the error beneath says. */
export class RetryableError extends Error {
  static {
    markClass(RetryableError, 'RetryableError', 'retryable')
  }

  /** Seconds to wait at least before the next attempt. */
  declare readonly retryAfter?: number

  constructor(message?: string, options: RetryableErrorOptions = {}) {
    super(message, options)
    if (options.retryAfter === undefined) return
    checkSeconds(options.retryAfter, options.cause)
    this.retryAfter = options.retryAfter
  }
}

/** Throw it where the message can never succeed: it goes to the dead-letter queue at once. */
export class PermanentError extends Error {
  static {
    markClass(PermanentError, 'PermanentError', 'permanent')
  }
}

function checkSeconds(retryAfter: unknown, cause: unknown): void {
  if (typeof retryAfter === 'number' && Number.isFinite(retryAfter) && retryAfter >= 0) return
  const given = typeof retryAfter === 'number' ? String(retryAfter) : `a ${typeof retryAfter}`
  const refusal = new RangeError(`RetryableError: retryAfter is a number of seconds, 0 or more; it was ${given}.`, { cause })
  // It was meant as "try again". A bare RangeError would be read as a bug, and the message dead-lettered for it.
  putMark(refusal, 'retryable')
  throw refusal
}
