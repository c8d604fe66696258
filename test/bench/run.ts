/**
 * `npm run bench`: what redrive itself costs, on this machine, in one run. The handler does nothing and nothing leaves the
 * process, so all that is measured is ours (and zod's). Figures are medians of rounds, best of five for the classifier.
 */
import { z } from 'zod'
import { classify, consumer, memoryStore, type Options } from '../../src/index.ts'
import { lambdaContext, sqsEvent } from '../../src/testing/index.ts'

const quiet = { metrics: false, logger: { debug() {}, info() {}, warn() {}, error() {} }, partialBatch: true } as const
const schema = z.object({ id: z.string(), cents: z.int(), email: z.email() })

const CASES: Readonly<Record<string, () => Options<typeof schema | undefined>>> = {
  'no schema, no store': () => ({ ...quiet, key: false }),
  'zod schema': () => ({ ...quiet, key: false, schema }),
  'zod schema, memory store': () => ({ ...quiet, schema, store: memoryStore() }),
}

/** Microseconds of CPU a message, the median of the rounds. */
async function cpuOfMessage(options: Options<typeof schema | undefined>, batch: number): Promise<number> {
  const handler = consumer(options, () => {})
  const rounds = Math.max(15, Math.ceil(6_000 / batch))
  const figures: number[] = []
  for (let round = 0; round < rounds; round++) {
    const bodies = Array.from({ length: batch }, (_, at) => ({ id: `${round}-${at}`, cents: at, email: 'ada@example.com' }))
    const event = sqsEvent(bodies.map((body, at) => ({ body, messageId: `m-${round}-${at}` })))
    const before = process.cpuUsage()
    await handler(event, lambdaContext(30_000))
    const { user, system } = process.cpuUsage(before)
    figures.push((user + system) / batch)
  }
  return median(figures)
}

/** Microseconds for one verdict on a plain error: p50 of a round, warm, the best of five rounds. */
function classifyPlainError(): number {
  const rounds = Array.from({ length: 5 }, () => {
    const error = new Error('nobody knows')
    return median(
      Array.from({ length: 20_000 }, () => {
        const start = process.hrtime.bigint()
        classify(error)
        return Number(process.hrtime.bigint() - start) / 1_000
      }),
    )
  })
  return Math.min(...rounds)
}

const median = (figures: readonly number[]): number =>
  figures.toSorted((one, other) => one - other)[figures.length >> 1] ?? Number.NaN

const rows: Record<string, Record<string, string>> = {}
for (const [name, options] of Object.entries(CASES)) {
  rows[name] = {}
  for (const batch of [10, 100, 1_000])
    rows[name][`batch of ${batch}`] = `${(await cpuOfMessage(options(), batch)).toFixed(1)} µs`
}
console.log(`CPU a message, Node ${process.version}`)
console.table(rows)
console.log(
  `classify(new Error('nobody knows')): ${classifyPlainError().toFixed(2)} µs (p50, warm, best of five rounds; goal: at most 20)`,
)
