import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Movement } from '../../src/service/movement.ts'
import { Order } from '../../src/service/order.ts'
import { movementTraffic, orderTraffic } from './traffic.ts'

test('the same seed gives the same orders and movements, another seed others', () => {
  assert.deepEqual(orderTraffic(7), orderTraffic(7))
  assert.deepEqual(movementTraffic(7), movementTraffic(7))
  assert.notDeepEqual(orderTraffic(7), orderTraffic(8))
})

test('about 200 orders: those that must be done fit the schema, those that must not be do not', () => {
  for (const seed of [0, 1, 2, 3, 4]) {
    const { sendings, conflicts } = orderTraffic(seed)
    assert.equal(sendings.length + conflicts.length, 200)
    for (const { body, fate, kind } of sendings) {
      const fits = isJson(body) && Order.safeParse(JSON.parse(body)).success
      const mustFit = fate.is === 'done' || !/message/.test(fate.because.source)
      assert.equal(fits, mustFit, kind)
    }
  }
})

test('an id that comes twice is an order sent twice, or the id of another order on purpose', () => {
  const { sendings, conflicts } = orderTraffic(1)
  const twice = [...Map.groupBy(sendings, ({ label }) => label).values()].filter(({ length }) => length > 1)
  for (const [one, two] of twice) assert.equal(one!.body, two!.body)
  for (const { label, body } of conflicts) assert.notEqual(sendings.find((sending) => sending.label === label)?.body, body)
})

test('movements fit their schema, but for the one that must die', () => {
  const misfits = movementTraffic(1).filter(({ body }) => !Movement.safeParse(JSON.parse(body)).success)
  assert.deepEqual(
    misfits.map(({ fate }) => fate.is),
    ['dead'],
  )
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
