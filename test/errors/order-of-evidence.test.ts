import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { classify, explain } from '../../src/errors/classify.ts'
import { PermanentError, RetryableError } from '../../src/errors/errors.ts'
import { MessageError } from '../../src/errors/message-error.ts'

class Declined extends Error {}
class HardDeclined extends Declined {}

const failure = (message: string, fields: object = {}, cause?: unknown): Error =>
  Object.assign(new Error(message, { cause }), fields)
const reset = failure('read ECONNRESET', { code: 'ECONNRESET' })
const misfit = failure('no', { name: 'ZodError', issues: [{ code: 'custom', path: ['a'], message: 'm' }] })

describe('lists of the user', () => {
  test('come before all marks and rules, anywhere in the chain', () => {
    const verdict = classify(new RetryableError('outer', { cause: new Declined('inner') }), { permanent: [Declined] })
    assert.deepEqual([verdict.verdict, verdict.rule], ['permanent', 'user.permanent'])
    assert.equal(classify(failure('x', { status: 422 }, new Declined('d')), { retryable: [Declined] }).verdict, 'retryable')
  })

  test('of two, the outer error decides; on one error `permanent` is asked first', () => {
    const chain = new RangeError('outer', { cause: new Declined('inner') })
    assert.equal(classify(chain, { permanent: [Declined], retryable: [RangeError] }).verdict, 'retryable')
    assert.equal(classify(new HardDeclined('x'), { permanent: [HardDeclined], retryable: [Declined] }).verdict, 'permanent')
  })

  test('take classes, with their subclasses', () => {
    assert.equal(classify(new HardDeclined('x'), { permanent: [Declined] }).verdict, 'permanent')
    assert.equal(classify(new Declined('x'), { permanent: [HardDeclined] }).verdict, 'unknown')
    assert.equal(classify(new TypeError('x'), { retryable: [TypeError] }).verdict, 'retryable')
    assert.equal(classify(new DOMException('x', 'DataCloneError'), { retryable: [DOMException] }).verdict, 'retryable')
  })

  test('take classes that a compiler made into functions', () => {
    const Compiled = function (this: Error): void {} as unknown as new () => Error
    Compiled.prototype = Object.create(Error.prototype)
    assert.equal(classify(new Compiled(), { permanent: [Compiled] }).verdict, 'permanent')
    const ofOtherRealm = runInNewContext('class Own extends Error {}; Own') as new () => Error
    assert.equal(classify(new ofOtherRealm(), { permanent: [ofOtherRealm] }).verdict, 'permanent')
  })

  test("take names and codes, an error's class among them", () => {
    assert.equal(classify(failure('x', { code: 'E_OWN' }), { permanent: ['E_OWN'] }).verdict, 'permanent')
    assert.equal(classify(failure('x', { code: 4711 }), { permanent: ['4711'] }).verdict, 'permanent')
    assert.equal(classify(failure('x', { name: 'Own' }), { retryable: ['Own'] }).verdict, 'retryable')
    assert.equal(classify(new Declined('x'), { retryable: ['Declined'] }).verdict, 'retryable')
    assert.equal(classify(failure('x'), { permanent: ['undefined', ''] }).verdict, 'unknown')
  })

  test('take predicates of any form, asked about each error of the chain', () => {
    const predicates = [
      (error: unknown) => error instanceof Declined,
      function isDeclined(error: unknown) {
        return error instanceof Declined
      },
      { of: (error: unknown) => error instanceof Declined }.of,
      ((error: unknown) => error instanceof Declined).bind(undefined),
    ]
    for (const predicate of predicates) {
      assert.equal(classify(new Error('x', { cause: new Declined('d') }), { permanent: [predicate] }).verdict, 'permanent')
    }
  })

  test('a predicate that throws, or answers anything but true, does not match', () => {
    const broken = () => {
      throw new Error('in the predicate')
    }
    const late = async () => true
    const matchers = [broken, late as unknown as () => boolean]
    assert.equal(classify(new Error('x'), { permanent: matchers, retryable: matchers }).verdict, 'unknown')
  })

  test('see what is no error, too', () => {
    assert.equal(classify('card declined', { permanent: [(thrown) => thrown === 'card declined'] }).verdict, 'permanent')
  })
})

describe('marks', () => {
  test('of RetryableError and PermanentError come before all rules, the outermost first', () => {
    assert.equal(classify(new PermanentError('no', { cause: reset })).rule, 'error.permanent')
    assert.equal(classify(new RetryableError('yes', { cause: misfit })).rule, 'error.retryable')
    assert.equal(classify(new RetryableError('yes', { cause: new PermanentError('no') })).verdict, 'retryable')
    assert.equal(classify(new PermanentError('no', { cause: new RetryableError('yes') })).verdict, 'permanent')
    assert.equal(classify(failure('outer', { status: 422 }, new RetryableError('yes'))).verdict, 'retryable')
  })

  test('are inherited, and known across copies of the package and realms', () => {
    class OutOfStock extends PermanentError {}
    assert.equal(classify(new OutOfStock('none left')).verdict, 'permanent')
    const copy = runInNewContext("Object.assign(new Error('x'), { [Symbol.for('redrive.verdict')]: 'permanent' })")
    assert.equal(classify(copy).verdict, 'permanent')
  })

  test('of the framework carry a rule of their own', () => {
    const { verdict, rule } = classify(new MessageError('message.not-json', 'The body is not JSON.'))
    assert.deepEqual([verdict, rule], ['permanent', 'message.not-json'])
  })
})

describe('rules', () => {
  test('an outer 4xx beats its cause; an outer 5xx does not', () => {
    assert.equal(classify(failure('unprocessable', { status: 422 }, reset)).verdict, 'permanent')
    assert.equal(classify(failure('Internal', { status: 500 }, misfit)).verdict, 'permanent')
    assert.equal(classify(failure('Internal', { status: 500 }, failure('plain'))).rule, 'http.500')
  })

  test('a code beneath beats a generic name above', () => {
    const connect = failure('connect', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
    assert.equal(classify(failure('x', { name: 'ConnectionError' }, connect)).verdict, 'unknown')
  })

  test("an HTTP status comes before the client's own code, and a service's word before the status", () => {
    assert.equal(classify(failure('x', { code: 'ERR_BAD_REQUEST', response: { status: 429 } })).rule, 'http.429')
    const quota = failure('x', { status: 429, error: { code: 'insufficient_quota' } })
    assert.equal(classify(quota).verdict, 'unknown')
  })

  test("an AbortError is our own deadline, but a retry library's own says that it is no use", () => {
    assert.equal(classify(failure('aborted', { name: 'AbortError' })).verdict, 'retryable')
    assert.equal(classify(failure('no', { name: 'AbortError', originalError: failure('no') })).verdict, 'permanent')
    assert.equal(classify(failure('no', { name: 'AbortError', originalError: reset })).verdict, 'retryable')
  })

  test('a token that expired is old with the message, where it says when; else it is our own', () => {
    assert.equal(classify(failure('x', { name: 'TokenExpiredError', expiredAt: new Date(0) })).verdict, 'permanent')
    assert.equal(classify(failure('x', { name: 'TokenExpiredError' })).verdict, 'unknown')
  })

  test('say where in the chain they were found', () => {
    const chain = failure('a', {}, failure('b', { driverError: reset }))
    assert.equal(explain(chain).path, 'cause.driverError')
    assert.equal(explain(new AggregateError([misfit, reset])).path, 'errors[1]')
    assert.equal(explain('thrown').path, '')
  })
})

describe('several errors side by side', () => {
  test('any retryable one makes them retryable', () => {
    assert.equal(classify(new AggregateError([misfit, reset])).verdict, 'retryable')
    assert.equal(classify(new AggregateError([new PermanentError('no'), new RetryableError('yes')])).verdict, 'retryable')
  })

  test('all permanent ones make them permanent', () => {
    assert.equal(classify(new AggregateError([misfit, failure('x', { status: 404 })])).verdict, 'permanent')
    assert.equal(classify([misfit, new PermanentError('no')]).verdict, 'permanent')
  })

  test('otherwise they are unknown', () => {
    assert.equal(classify(new AggregateError([misfit, failure('never seen')])).verdict, 'unknown')
    assert.equal(classify(new AggregateError([])).verdict, 'unknown')
    assert.equal(classify(new AggregateError([misfit, 'a text'])).verdict, 'unknown')
  })

  test('more than anybody looks at are never permanent', () => {
    const many = Array.from({ length: 500 }, () => new PermanentError('no'))
    assert.equal(classify(new AggregateError([...many, reset])).verdict, 'unknown')
  })

  test('a cancelled transaction is judged by its reasons, in the text where there is nothing else', () => {
    const cancelled = (...codes: string[]) =>
      failure(`Transaction cancelled, please refer cancellation reasons for specific reasons [${codes.join(', ')}]`, {
        name: 'TransactionCanceledException',
        code: 'TransactionCanceledException',
        statusCode: 400,
      })
    assert.equal(classify(cancelled('None', 'TransactionConflict')).verdict, 'retryable')
    assert.equal(classify(cancelled('ConditionalCheckFailed', 'None')).verdict, 'permanent')
    assert.equal(classify(cancelled('ConditionalCheckFailed', 'SomethingNew')).verdict, 'unknown')
  })
})
