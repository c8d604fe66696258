import type { Link } from './chain.ts'
import { headerOf } from './headers.ts'
import { call, read, readList } from './read.ts'

/** No visibility timeout is set beyond this: SQS counts its 12 hours from the receive, a moment that nobody knows exactly. */
export const longestRetryAfter = 42_000

/** Seconds to wait at least, from the first link that names them, at most 42,000; `undefined` where none does. */
export function retryAfterOf(links: readonly Link[], now: number | undefined): number | undefined {
  for (const { value, opaque } of links) {
    if (opaque) continue
    const seconds = fromFields(value) ?? fromHeaders(value, now) ?? fromDetails(value) ?? fromDate(value, now)
    if (seconds !== undefined && seconds >= 0) return Math.min(seconds, longestRetryAfter)
  }
  return undefined
}

function fromFields(error: unknown): number | undefined {
  // discord.js counts in milliseconds.
  const unit = typeof read(error, 'timeToReset') === 'number' ? 1000 : 1
  for (const holder of [error, read(error, 'parameters'), read(error, 'rawError')]) {
    const seconds = firstNumber(['retryAfter', 'retryAfterSeconds', 'retry_after'], (field) => read(holder, field))
    if (seconds !== undefined) return seconds / unit
  }
  const milliseconds = firstNumber(['retryAfterMs', 'retryAfterInMs', 'msBeforeNext'], (field) => read(error, field))
  return milliseconds === undefined ? undefined : milliseconds / 1000
}

function fromHeaders(error: unknown, now: number | undefined): number | undefined {
  const header = (name: string): unknown => headerOf(error, name)
  const milliseconds = firstNumber(['retry-after-ms', 'x-ms-retry-after-ms', 'grpc-retry-pushback-ms'], header)
  if (milliseconds !== undefined) return milliseconds / 1000
  const retryAfter = header('retry-after')
  const seconds = asNumber(retryAfter) ?? untilDate(retryAfter, now ?? asTime(header('date')))
  if (seconds !== undefined) return seconds
  if (asNumber(header('x-ratelimit-remaining')) !== 0) return undefined
  const reset = asNumber(header('x-ratelimit-reset'))
  // A number of seconds with some services, a moment in epoch seconds with others.
  if (reset === undefined || reset < 1e9) return reset
  return now === undefined ? undefined : Math.max(0, reset - now / 1000)
}

/** gRPC's RetryInfo as Google's clients decode it: `{ retryDelay: '34s' }` or `{ retryDelay: { seconds, nanos } }`. */
function fromDetails(error: unknown): number | undefined {
  for (const detail of ['statusDetails', 'errorDetails', 'details'].flatMap((field) => readList(error, field))) {
    const delay = read(detail, 'retryDelay')
    if (typeof delay === 'string' && /^[\d.]+s$/.test(delay)) return Number.parseFloat(delay)
    const seconds = asNumber(read(delay, 'seconds'))
    if (seconds !== undefined) return seconds + (asNumber(read(delay, 'nanos')) ?? 0) / 1e9
  }
  return undefined
}

/** A token that is not valid yet says from when on it is. */
function fromDate(error: unknown, now: number | undefined): number | undefined {
  return read(error, 'name') === 'NotBeforeError' ? untilDate(read(error, 'date'), now) : undefined
}

function untilDate(date: unknown, now: number | undefined): number | undefined {
  const time = asTime(date)
  return time === undefined || now === undefined ? undefined : Math.max(0, (time - now) / 1000)
}

function asTime(date: unknown): number | undefined {
  // `Date.parse` takes almost anything, `-3` for one.
  const time =
    typeof date === 'string' ? Date.parse(/\d\d:\d\d/.test(date) ? date.slice(0, 50) : '') : asNumber(call(date, 'getTime', ''))
  return Number.isFinite(time) ? time : undefined
}

function firstNumber(names: readonly string[], readOne: (name: string) => unknown): number | undefined {
  for (const name of names) {
    const number = asNumber(readOne(name))
    if (number !== undefined) return number
  }
  return undefined
}

function asNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}
