import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Fault } from '../demo/provider/faults.ts'
import { bench, clock, nextRequest, provider } from './world.ts'

after(() => provider.stop())

let number = 0
/** An order of its own for each test: all share one provider. */
function someOrder(more: object = {}) {
  const id = `O-${++number}`
  const lines = [
    { sku: 'tea', quantity: 2, cents: 450 },
    { sku: 'cup', quantity: 1, cents: 1_100 },
  ]
  return { id, email: 'customer@shop.example', card: 'tok_1', currency: 'EUR', lines, ...more }
}

const chargesFor = (order: string) => provider.books.charges.filter((charge) => charge.order === order)

test('a good order is charged once, with its total, and leaves the queue', async () => {
  const order = someOrder()
  assert.deepEqual(await bench('orders').invoke([{ body: order }]), [])
  const [charge, ...more] = chargesFor(order.id)
  assert.deepEqual(
    { ...charge, id: '' },
    {
      id: '',
      order: order.id,
      cents: 2_000,
      currency: 'EUR',
      idempotencyKey: `orders#"${order.id}"`,
    },
  )
  assert.equal(more.length, 0)
})

test('the same order in a second message is not charged again', async () => {
  const order = someOrder()
  const { invoke } = bench('orders')
  assert.deepEqual(await invoke([{ body: order }, { body: order }]), [])
  assert.deepEqual(await invoke([{ body: order, messageId: 'sent-later' }]), [])
  assert.equal(chargesFor(order.id).length, 1)
})

const passing: { readonly name: string; readonly fault: Fault; readonly waits: number }[] = [
  { name: '503', fault: { is: 'answer', status: 503 }, waits: 2 },
  { name: '429 with Retry-After in seconds', fault: { is: 'answer', status: 429, retryAfter: 7 }, waits: 8 },
  { name: '429 with Retry-After as a date', fault: { is: 'answer', status: 429, retryAfter: 60, as: 'date' }, waits: 66 },
  { name: '200 without a receipt', fault: { is: 'answer', status: 200 }, waits: 2 },
  { name: 'a reset connection', fault: { is: 'reset' }, waits: 2 },
  { name: 'an answer that was lost after the charge', fault: { is: 'lost-answer' }, waits: 2 },
]
for (const { name, fault, waits } of passing) {
  test(`after ${name} the order waits ${waits} s, and is charged once in the end`, async () => {
    const order = someOrder()
    provider.faults.add(order.id, [fault])
    const { invoke, hidden, letters } = bench('orders')
    assert.deepEqual(await invoke([{ body: order }]), [0])
    assert.deepEqual(hidden(), [waits])
    assert.deepEqual(await invoke([{ body: order, receiveCount: 2 }]), [])
    assert.equal(chargesFor(order.id).length, 1)
    assert.deepEqual(letters(), [])
  })
}

test('while the provider refuses connections orders wait; none is dead', async () => {
  const order = someOrder()
  const { invoke, hidden, letters } = bench('orders')
  await provider.goDown()
  assert.deepEqual(await invoke([{ body: order }]), [0])
  assert.deepEqual(await invoke([{ body: order, receiveCount: 2 }]), [0])
  await provider.comeUp()
  assert.deepEqual(hidden(), [2, 4])
  assert.deepEqual(await invoke([{ body: order, receiveCount: 3 }]), [])
  assert.equal(chargesFor(order.id).length, 1)
  assert.deepEqual(letters(), [])
})

test('a provider that hangs costs its own order a wait, not its neighbours', async () => {
  const [hanging, fine] = [someOrder(), someOrder()]
  provider.faults.add(hanging.id, [{ is: 'hang' }])
  const { invoke } = bench('orders')
  const arrived = nextRequest()
  const first = invoke([{ body: hanging }])
  assert.equal(await arrived, hanging.id)
  const second = invoke([{ body: fine, messageId: 'a-neighbour' }])
  assert.deepEqual(await second, [])
  await clock.advance(30_000)
  assert.deepEqual(await first, [0])
  // The lease outlives the invocation by five seconds.
  await clock.advance(5_001)
  assert.deepEqual(await invoke([{ body: hanging, receiveCount: 2 }]), [])
  assert.equal(chargesFor(hanging.id).length, 1)
})

test('a declined card is dead at once, with the reason of the bank and the body as it came', async () => {
  const order = someOrder({ card: 'tok_declined_expired_card' })
  const { invoke, letters } = bench('orders')
  assert.deepEqual(await invoke([{ body: order }]), [])
  const [letter] = letters()
  assert.equal(letter?.body, JSON.stringify(order))
  const { reason, rule, attempts, error } = letter.evidence
  assert.deepEqual({ reason, rule, attempts }, { reason: 'permanent', rule: 'user.permanent', attempts: 1 })
  assert.deepEqual([error?.name, error?.code], ['CardDeclined', 'expired_card'])
  assert.deepEqual(chargesFor(order.id), [])
})

for (const { name, body, rule } of [
  { name: 'what is not JSON', body: '<order/>', rule: 'message.not-json' },
  { name: 'an order without lines', body: { ...someOrder(), lines: [] }, rule: 'message.schema' },
  {
    name: 'an amount that is no whole number',
    body: { ...someOrder(), lines: [{ sku: 't', quantity: 1, cents: 0.5 }] },
    rule: 'message.schema',
  },
]) {
  test(`${name} is dead by ${rule}, and the provider is not asked`, async () => {
    const { invoke, letters } = bench('orders')
    const before = provider.requests
    assert.deepEqual(await invoke([{ body }]), [])
    assert.equal(letters()[0]?.evidence.rule, rule)
    assert.equal(provider.requests, before)
  })
}

test('the evidence holds no token of the card', async () => {
  const order = someOrder({ card: 'tok_declined_lost_card' })
  const { invoke, letters } = bench('orders')
  await invoke([{ body: order }])
  assert.doesNotMatch(JSON.stringify(letters()[0]?.evidence), /tok_/)
})
