import assert from 'node:assert/strict'
import { test } from 'node:test'
import { classify } from '../../src/errors/classify.ts'

/** Microseconds of the median call, warm. */
function median(run: () => void, calls = 4000): number {
  const times = Array.from({ length: calls }, () => {
    const start = process.hrtime.bigint()
    run()
    return Number(process.hrtime.bigint() - start) / 1000
  })
  return times.sort((a, b) => a - b)[calls / 2] ?? Number.NaN
}

test('classifying a plain error costs at most 20 µs: the median, warm, best of five rounds', (t) => {
  const error = new Error('x')
  const best = Math.min(...Array.from({ length: 5 }, () => median(() => classify(error))))
  t.diagnostic(`${best.toFixed(1)} µs`)
  assert.ok(best <= 20, `${best} µs`)
})
