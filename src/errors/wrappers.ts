import { type Mark, markOf, putMark } from './brand.ts'
import { chainOf, membersOf } from './chain.ts'
import { messageOf } from './describe.ts'
import { PermanentError, RetryableError } from './errors.ts'
import { read } from './read.ts'

/**
 * Calls `fn`; what it throws is worth another try, unless it says otherwise itself (RetryableError, PermanentError, one of these
 * wrappers): `await retryable(() => upstream.json())`. The error stays the one that was thrown.
 */
export function retryable<T>(fn: () => T): T {
  return marking('retryable', fn)
}

/**
 * Calls `fn`; what it throws will never succeed, unless it says otherwise itself (RetryableError, PermanentError, one of these
 * wrappers): `permanent(() => parseCsv(body))`. The error stays the one that was thrown.
 */
export function permanent<T>(fn: () => T): T {
  return marking('permanent', fn)
}

function marking<T>(mark: Mark, fn: () => T): T {
  let result: T
  try {
    result = fn()
  } catch (error) {
    throw marked(error, mark)
  }
  if (typeof read(result, 'then') !== 'function') return result
  const settled = Promise.resolve(result).catch((error: unknown) => {
    throw marked(error, mark)
  })
  return settled as T
}

/** The error with the mark; what takes none (frozen, a string) as the cause of one that has it, under the same message. */
function marked(error: unknown, mark: Mark): unknown {
  if (carriesMark(error) || putMark(error, mark)) return error
  const MarkedError = mark === 'retryable' ? RetryableError : PermanentError
  return new MarkedError(messageOf(error), { cause: error })
}

function carriesMark(error: unknown): boolean {
  return chainOf(error).some((link) => markOf(link.value) ?? membersOf(link).some(([, member]) => markOf(member)))
}
