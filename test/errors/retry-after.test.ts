import assert from 'node:assert/strict'
import { test } from 'node:test'
import { classify } from '../../src/errors/classify.ts'
import { PermanentError, RetryableError } from '../../src/errors/errors.ts'

const now = Date.parse('2026-11-30T12:00:00Z')
const inNinetySeconds = new Date(now + 90_000)

const seconds = (fields: object): number | undefined =>
  classify(Object.assign(new Error('limited'), { status: 429 }, fields), { now }).retryAfter

const places: Readonly<Record<string, (headers: object) => object>> = {
  'the error': (headers) => ({ headers }),
  response: (headers) => ({ response: { status: 429, headers } }),
  $response: (headers) => ({ $response: { headers } }),
  output: (headers) => ({ output: { headers } }),
  meta: (headers) => ({ meta: { headers } }),
  responseHeaders: (headers) => ({ responseHeaders: headers }),
}

const forms: Readonly<Record<string, (name: string, value: string) => object>> = {
  'an object': (name, value) => ({ [name]: value }),
  'an object in another spelling': (name, value) => ({ [name.replace(/\b\w/g, (letter) => letter.toUpperCase())]: value }),
  'an object of lists': (name, value) => ({ [name]: [value, '99'] }),
  Headers: (name, value) => new Headers({ [name]: value }),
  'a Map': (name, value) => new Map([[name, value]]),
  'a flat list': (name, value) => ['content-type', 'text/plain', name, value],
}

for (const [place, put] of Object.entries(places)) {
  for (const [form, make] of Object.entries(forms)) {
    test(`Retry-After is read from the headers of ${place}, as ${form}`, () => {
      assert.equal(seconds(put(make('retry-after', '17'))), 17)
    })
  }
}

test('Retry-After may be a date, read against the present', () => {
  assert.equal(seconds({ headers: { 'retry-after': inNinetySeconds.toUTCString() } }), 90)
  assert.equal(seconds({ headers: { 'retry-after': new Date(now - 5000).toUTCString() } }), 0)
})

test("without the present a date is read against the answer's own", () => {
  const headers = { 'retry-after': inNinetySeconds.toUTCString(), date: new Date(now).toUTCString() }
  assert.equal(classify({ status: 429, headers }).retryAfter, 90)
  assert.equal(classify({ status: 429, headers: { 'retry-after': inNinetySeconds.toUTCString() } }).retryAfter, undefined)
})

test('what is no number and no date is not read', () => {
  for (const value of ['', 'soon', '-3', 'NaN', 'Infinity', '1e9', 'x'.repeat(100_000)]) {
    assert.equal(seconds({ headers: { 'retry-after': value } }), undefined, value.slice(0, 20))
  }
})

test('headers in milliseconds come first', () => {
  assert.equal(seconds({ headers: { 'retry-after-ms': '2500', 'retry-after': '3' } }), 2.5)
  assert.equal(seconds({ headers: { 'x-ms-retry-after-ms': '1500' } }), 1.5)
})

test('x-ratelimit-reset counts only when nothing remains: seconds, or a moment in epoch seconds', () => {
  const limit = (remaining: string, reset: number) => ({
    headers: { 'x-ratelimit-remaining': remaining, 'x-ratelimit-reset': String(reset) },
  })
  assert.equal(seconds(limit('0', 30)), 30)
  assert.equal(seconds(limit('0', now / 1000 + 60)), 60)
  assert.equal(seconds(limit('3', 30)), undefined)
})

test('fields of the error itself: seconds, and milliseconds where the name or the library says so', () => {
  assert.equal(seconds({ retryAfter: 30 }), 30)
  assert.equal(seconds({ retryAfter: '30' }), 30)
  assert.equal(seconds({ retryAfterSeconds: '7' }), 7)
  assert.equal(seconds({ parameters: { retry_after: 8 } }), 8)
  assert.equal(seconds({ retryAfterMs: 2500 }), 2.5)
  assert.equal(seconds({ msBeforeNext: 1200 }), 1.2)
  assert.equal(seconds({ retryAfter: 1500, timeToReset: 1500 }), 1.5)
})

test('gRPC says it in metadata or in RetryInfo', () => {
  const grpc = (fields: object) => classify({ code: 8, details: 'd', ...fields }).retryAfter
  assert.equal(grpc({ metadata: { get: (name: string) => (name === 'retry-after' ? ['11'] : []) } }), 11)
  assert.equal(grpc({ metadata: { get: (name: string) => (name === 'grpc-retry-pushback-ms' ? ['700'] : []) } }), 0.7)
  assert.equal(grpc({ metadata: {}, statusDetails: [{}, { retryDelay: { seconds: '3', nanos: 500_000_000 } }] }), 3.5)
  assert.equal(grpc({ metadata: {}, errorDetails: [{ '@type': 'RetryInfo', retryDelay: '34s' }] }), 34)
})

test('a token that is not valid yet is worth another try from its date on', () => {
  const error = Object.assign(new Error('jwt not active'), { name: 'NotBeforeError', date: inNinetySeconds })
  assert.deepEqual([classify(error, { now }).verdict, classify(error, { now }).retryAfter], ['retryable', 90])
})

test('it is read along the chain, the outermost first', () => {
  const cause = Object.assign(new Error('limited'), { status: 429, headers: { 'retry-after': '60' } })
  assert.equal(classify(new Error('while charging', { cause })).retryAfter, 60)
  assert.equal(classify(new RetryableError('later', { retryAfter: 5, cause })).retryAfter, 5)
  assert.equal(classify(new RetryableError('now', { retryAfter: 0, cause })).retryAfter, 0)
  assert.equal(classify(new AggregateError([new Error('x'), cause])).retryAfter, 60)
})

test('it is at most 42,000 seconds: no visibility timeout is set beyond', () => {
  assert.equal(seconds({ headers: { 'retry-after': '86400' } }), 42_000)
  assert.equal(classify(new RetryableError('tomorrow', { retryAfter: 1e12 })).retryAfter, 42_000)
})

test('a permanent error has none', () => {
  assert.equal(classify(new PermanentError('no', { cause: { retryAfter: 5 } })).retryAfter, undefined)
})
