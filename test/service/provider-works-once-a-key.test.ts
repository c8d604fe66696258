import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Provider, startProvider } from '../demo/provider/provider.ts'

let provider: Provider
before(async () => {
  provider = await startProvider()
})
after(() => provider.stop())

const charge = { order: 'O-1', card: 'tok_1', cents: 1200, currency: 'EUR' }

async function post(path: string, body: object | string, key?: string): Promise<{ status: number; body: unknown }> {
  const response = await fetch(new URL(path, provider.url), {
    method: 'POST',
    headers: key === undefined ? {} : { 'idempotency-key': key },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: response.status, body: await response.json() }
}

test('the same key is charged once and answered alike each time', async () => {
  const answers = await Promise.all([1, 2, 3].map(() => post('charges', charge, 'once')))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
  assert.equal(new Set(answers.map(({ body }) => JSON.stringify(body))).size, 1)
  assert.equal(provider.books.charges.filter(({ idempotencyKey }) => idempotencyKey === 'once').length, 1)
  assert.equal(provider.books.repeated, 2)
})

test('another key is another charge: the provider itself does not know orders', async () => {
  const before = provider.books.charges.length
  await post('charges', charge, 'one')
  await post('charges', charge, 'two')
  assert.equal(provider.books.charges.length, before + 2)
})

test('a different body under a known key is refused with 422 and charges nothing', async () => {
  await post('charges', charge, 'fixed')
  const before = provider.books.charges.length
  assert.equal((await post('charges', { ...charge, cents: 1300 }, 'fixed')).status, 422)
  assert.equal(provider.books.charges.length, before)
})

test('a declined card is 402 with the reason, each time, and no charge', async () => {
  const before = provider.books.charges.length
  for (const _time of [1, 2]) {
    const { status, body } = await post('charges', { ...charge, card: 'tok_declined_expired_card' }, 'declined')
    assert.deepEqual({ status, body }, { status: 402, body: { code: 'expired_card' } })
  }
  assert.equal(provider.books.charges.length, before)
})

test('movements are written down in the order in which they come, by account', async () => {
  for (const movement of ['m-1', 'm-2', 'm-1']) await post('accounts/A%2F1/movements', { movement, cents: -5 }, movement)
  assert.deepEqual(
    provider.books.postings.map(({ account, movement, cents }) => ({ account, movement, cents })),
    ['m-1', 'm-2'].map((movement) => ({ account: 'A/1', movement, cents: -5 })),
  )
})

for (const { name, path, body, key, status } of [
  { name: 'no key', path: 'charges', body: charge, key: undefined, status: 400 },
  { name: 'no JSON', path: 'charges', body: '<xml/>', key: 'k', status: 400 },
  { name: 'no amount', path: 'charges', body: { order: 'O-1' }, key: 'k', status: 400 },
  { name: 'an unknown path', path: 'refunds', body: charge, key: 'k', status: 404 },
]) {
  test(`${name} is ${status} and nothing is written down`, async () => {
    const before = provider.books.charges.length
    assert.equal((await post(path, body, key)).status, status)
    assert.equal(provider.books.charges.length, before)
  })
}
