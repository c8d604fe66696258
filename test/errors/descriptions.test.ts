import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeError, describeShortly, oneLine } from '../../src/errors/describe.ts'
import { MessageError } from '../../src/errors/message-error.ts'

test('an error is described by name, message, code, status and stack', () => {
  const error = Object.assign(new TypeError('bad'), { code: 'E_BAD', status: 400 })
  const { stack, ...rest } = describeError(error)
  assert.deepEqual(rest, { name: 'TypeError', message: 'bad', code: 'E_BAD', status: 400 })
  assert.match(stack ?? '', /^TypeError: bad\n {4}at /)
})

test('its causes follow, nearest first, and the members of an aggregate', () => {
  const inner = Object.assign(new Error('inner'), { code: 7 })
  const { causes } = describeError(new Error('outer', { cause: new Error('middle', { cause: inner }) }))
  assert.deepEqual(
    causes?.map(({ message, code }) => [message, code]),
    [
      ['middle', undefined],
      ['inner', 7],
    ],
  )
  assert.deepEqual(
    describeError(new AggregateError([new Error('one'), new Error('two')])).causes?.map(({ message }) => message),
    ['one', 'two'],
  )
})

test('nothing else of it is read: no config, request, response, headers, no toJSON', () => {
  const secret = { headers: { authorization: 'Bearer secret' } }
  const error = Object.assign(new Error('failed'), {
    config: secret,
    request: secret,
    response: { ...secret, status: 500, data: 'secret' },
    headers: secret.headers,
    toJSON: () => assert.fail('toJSON was called'),
  })
  const text = JSON.stringify(describeError(new Error('outer', { cause: error })))
  assert.doesNotMatch(text, /secret/)
  assert.match(text, /"status":500/)
})

test('its class is its name where the name says nothing', () => {
  class CardDeclined extends Error {}
  assert.equal(describeError(new CardDeclined('x')).name, 'CardDeclined')
  assert.equal(describeError(Object.assign(new CardDeclined('x'), { name: 'Declined' })).name, 'Declined')
})

test('what is no error is described by what it is', () => {
  assert.deepEqual(describeError('boom'), { name: 'string', message: 'boom' })
  assert.deepEqual(describeError(undefined), { name: 'undefined', message: 'undefined' })
  assert.deepEqual(describeError(Symbol('s')), { name: 'symbol', message: 'Symbol(s)' })
  assert.deepEqual(describeError({ password: 'x' }).message, 'thrown without a message, with the fields password')
})

test('the issues of every validation library are listed with their path', () => {
  const cases: readonly (readonly [unknown, string, string])[] = [
    [{ issues: [{ path: ['lines', 0, 'amount'], message: 'm' }] }, 'lines.0.amount', 'm'],
    [{ issues: [{ path: [{ key: 'a' }, { key: 'b' }], message: 'm' }] }, 'a.b', 'm'],
    [{ details: [{ path: ['a'], message: 'm' }] }, 'a', 'm'],
    [{ inner: [{ path: 'a.b', message: 'm' }] }, 'a.b', 'm'],
    [[{ instancePath: '/a', schemaPath: '#', message: 'm' }], '/a', 'm'],
    [[{ property: 'a', constraints: { isInt: 'must be a number' } }], 'a', 'isInt'],
    [new MessageError('message.schema', 'x', { issues: [{ path: 'a', message: 'm' }] }), 'a', 'm'],
  ]
  for (const [error, path, message] of cases) assert.deepEqual(describeError(error).issues, [{ path, message }])
})

test('everything is cut, the calls of a stack survive a long message', () => {
  const error = new Error('m'.repeat(100_000))
  const { message, stack } = describeError(error)
  assert.equal(message.length, 2000)
  assert.ok((stack ?? '').length <= 8000)
  assert.match(stack ?? '', /\n {4}at .*descriptions\.test/)
  const limits = { message: 10, stack: 100, causes: 1, issues: 1 }
  const deep = new Error('0123456789abc', { cause: new Error('1', { cause: new Error('2') }) })
  const short = describeError(deep, limits)
  assert.deepEqual([short.message, short.stack?.length, short.causes?.length], ['0123456789', 100, 1])
})

test('a cut never leaves half a character', () => {
  assert.equal(describeError(`${'x'.repeat(9)}😀`, { message: 10 }).message, 'x'.repeat(9))
})

test('the short form has a message of at most 200 characters, in one line where one line is asked for', () => {
  assert.equal(describeShortly(new Error('m'.repeat(500))).message.length, 200)
  assert.equal(oneLine(new TypeError('first\n  second')), 'TypeError: first second')
})
