import assert from 'node:assert/strict'
import { test } from 'node:test'
import { families } from '../../src/errors/rules/families.ts'
import type { Family } from '../../src/errors/rules/family.ts'

const all: readonly Family[] = Object.values(families).flat()
const rules = all.flatMap((family) => family.rules)
const safest = ['retryable', 'unknown', 'permanent']

test('every rule has an id of its own', () => {
  const ids = rules.map(({ id }) => id)
  assert.deepEqual(
    ids.filter((id, index) => ids.indexOf(id) !== index),
    [],
  )
  for (const id of ids) assert.match(id, /^[a-z]+\.[\w-]+$/)
})

test('every rule has a verdict and says why, in a sentence', () => {
  for (const { id, verdict, why } of rules) {
    assert.ok(safest.includes(verdict), id)
    assert.match(why, /^[A-Z].{8,}\.$/, id)
  }
})

test('every rule matches something', () => {
  for (const { id, keys, pattern } of rules) assert.ok(pattern !== undefined || keys.some((key) => key !== ''), id)
})

test('a key that a family makes up itself is one word', () => {
  // Keys are separated by spaces: two words would be two keys, and neither would ever match.
  const made = ['ERR-max', 'on-purpose', 'old-token', 'should-retry', 'should-not-retry']
  const known = new Set(rules.flatMap(({ id, keys }) => [...keys, id]))
  for (const key of made) assert.ok(known.has(key), key)
})

test('within a family no key stands twice', () => {
  for (const family of all) {
    const keys = family.rules.flatMap((rule) => rule.keys).filter((key) => key !== '')
    assert.deepEqual(
      keys.filter((key, index) => keys.indexOf(key) !== index),
      [],
      family.rules[0]?.id,
    )
  }
})

test('within a family the safer verdicts stand first: of two patterns that match the first counts', () => {
  for (const family of all) {
    const order = family.rules.filter(({ pattern }) => pattern).map(({ verdict }) => safest.indexOf(verdict))
    assert.deepEqual(
      order,
      order.toSorted((a, b) => a - b),
      family.rules[0]?.id,
    )
  }
})

test('no pattern is slow on a text made for that', () => {
  const texts = ['a', 'A', '1', '_', ' ', '!', 'a ', 'timeout ', '(', 'e'].map((part) => part.repeat(1000 / part.length))
  for (const { id, pattern } of rules) {
    if (!pattern) continue
    for (const text of texts) {
      pattern.test(text)
      const start = performance.now()
      pattern.test(text)
      pattern.test(`${text}!`)
      const took = performance.now() - start
      assert.ok(took < 5, `${id}: ${took} ms on ${text.slice(0, 10)}`)
    }
  }
})

test('no pattern remembers where it was', () => {
  for (const { id, pattern } of rules) assert.equal(pattern?.global || pattern?.sticky || false, false, id)
})
