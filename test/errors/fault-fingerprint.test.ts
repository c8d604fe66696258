import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fingerprint } from '../../src/errors/fingerprint.ts'

const fault = (message: string, fields: object = {}, call = 'charge (file:///var/task/payments.js:10:5)'): Error =>
  Object.assign(new Error(message), { stack: `Error: ${message}\n    at ${call}\n    at node:internal/process:1:2` }, fields)

const same = (...errors: unknown[]) => assert.deepEqual(new Set(errors.map(fingerprint)).size, 1)
const different = (...errors: unknown[]) => assert.equal(new Set(errors.map(fingerprint)).size, errors.length)

test('what belongs to one message only makes no difference', () => {
  same(fault('order 17 not found'), fault('order 4,711 not found'))
  same(fault('no order 6f1c2c1e-93e2-4f6c-9c1e-0a9c5d3b7a10'), fault('no order 0d9d8a4e-1111-4abc-8def-1234567890ab'))
  same(fault('no value for "name" given'), fault('no value for "first name" given'))
  same(fault("user 'anne' is unknown"), fault("user 'o.brien@shop.example' is unknown"))
  same(fault('mail to anne@shop.example refused'), fault('mail to bob@shop.example refused'))
  same(fault('connect to 10.0.3.7:5432 failed'), fault('connect to 10.0.3.9:6543 failed'))
  same(fault('late since 2026-11-30T10:00:00Z'), fault('late since 2026-12-01T11:11:11Z'))
  same(fault('Key (id)=(1) and (a, b) = (2, 3)'), fault('Key (id)=(77) and (a, b) = (8, 9)'))
})

test('lines do not, neither those of the code nor those of the runtime, which a deploy moves', () => {
  same(
    fault('x', {}, 'charge (file:///var/task/payments.js:10:5)'),
    fault('x', {}, 'async charge (file:///var/task/payments.js:999:1)'),
    fault('x', {}, 'node:net:1:2\n    at charge (/var/task/payments.js:3:4)'),
    fault('x', {}, 'read (node:internal/x:9:9)\n    at charge2 (/elsewhere/payments.js:1:20000)'),
    fault('x', {}, 'send (/var/task/node_modules/axios/lib/a.js:1:1)\n    at charge (/var/task/payments.js:3:4)'),
  )
})

test('name, code, status, text, place and cause do', () => {
  const cause = (code: string) => fault('fetch failed', { cause: Object.assign(new Error('c'), { code }) })
  different(
    fault('not found'),
    fault('not allowed'),
    fault('not found', { name: 'NotFound' }),
    fault('not found', { code: 'E_NONE' }),
    fault('not found', { code: 404 }),
    fault('not found', { status: 404 }),
    fault('not found', {}, 'refund (file:///var/task/payments.js:10:5)'),
    fault('not found', {}, 'charge (file:///var/task/orders.js:10:5)'),
    fault('not found', {}, 'file:///var/task/other.js:10:5'),
    cause('ECONNREFUSED'),
    cause('ENOTFOUND'),
    'not found',
    'not allowed',
    undefined,
  )
})

test('an apostrophe is no quote', () => {
  different(fault("can't charge, card isn't valid"), fault("can't refund, card isn't valid"))
})

test('a really thrown error has it twice', () => {
  const parse = (body: string): unknown => {
    try {
      return JSON.parse(body)
    } catch (error) {
      return error
    }
  }
  same(parse('{"order": 1'), parse('{"order": 12345'))
  different(parse('{"order": 1'), parse('nonsense'))
})
