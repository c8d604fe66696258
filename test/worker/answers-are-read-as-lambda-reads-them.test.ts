import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type Answer, readAnswer, readAnswerText } from '../../src/worker/answer.ts'

interface Row {
  readonly response?: unknown
  readonly responseText?: string
  readonly threw?: boolean
  readonly outcome: string
}

const { batch, rows } = JSON.parse(readFileSync(new URL('../fixtures/cases/B01-responses.json', import.meta.url), 'utf8')) as {
  batch: string[]
  rows: Row[]
}

/** What stays in the queue. */
function kept(answer: Answer): string {
  if (answer.is === 'refused') return 'all-retried'
  if (answer.failures.size === 0) return 'all-deleted'
  return `only-${[...answer.failures].join('-')}-retried`
}

// A throw has no answer to read: the-whole-loop.test.ts shows it.
for (const row of rows.filter(({ threw }) => !threw)) {
  const shown = row.responseText ?? JSON.stringify(row.response)
  test(`B01: ${shown} means ${row.outcome}`, () => {
    const answer = row.responseText === undefined ? readAnswer(row.response, batch) : readAnswerText(row.responseText, batch)
    assert.equal(kept(answer), row.outcome)
  })
}

const cycle: Record<string, unknown> = {}
cycle['self'] = cycle

const more: readonly (readonly [string, unknown, string])[] = [
  ['undefined', undefined, 'all-deleted'],
  ['a function, for which JSON has no word', () => 1, 'all-deleted'],
  ['a BigInt', { count: 1n }, 'all-retried'],
  ['a cycle', cycle, 'all-retried'],
  ['a toJSON that throws', { toJSON: () => assert.fail() }, 'all-retried'],
  ['a toJSON that makes it right', { toJSON: () => ({ batchItemFailures: [{ itemIdentifier: 'm1' }] }) }, 'only-m1-retried'],
  ['undefined in place of the list', { batchItemFailures: undefined }, 'all-deleted'],
  ['an object in place of the list', { batchItemFailures: {} }, 'all-retried'],
  ['a text in place of the list', { batchItemFailures: 'm1' }, 'all-retried'],
  ['ids without their objects', { batchItemFailures: ['m1'] }, 'all-retried'],
  ['null in the list', { batchItemFailures: [null] }, 'all-retried'],
  ['a hole in the list', { batchItemFailures: [undefined] }, 'all-retried'],
  ['undefined as id, which JSON drops', { batchItemFailures: [{ itemIdentifier: undefined }] }, 'all-retried'],
  ['a number as id', { batchItemFailures: [{ itemIdentifier: 1 }] }, 'all-retried'],
  ['one good id and one unknown', { batchItemFailures: [{ itemIdentifier: 'm1' }, { itemIdentifier: 'm3' }] }, 'all-retried'],
  ['the same id twice', { batchItemFailures: [{ itemIdentifier: 'm1' }, { itemIdentifier: 'm1' }] }, 'only-m1-retried'],
  ['fields beside the list', { batchItemFailures: [{ itemIdentifier: 'm1', why: 'x' }], note: 'y' }, 'only-m1-retried'],
  ['a list', [{ status: 'fulfilled' }], 'all-retried'],
  ['a text', 'done', 'all-retried'],
  ['a boolean', true, 'all-retried'],
]

for (const [name, value, outcome] of more) {
  test(`${name} means ${outcome}`, () => assert.equal(kept(readAnswer(value, ['m1', 'm2'])), outcome))
}

test('an empty answer means all-deleted', () => assert.equal(kept(readAnswerText('', ['m1'])), 'all-deleted'))

test('a refused answer says why in words', () => {
  const answer = readAnswer({ batchItemFailures: [{ itemIdentifier: 'm1' }, { itemIdentifier: 'm9' }] }, ['m1'])
  assert.deepEqual(answer, { is: 'refused', why: 'batchItemFailures[1] names m9, which is no message of this batch' })
})
