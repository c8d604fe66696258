import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { classify } from '../../src/errors/classify.ts'
import { describeError, oneLine } from '../../src/errors/describe.ts'
import { fingerprint } from '../../src/errors/fingerprint.ts'
import { hostileValues } from './hostile-values.ts'

/** The fastest of some runs: what the code needs, not what the machine was busy with. */
function fastest(run: () => void): number {
  const times = Array.from({ length: 40 }, () => {
    const start = performance.now()
    run()
    return performance.now() - start
  })
  return Math.min(...times)
}

const shown = (value: unknown): string => {
  try {
    return inspect(value, { depth: 3, showProxy: true, maxArrayLength: 3, maxStringLength: 100, showHidden: true })
  } catch {
    return 'cannot be shown'
  }
}

for (const [title, make] of Object.entries(hostileValues)) {
  test(`${title}: looked at within 1 ms, not changed, nothing thrown`, () => {
    const value = make()
    const before = shown(value)
    const took = fastest(() => classify(value))
    describeError(value)
    oneLine(value)
    fingerprint(value)
    assert.equal(shown(value), before)
    assert.ok(took < 1, `${took} ms`)
  })

  test(`${title}: nobody knows it, so it is unknown`, () => {
    const { verdict, rule } = classify(make())
    assert.equal(verdict, title === 'headers that throw' ? 'retryable' : 'unknown', rule)
  })

  test(`${title}: its description is small and goes through JSON`, () => {
    const description = describeError(make())
    assert.deepEqual(JSON.parse(JSON.stringify(description)), description)
    assert.ok(JSON.stringify(description).length < 100_000)
    assert.equal(typeof description.name, 'string')
    assert.equal(typeof description.message, 'string')
  })
}
