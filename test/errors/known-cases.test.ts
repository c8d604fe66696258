import assert from 'node:assert/strict'
import { test } from 'node:test'
import { classify } from '../../src/errors/classify.ts'
import { describeError } from '../../src/errors/describe.ts'
import { errors } from '../fixtures/errors/cases.mjs'

const plain = classify(new Error('x')).verdict

for (const { id, make, class: right } of errors) {
  test(`${id} is ${[right].flat().join(' or ')}`, () => {
    const { verdict } = classify(make())
    const allowed = [right].flat().flatMap((each) => {
      if (each === 'default') return [plain]
      return each === 'not-retryable' ? ['permanent', plain] : [each]
    })
    assert.ok(allowed.includes(verdict), verdict)
  })
}

test('what was thrown is in the description, error or not', () => {
  for (const { make, context } of errors) {
    if (context) assert.equal(describeError(make()).message, context.message)
  }
})
