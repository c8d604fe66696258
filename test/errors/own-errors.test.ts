import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { classify } from '../../src/errors/classify.ts'
import { PermanentError, RetryableError } from '../../src/errors/errors.ts'
import { MessageError } from '../../src/errors/message-error.ts'

test('they are errors with a name, a message, a cause and a stack', () => {
  const cause = new Error('beneath')
  for (const error of [
    new RetryableError('m', { cause }),
    new PermanentError('m', { cause }),
    new MessageError('message.key', 'm', { cause }),
  ]) {
    assert.ok(error instanceof Error)
    assert.equal(error.name, error.constructor.name)
    assert.equal(error.message, 'm')
    assert.equal(error.cause, cause)
    assert.match(error.stack ?? '', new RegExp(`^${error.name}: m\n`))
    assert.deepEqual(Object.getOwnPropertySymbols(error), [])
  }
})

test('without a cause they have none, and their fields are shown only where given', () => {
  assert.equal('cause' in new RetryableError('m'), false)
  assert.equal('retryAfter' in new RetryableError('m'), false)
  assert.equal('issues' in new MessageError('message.key', 'm'), false)
  assert.match(inspect(new RetryableError('m', { retryAfter: 3 })), /retryAfter: 3/)
})

test('a subclass may have its own name and is still what its parent is', () => {
  class Busy extends RetryableError {
    override name = 'Busy'
  }
  assert.equal(new Busy('m').name, 'Busy')
  assert.equal(classify(new Busy('m', { retryAfter: 9 })).retryAfter, 9)
})

test('retryAfter that is no number of seconds is refused clearly, and the refusal is itself retryable', () => {
  for (const retryAfter of [-1, Number.NaN, Number.POSITIVE_INFINITY, '3', null] as unknown as number[]) {
    const cause = new Error('beneath')
    assert.throws(
      () => new RetryableError('m', { retryAfter, cause }),
      (error: Error) => {
        assert.match(error.message, /retryAfter is a number of seconds, 0 or more; it was (-1|NaN|Infinity|a string|a object)\./)
        assert.equal(error.cause, cause)
        return classify(error).verdict === 'retryable'
      },
    )
  }
})

test('a MessageError lists what is wrong', () => {
  const issues = [{ path: 'lines.0.amount', message: 'must be positive' }]
  assert.deepEqual(new MessageError('message.schema', 'm', { issues }).issues, issues)
})
