import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { type Provider, startProvider } from '../demo/provider/provider.ts'

const NOW = Date.UTC(2026, 0, 1, 12, 0, 0, 400)
let provider: Provider
let arrived: PromiseWithResolvers<string>
beforeEach(async () => {
  arrived = Promise.withResolvers()
  provider = await startProvider({ now: () => NOW, onRequest: (reference) => arrived.resolve(reference) })
})
afterEach(() => provider.stop())

const charge = (signal?: AbortSignal): Promise<Response> =>
  fetch(new URL('charges', provider.url), {
    method: 'POST',
    headers: { 'idempotency-key': 'key-1' },
    body: JSON.stringify({ order: 'O-1', card: 'tok_1', cents: 1200, currency: 'EUR' }),
    ...(signal && { signal }),
  })

const code = (error: unknown): unknown => ((error as Error).cause as { code?: unknown }).code

test('429 asks to wait, in seconds or until a date that is not too early', async () => {
  provider.faults.add('O-1', [
    { is: 'answer', status: 429, retryAfter: 2 },
    { is: 'answer', status: 429, retryAfter: 2, as: 'date' },
  ])
  const [seconds, date] = [await charge(), await charge()]
  assert.deepEqual([seconds.status, seconds.headers.get('retry-after')], [429, '2'])
  assert.deepEqual([date.status, date.headers.get('retry-after')], [429, 'Thu, 01 Jan 2026 12:00:03 GMT'])
  assert.equal((await charge()).status, 201)
})

test('each fault meets one request, but for those that never end', async () => {
  provider.faults.add('O-1', [
    { is: 'answer', status: 503 },
    { is: 'answer', status: 403, always: true },
  ])
  const statuses = [await charge(), await charge(), await charge()].map(({ status }) => status)
  assert.deepEqual(statuses, [503, 403, 403])
  assert.equal(provider.faults.left, 0)
  assert.equal(provider.books.charges.length, 0)
})

test('a lost answer: charged, the connection reset, and the next request gets the same receipt', async () => {
  provider.faults.add('O-1', [{ is: 'lost-answer' }])
  await assert.rejects(charge(), (error) => code(error) === 'ECONNRESET' || code(error) === 'UND_ERR_SOCKET')
  assert.equal(provider.books.charges.length, 1)
  assert.deepEqual(await (await charge()).json(), { id: 'ch_1' })
  assert.equal(provider.books.charges.length, 1)
})

test('a reset connection charges nothing', async () => {
  provider.faults.add('O-1', [{ is: 'reset' }])
  await assert.rejects(charge(), (error) => code(error) === 'ECONNRESET' || code(error) === 'UND_ERR_SOCKET')
  assert.equal(provider.books.charges.length, 0)
})

test('a hanging request ends when its caller gives up, and charges nothing', async () => {
  provider.faults.add('O-1', [{ is: 'hang' }])
  const caller = new AbortController()
  const hanging = charge(caller.signal)
  await arrived.promise
  caller.abort()
  await assert.rejects(hanging, { name: 'AbortError' })
  assert.equal(provider.books.charges.length, 0)
})

test('while it is down connections are refused; then it works on, with its books', async () => {
  await charge()
  await provider.goDown()
  await assert.rejects(charge(), (error) => code(error) === 'ECONNREFUSED')
  await provider.comeUp()
  assert.deepEqual(await (await charge()).json(), { id: 'ch_1' })
})

test('it stops with a request still hanging', async () => {
  provider.faults.add('O-1', [{ is: 'hang' }])
  const hanging = charge()
  await Promise.all([arrived.promise.then(() => provider.stop()), assert.rejects(hanging)])
})
