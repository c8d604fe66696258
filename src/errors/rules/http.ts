import type { Link } from '../chain.ts'
import { headerOf } from '../headers.ts'
import { familyByKey } from './family.ts'

/** HTTP statuses that say something about this very request. */
export const http = familyByKey('http', keys, {
  throttled: '429 420 limited',
  timeout: '408 499',
  unavailable: '421 425',
  conflict: '423 449',
  hinted: 'should-retry',
  denied: '401 403 407 419 440 498',
  contested: '409',
  unclear: '424 should-not-retry',
  misconfigured: '3xx',
  nonexistent: '404 410',
  invalid: '400 413 415 422 4xx 501 505',
})

/** The server failed. That is true of every request at this moment, so an error beneath that is more precise comes first. */
export const httpServer = familyByKey('http', ({ status }) => withClass(status), {
  unavailable: '500 502 503 504 5xx',
})

/** An answer came and was called good, and yet there is an error. */
export const httpAnswer = familyByKey('http', ({ status }) => withClass(status), { answer: '2xx' })

function keys({ status = 0, value }: Link): ReadonlyArray<string | number | undefined> {
  if (status < 300) return []
  const wish = String(headerOf(value, 'x-should-retry') ?? headerOf(value, 'stripe-should-retry'))
  if (wish === 'true') return ['should-retry']
  if (wish === 'false' && status >= 500) return ['should-not-retry']
  return status === 403 && isLimited(value) ? ['limited'] : withClass(status)
}

/** Some services answer 403 where others answer 429. */
function isLimited(error: unknown): boolean {
  return headerOf(error, 'retry-after') !== undefined || Number(headerOf(error, 'x-ratelimit-remaining') ?? 1) === 0
}

function withClass(status = 0): ReadonlyArray<string | number> {
  return [status, `${Math.floor(status / 100)}xx`]
}
