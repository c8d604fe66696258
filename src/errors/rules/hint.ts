import type { Link } from '../chain.ts'
import { isObject, read } from '../read.ts'
import { family } from './family.ts'

/** What an error says of itself in so many words. */
export const hint = family(
  'hint',
  ({ value }) => [isRetryable(value) ? 'yes' : typeof read(value, 'msBeforeNext') === 'number' ? 'limiter' : ''],
  {
    throttled: 'limiter',
    hinted: 'yes',
  },
)

/** `retryable: false` is weaker: AWS SDK 2 says so of a conflict, and others of what only they themselves will not retry. */
export const hintAgainst = family('hint', (link) => [isFinal(link) ? 'no' : ''], { refused: 'no' })

function isRetryable(value: unknown): boolean {
  const words = ['retryable', 'isRetryable', 'retriable', 'isRetriable', 'transient', 'isTransient', 'shouldRetry', 'canRetry']
  return words.some((word) => read(value, word) === true) || isObject(read(value, '$retryable'))
}

function isFinal({ value, name, code, status, children }: Link): boolean {
  return read(value, 'retryable') === false && status === undefined && children.length === 0 && name !== code
}
