import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { classify } from '../../src/errors/classify.ts'
import { describeError } from '../../src/errors/describe.ts'
import { fingerprint } from '../../src/errors/fingerprint.ts'

/** Words in which nobody sees a code: three letters at least, of those that no rule needs. */
const word = fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom(...'bjkqvwxz') })
const text = fc.array(word, { maxLength: 8 }).map((words) => words.join(' '))
const leaf = fc.oneof(
  text,
  fc.integer({ min: 600, max: 999 }).map(String),
  fc.boolean(),
  fc.constant(null),
  fc.constant(undefined),
)

const fields = [
  ...['name', 'message', 'code', 'type', 'reason', 'errno', 'sqlState', 'number', 'syscall', 'severity', 'details', 'command'],
  ...['cause', 'parent', 'original', 'driverError', 'errors', 'response', 'data', 'meta', 'error', 'body', 'own', 'context'],
]

const { error: shape } = fc.letrec<{ error: unknown; value: unknown }>((tie) => ({
  error: fc
    .tuple(text, fc.dictionary(fc.constantFrom(...fields), tie('value'), { maxKeys: 6 }), fc.boolean())
    .map(([message, own, isError]) => Object.assign(isError ? new Error(message) : {}, own)),
  value: fc.oneof({ maxDepth: 3 }, leaf, tie('error'), fc.array(tie('error'), { maxLength: 3 })),
}))

test('a shape that no rule knows is unknown', () => {
  fc.assert(
    fc.property(shape, (error) => {
      const { verdict, rule } = classify(error)
      assert.equal(verdict, 'unknown', rule)
    }),
    { numRuns: 2000 },
  )
})

test('anything at all is classified, described and fingerprinted without a throw', () => {
  fc.assert(
    fc.property(fc.anything({ withNullPrototype: true, withDate: true, withMap: true, withTypedArray: true }), (value) => {
      assert.match(classify(value).verdict, /^(retryable|permanent|unknown)$/)
      assert.equal(typeof describeError(value).message, 'string')
      assert.match(fingerprint(value), /^[\w-]{12}$/)
    }),
    { numRuns: 1000 },
  )
})
