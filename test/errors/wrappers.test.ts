import assert from 'node:assert/strict'
import { test } from 'node:test'
import { classify } from '../../src/errors/classify.ts'
import { PermanentError, RetryableError } from '../../src/errors/errors.ts'
import { permanent, retryable } from '../../src/errors/wrappers.ts'

const throwing = (error: unknown) => (): never => {
  throw error
}

/** What a call throws or rejects with. */
async function thrownBy(run: () => unknown): Promise<unknown> {
  try {
    await run()
  } catch (error) {
    return error
  }
  return assert.fail('nothing was thrown')
}

test('a result passes through, at once or later', async () => {
  assert.equal(
    retryable(() => 1),
    1,
  )
  assert.equal(await permanent(async () => 2), 2)
  // biome-ignore lint/suspicious/noThenProperty: some libraries answer with such
  const thenable = { then: (resolve: (value: number) => void) => resolve(3) }
  assert.equal(await retryable(() => thenable), 3)
})

test('what a call throws gets its verdict and stays the same error', async () => {
  const error = new SyntaxError('Unexpected end of JSON input')
  assert.equal(await thrownBy(() => retryable(throwing(error))), error)
  assert.deepEqual([classify(error).verdict, classify(error).rule], ['retryable', 'error.retryable'])
  const other = new Error('x')
  assert.equal(await thrownBy(() => permanent(() => Promise.reject(other))), other)
  assert.equal(classify(other).verdict, 'permanent')
  assert.deepEqual(Object.keys(other), [])
})

test('a call that throws at once throws at once', () => {
  assert.throws(() => permanent(throwing(new Error('x'))))
})

test('an error that says something of itself keeps it, wherever in it that is said', async () => {
  const yes = new RetryableError('yes')
  for (const error of [yes, new Error('x', { cause: yes }), new AggregateError([yes])]) {
    await thrownBy(() => permanent(throwing(error)))
    assert.equal(classify(error).verdict, 'retryable')
  }
})

test('of wrappers in each other the inner one counts', async () => {
  const error = await thrownBy(() => retryable(() => permanent(throwing(new Error('x')))))
  assert.equal(classify(error).verdict, 'permanent')
})

test('what takes no mark becomes the cause of one that has it, under the same message', async () => {
  const frozen = Object.freeze(new Error('frozen'))
  const untouchable = new Proxy(new Error('proxy'), {
    defineProperty: () => {
      throw new Error('trap')
    },
  })
  for (const [thrown, message] of [
    [frozen, 'frozen'],
    [untouchable, 'proxy'],
    ['a text', 'a text'],
    [undefined, 'undefined'],
  ] as const) {
    const yes = await thrownBy(() => retryable(throwing(thrown)))
    assert.ok(yes instanceof RetryableError)
    assert.deepEqual([yes.message, yes.cause], [message, thrown])
    const no = await thrownBy(() => permanent(async () => throwing(thrown)()))
    assert.ok(no instanceof PermanentError)
    assert.equal(no.message, message)
  }
})
