import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { describe, it } from 'node:test'
import { classify, consumer, exponential, type OptionsError, schedule } from 'redrive'
import { readEnvironment } from '../../src/environment.ts'
import type { Outcome } from '../../src/flow/decide.ts'
import { setUp } from '../../src/setup.ts'
import { START_LIMIT, WHOLE_LIMIT } from '../size/measure.ts'
import { quoted, read, readme, rows, section } from './readme.ts'

/** The compiler sees to it that each outcome is here. */
const OUTCOMES: Record<Outcome['is'], true> = {
  done: true,
  duplicate: true,
  retry: true,
  cut: true,
  dead: true,
  busy: true,
  held: true,
  deferred: true,
}

const firstWords = (heading: string): string[] => rows(heading).map(([cell]) => quoted(cell ?? '')[0] ?? '')
const defaults = setUp({}, readEnvironment({}))

describe('what README.md says is so', () => {
  it('the outcomes', () => assert.deepEqual(firstWords('What becomes of a message'), Object.keys(OUTCOMES)))

  it('the options, each of them and no other', () => {
    const refusal = (): unknown => consumer({ ['there is no such option at all']: 1 } as never, () => {})
    assert.throws(refusal, (error: OptionsError) => {
      const known = /There are: (.*)\./.exec(error.message)?.[1]?.split(', ')
      assert.deepEqual(firstWords('Options').sort(), known?.sort())
      return true
    })
  })

  it('the defaults, which the options tell of in their own words, too', () => {
    const documented = read('src/flow/options.ts')
    for (const [option, value] of [
      [
        'maxAttempts',
        `\`${JSON.stringify(defaults.maxAttempts)
          .replaceAll('"', '')
          .replaceAll(/([:,{])/g, '$1 ')
          .replace('}', ' }')}\``,
      ],
      ['concurrency', String(defaults.concurrency)],
    ] as const) {
      const row = rows('Options').find(([cell]) => cell === `\`${option}\``)
      assert.equal(row?.at(-1), value)
      assert.ok(documented.includes(`@default ${value.replaceAll('`', '')}\n`), `${option} in src/flow/options.ts`)
    }
  })

  it('how long the default backoffs wait altogether', () => {
    const minutes = (backoff: { seconds(attempt: number): number }, attempts: number): number =>
      Math.round(
        Array.from({ length: attempts - 1 }, (_, index) => backoff.seconds(index + 1)).reduce((sum, one) => sum + one, 0) / 60,
      )
    const { retryable, unknown } = defaults.maxAttempts
    const long = minutes(exponential(), retryable)
    const short = minutes(schedule([5, 30, 120, 600]), unknown)
    const said = section('Options').replaceAll('\n', ' ')
    assert.match(said, new RegExp(`jitter: 0.2 }\\)\`: ${long} minutes over ${retryable} attempts`))
    assert.match(said, new RegExp(`600\\]\\)\`: ${short} minutes over ${unknown}\\.`))
    assert.deepEqual(sequence(exponential({ base: 2, factor: 2, cap: 900, jitter: 0.2 })), sequence(exponential()))
  })

  it('the receive counts', () => {
    const without = 3 * defaults.maxAttempts.retryable
    assert.match(section('What the queue, the mapping and the table need'), new RegExp(`1000 with a table, ${without} without`))
  })

  it('the environment', () => {
    const known = [...read('src/environment.ts').matchAll(/\bREDRIVE_[A-Z_]+/g)].map(([name]) => name)
    const listed = /^Environment:.*?\n\n/ms.exec(readme)?.[0] ?? ''
    assert.deepEqual(quoted(listed).sort(), [...new Set(known)].sort())
  })

  it('the metrics', () => {
    const source = globSync('src/*.ts', { cwd: new URL('../..', import.meta.url).pathname })
      .map(read)
      .join('\n')
    const counted = [...source.matchAll(/metrics\.(?:count|measure)\('(\w+)'/g)].map((found) => found[1])
    const said = /^Metrics in.*?\n\n/ms.exec(readme)?.[0] ?? ''
    for (const name of counted) assert.ok(quoted(said).includes(name ?? ''), `${name} is not in README.md`)
    const extra = quoted(said).filter((name) => !counted.includes(name) && !['redrive', 'consumer'].includes(name))
    assert.deepEqual(extra, [])
  })

  it('what the limits of weight are', () => {
    const said = section('What it weighs').replaceAll('\n', ' ')
    assert.match(said, new RegExp(`at most ${START_LIMIT / 1000} kB of a consumer are needed at a cold start`))
    assert.match(said, new RegExp(`at most ${WHOLE_LIMIT / 1000} kB, if it is all bundled into one file`))
  })

  it('the verdicts of the first consumer', () => {
    const answered = (status: number, headers = {}): unknown =>
      new Error('payments', { cause: new Response(null, { status, headers }) })
    assert.equal(classify(answered(503)).verdict, 'retryable')
    assert.equal(classify(answered(429, { 'retry-after': '7' })).retryAfter, 7)
    assert.equal(classify(answered(422)).verdict, 'permanent')
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    assert.equal(classify(new TypeError('fetch failed', { cause: refused })).verdict, 'retryable')
  })

  it('what is not there yet is refused as such', () => {
    for (const option of ['envelope', 'circuit', 'onCrash', 'hashKeys', 'tracer']) {
      assert.throws(() => consumer({ [option]: 'x' } as never, () => {}), /not yet/)
    }
  })

  it('how many dependencies there are, from which version of Node on, and which version this is', () => {
    const { dependencies, engines, version } = JSON.parse(read('package.json')) as {
      dependencies: Record<string, string>
      engines: { node: string }
      version: string
    }
    assert.deepEqual(Object.keys(dependencies), ['@middy/core'])
    assert.match(
      readme,
      new RegExp(
        `Node ${engines.node.replace('>=', '')} or later, one dependency \\(Middy's core\\). Status: ${version.slice(0, 3)}`,
      ),
    )
  })
})

const sequence = (backoff: { seconds(attempt: number): number }): number[] =>
  Array.from({ length: 20 }, (_, index) => backoff.seconds(index + 1))
