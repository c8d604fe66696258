/** What the consumer says: one line a failure, counts and durations, and never a payload. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import * as v from 'valibot'
import * as z from 'zod'
import { memoryStore, PermanentError, RetryableError } from '../../src/index.ts'
import { jsonLines } from '../../src/logger.ts'
import { embeddedMetrics } from '../../src/metrics.ts'
import { virtualClock } from '../../src/testing/index.ts'
import { bench, byId, hang, throwing } from './harness.ts'

describe('the log', () => {
  test('has one line a message that is not just done: id, outcome, verdict, rule, delay, attempts', async () => {
    const one = bench(
      byId({ m1: throwing(new RetryableError('down')), m2: throwing(new Error('?')), m3: throwing(new PermanentError('no')) }),
    )
    await one.invoke(['m1', 'm2', 'm3', 'm4'])
    const lines = one.lines.filter(({ level, fields }) => level !== 'debug' && 'outcome' in fields)
    assert.deepEqual(
      lines
        .map(({ level, fields: { messageId, outcome, verdict, rule, delay, attempts } }) => [
          level,
          messageId,
          outcome,
          verdict,
          rule,
          delay,
          attempts,
        ])
        .sort(),
      [
        ['error', 'm3', 'dead', 'permanent', 'error.permanent', undefined, 1],
        ['warn', 'm1', 'retry', 'retryable', 'error.retryable', 2, 1],
        ['warn', 'm2', 'retry', 'unknown', 'unknown', 5, 1],
      ],
    )
    assert.ok(
      lines.every(
        ({ fields }) => fields['consumer'] === 'orders' && fields['requestId'] === '00000000-0000-4000-8000-00000000beef',
      ),
    )
  })

  test('message.log has message id and attempt on each line', async () => {
    const one = bench((_payload, { log }) => log.info('charging', { step: 1 }))
    await one.invoke(['m1'])
    const { consumer, messageId, attempt, step } = one.lines.find(({ message }) => message === 'charging')?.fields ?? {}
    assert.deepEqual([consumer, messageId, attempt, step], ['orders', 'm1', 1, 1])
  })

  test('a logger that keeps what it needs in `this`, and pino’s order of arguments, both work', async () => {
    class Loud {
      readonly said: unknown[] = []
      debug() {}
      info() {}
      warn(...line: unknown[]) {
        this.said.push(line)
      }
      error() {}
    }
    const [plain, pino] = [new Loud(), Object.assign(new Loud(), { bindings: () => ({}) })]
    for (const logger of [plain, pino]) await bench(throwing(new RetryableError('down')), { logger }).invoke(['m1'])
    assert.match(String((plain.said[0] as unknown[])[0]), /^Message retry/)
    assert.match(String((pino.said[0] as unknown[])[1]), /^Message retry/)
  })

  test('by default is JSON lines from level info, one object a line', () => {
    const written: string[] = []
    const { debug, info, error } = jsonLines('info', (line) => written.push(line))
    debug('no')
    info('two\nlines', { messageId: 'm1' })
    error('bad')
    assert.ok(written.every((line) => line.endsWith('\n') && !line.slice(0, -1).includes('\n')))
    assert.deepEqual(
      written.map((line) => JSON.parse(line)).map(({ level, message }) => [level, message]),
      [
        ['info', 'two\nlines'],
        ['error', 'bad'],
      ],
    )
    const silent: string[] = []
    jsonLines('silent', (line) => silent.push(line)).error('no')
    assert.deepEqual(silent, [])
  })
})

describe('metrics', () => {
  test('received, each outcome, attempts, durations and the age of each message', async () => {
    const one = bench(
      byId({ m1: () => new Promise((done) => void one.clock.after(250, () => done(0))), m2: throwing(new RetryableError('x')) }),
    )
    const sentAt = one.clock.now() - 90_000
    await one.invoke([{ messageId: 'm1', sentAt }, { messageId: 'm2' }])
    assert.deepEqual(one.counts, { received: 2, attempts: 2, done: 1, retry: 1 })
    assert.deepEqual(
      one.measured.filter(({ name }) => name === 'message_age'),
      [
        { name: 'message_age', value: 90, unit: 'Seconds' },
        { name: 'message_age', value: 0, unit: 'Seconds' },
      ],
    )
    const durations = one.measured.filter(({ name }) => name === 'duration')
    assert.deepEqual(durations.map(({ value, unit }) => [value, unit]).sort(), [
      [0, 'Milliseconds'],
      [250, 'Milliseconds'],
    ])
  })

  test('a sink is flushed once an invocation, after all its counts; false is none', async () => {
    const calls: string[] = []
    const count = (name: string, value: number) => void calls.push(value === 0 ? `${name} 0` : name)
    const metrics = { count, measure() {}, flush: async () => void calls.push('flush') }
    const one = bench(() => {}, { metrics })
    await one.invoke(['m1'])
    assert.deepEqual(calls, ['received', 'done 0', 'attempts', 'done', 'flush'])
    assert.deepEqual(await bench(() => {}, { metrics: false }).invoke(['m1']), [])
  })

  /** What CloudWatch's embedded metric format asks of a line (F105). */
  function checkEmf(line: string): Map<string, number[]> {
    assert.match(line, /^\{.*\}\n$/)
    const { _aws, consumer, ...values } = JSON.parse(line)
    assert.ok(Number.isInteger(_aws.Timestamp) && typeof consumer === 'string' && consumer.length <= 1024)
    assert.equal(_aws.CloudWatchMetrics.length, 1)
    const [{ Namespace, Dimensions, Metrics }] = _aws.CloudWatchMetrics
    assert.deepEqual([Namespace, Dimensions], ['redrive', [['consumer']]])
    assert.ok(Metrics.length >= 1 && Metrics.length <= 100)
    assert.deepEqual(Metrics.map(({ Name }: { Name: string }) => Name).sort(), Object.keys(values).sort())
    for (const { Unit } of Metrics) assert.ok(['Count', 'Seconds', 'Milliseconds'].includes(Unit))
    const lists = Object.entries(values).map(([name, value]) => [name, [value].flat() as number[]] as const)
    for (const [name, list] of lists) assert.ok(list.length >= 1 && list.length <= 100 && list.every(Number.isFinite), name)
    return new Map(lists)
  }

  test('property: whatever is counted and measured leaves in valid lines of at most 100 values a metric, nothing lost or doubled', () => {
    const call = fc.record({ count: fc.boolean(), name: fc.constantFrom('a', 'b', 'c'), value: fc.nat(1_000) })
    fc.assert(
      fc.property(fc.array(call, { maxLength: 500 }), fc.integer({ min: 0, max: 350 }), (calls, more) => {
        const lines: string[] = []
        const metrics = embeddedMetrics('orders', virtualClock(), (line) => lines.push(line))
        const all = [...calls, ...Array.from({ length: more }, (_, value) => ({ count: false, name: 'a', value }))]
        for (const { count, name, value } of all) {
          if (count) metrics.count(`${name}_count`, value)
          else metrics.measure(name, value, 'Seconds')
        }
        metrics.flush?.()
        metrics.flush?.()
        const seen: Record<string, number> = {}
        let values = 0
        for (const line of lines) {
          for (const [name, list] of checkEmf(line)) {
            seen[name] = (seen[name] ?? 0) + list.reduce((sum, one) => sum + one, 0)
            values += name.endsWith('_count') ? 0 : list.length
          }
        }
        const expected: Record<string, number> = {}
        for (const { count, name, value } of all)
          expected[count ? `${name}_count` : name] = (expected[count ? `${name}_count` : name] ?? 0) + value
        assert.deepEqual(seen, expected)
        assert.equal(values, all.filter(({ count }) => !count).length)
      }),
      { numRuns: 60 },
    )
  })
})

describe('no payload', () => {
  const MARKER = 'S3CR3T-4111'
  const said = (one: ReturnType<typeof bench>) =>
    JSON.stringify([
      one.lines,
      one.counts,
      one.measured,
      [...one.records.values()].map(({ history, letter }) => [history, letter]),
    ])
  const unreachable = { ...memoryStore(), begin: () => Promise.reject(new Error('down')) }

  test('property: of no body, whatever becomes of its message, is anything in logs, metrics, records or history', async () => {
    const bodies = [
      JSON.stringify({ card: MARKER, [MARKER]: 1, id: 7 }),
      `{"card":"${MARKER}"`,
      MARKER,
      `"${MARKER}"`,
      `[${MARKER}]`,
      JSON.stringify([MARKER]),
      `\uFEFF${MARKER}`,
    ]
    const schemas = {
      none: undefined,
      zod: z.object({ card: z.number(), id: z.string() }),
      strict: z.strictObject({ card: z.enum(['a', 'b']) }),
      record: z.record(z.string().max(3), z.number()),
      valibot: v.object({ card: v.picklist(['a', 'b']), id: v.literal('x') }),
      'valibot strict': v.strictObject({ card: v.number() }),
    }
    const handlers = {
      done: () => {},
      retry: throwing(new RetryableError('x')),
      unknown: throwing({ code: 1 }),
      dead: throwing(new PermanentError('x')),
      cut: hang,
    }
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...bodies),
        fc.constantFrom(...(Object.keys(schemas) as (keyof typeof schemas)[])),
        fc.constantFrom(...(Object.keys(handlers) as (keyof typeof handlers)[])),
        fc.boolean(),
        fc.boolean(),
        async (body, schema, handler, storeDown, dlq) => {
          const options = {
            schema: schemas[schema],
            ...(storeDown && { store: unreachable }),
            ...(!dlq && { deadLetterQueue: undefined }),
          }
          const one = bench(handlers[handler], options as never)
          await one.invoke([
            { messageId: 'm1', body },
            { messageId: 'm2', body },
            { messageId: 'm1', body },
          ])
          assert.ok(!said(one).includes(MARKER), said(one))
        },
      ),
      { numRuns: 300 },
    )
  })

  test('nor of one that has another payload under its key', async () => {
    const one = bench(() => {}, { key: () => 'k' })
    await one.invoke([
      { messageId: 'm1', body: { card: MARKER } },
      { messageId: 'm2', body: { card: `${MARKER}2` } },
    ])
    assert.ok(!said(one).includes(MARKER))
  })
})
