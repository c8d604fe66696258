import assert from 'node:assert/strict'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { sqsEvent } from '../../src/testing/event.ts'
import { type Packed, pack, userFolder } from './packed.ts'
import { nodeBinary, root, run, tool } from './shell.ts'

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  version: string
  exports: Record<string, unknown>
}

/** A user's whole program: prints the answers to one event, with a good, a broken and a misfitting message. */
const PROGRAM = `
import { consumer } from 'redrive'
import { z } from 'zod'
const handler = consumer({ schema: z.object({ id: z.string() }), metrics: false }, async (order, message) => {
  if (order.id === 'declined') throw new Error('card declined')
  console.error(order.id, message.attempt)
})
console.log(JSON.stringify(await handler(JSON.parse(process.env.EVENT), { getRemainingTimeInMillis: () => 5000 })))
`

/** A strict user's TypeScript. */
const TYPED = `
import { classify, consumer, dynamoStore, exponential, type Message, type Options, redrive, RetryableError, type SqsHandler } from 'redrive'
import { controlled, lambdaContext, sqsEvent } from 'redrive/testing'
import { startWorker, type Worker } from 'redrive/worker'
import { SQSClient } from '@aws-sdk/client-sqs'
import { z } from 'zod'

const Order = z.object({ id: z.string(), total: z.number() })
const options: Options = { backoff: exponential(), store: dynamoStore({ table: 'orders' }), classify: () => undefined }
export const handler: SqsHandler = consumer({ ...options, schema: Order, key: (order) => order.id }, async (order, message) => {
  const total: number = order.total
  const same: Message<z.infer<typeof Order>> = message
  if (total < 0) throw new RetryableError(same.id, { retryAfter: 5 })
})
// @ts-expect-error a typo
consumer({ shema: Order }, () => {})
export const { before, after } = redrive({ schema: Order })
export const verdict: string = classify(new Error('x')).verdict
export const answer = consumer(controlled({}, {}), () => {})(sqsEvent([{}]), lambdaContext())
export const worker: Promise<Worker> = startWorker({ handler, queueUrl: 'http://127.0.0.1:1/1/q', sqs: new SQSClient({}), logger: console })
`

describe('the package, as npm packs it', () => {
  let packed: Packed
  let folder: string

  before(async () => {
    packed = await pack()
    folder = await userFolder(packed)
    writeFileSync(join(folder, 'program.mjs'), PROGRAM)
  })

  it('holds the built code, its types, and four files beside: nothing else', () => {
    const sources = globSync('**/*.ts', { cwd: join(root, 'src'), exclude: ['service/**'] })
    const built = sources.flatMap((path) => ['.js', '.d.ts'].map((ending) => `dist/${path.replace(/\.ts$/, ending)}`))
    assert.deepEqual(packed.files, [...built, 'CHANGELOG.md', 'LICENSE', 'README.md', 'package.json'].sort())
    assert.ok(packed.bytes < 250_000, `${packed.bytes} bytes`)
  })

  for (const major of [22, 24] as const) {
    it(`runs a consumer on Node ${major}`, async () => {
      const bodies = [{ id: '1' }, '{ not JSON', { id: 'declined' }, { name: 'no id' }]
      const event = sqsEvent(bodies.map((body) => ({ body })))
      // Nobody listens there: the SDK is loaded, and its refusal changes no answer.
      const env = {
        AWS_ENDPOINT_URL: 'http://127.0.0.1:1',
        AWS_ACCESS_KEY_ID: 'none',
        AWS_SECRET_ACCESS_KEY: 'none',
        AWS_MAX_ATTEMPTS: '1',
      }
      const printed = await run(folder, await nodeBinary(major), ['program.mjs'], {
        ...env,
        EVENT: JSON.stringify(event),
        REDRIVE_LOG_LEVEL: 'silent',
      })
      const failures = event.Records.slice(1).map(({ messageId }) => ({ itemIdentifier: messageId }))
      assert.deepEqual(JSON.parse(printed), { batchItemFailures: failures })
    })

    it(`opens each of its entries on Node ${major}`, async () => {
      const entries = Object.keys(manifest.exports).filter((entry) => !entry.endsWith('.json'))
      const imports = entries.map((entry) => `console.log(Object.keys(await import('${join('redrive', entry)}')).length > 0)`)
      writeFileSync(join(folder, 'entries.mjs'), imports.join('\n'))
      const printed = await run(folder, await nodeBinary(major), ['entries.mjs'])
      assert.equal(printed, 'true\n'.repeat(entries.length))
    })

    it(`has a command line that runs on Node ${major}`, async () => {
      const binary = join(folder, 'node_modules', '.bin', 'redrive')
      assert.equal(await run(folder, await nodeBinary(major), [binary, '--version']), `${manifest.version}\n`)
      assert.match(await run(folder, await nodeBinary(major), [binary, 'work', '--help']), /redrive work --handler/)
    })
  }

  it('has an executable binary', async () => {
    assert.equal(await run(folder, join(folder, 'node_modules', '.bin', 'redrive'), ['--version']), `${manifest.version}\n`)
  })

  for (const resolution of ['nodenext', 'bundler']) {
    it(`type-checks in a strict project without skipLibCheck, and reaches no types of Middy's (${resolution})`, async () => {
      writeFileSync(join(folder, 'typed.ts'), TYPED)
      const module = resolution === 'bundler' ? 'esnext' : resolution
      const flags = [
        '--strict',
        '--exactOptionalPropertyTypes',
        '--noEmit',
        '--skipLibCheck',
        'false',
        '--types',
        'node',
        '--target',
        'es2022',
      ]
      const files = await run(folder, tool('tsc'), [
        ...flags,
        '--module',
        module,
        '--moduleResolution',
        resolution,
        '--listFiles',
        'typed.ts',
      ])
      assert.match(files, /node_modules\/redrive\/dist\/index\.d\.ts/)
      assert.doesNotMatch(files, /@middy|durable-execution|types\/aws-lambda/)
    })
  }

  it('is clean to publint', async () => {
    assert.match(await run(folder, tool('publint'), ['run', packed.tarball, '--strict']), /All good/)
  })

  it('is clean to are-the-types-wrong, as a package of ES modules', async () => {
    const said = await run(folder, tool('attw'), [packed.tarball, '--profile', 'esm-only', '--format', 'json'])
    const { problems } = (JSON.parse(said) as { analysis: { problems: { kind: string; resolutionKind?: string }[] } }).analysis
    // What it finds for CommonJS and for Node 10 is what "ES modules only" means.
    const others = problems.filter(({ resolutionKind }) => resolutionKind !== 'node10' && resolutionKind !== 'node16-cjs')
    assert.deepEqual(others, [])
  })
})
