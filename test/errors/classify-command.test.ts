import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { classifyCommand } from '../../src/cli/classify.ts'
import { type Terminal, UsageError } from '../../src/cli/command.ts'
import { describeError } from '../../src/errors/describe.ts'

async function answered(pasted: string, values: Record<string, boolean> = {}): Promise<string> {
  const lines: string[] = []
  const terminal: Terminal = {
    env: {},
    folder: '/',
    interactive: false,
    out: (line) => void lines.push(line),
    error: () => assert.fail('something was complained about'),
    onEnd: () => () => {},
  }
  assert.equal(await classifyCommand(async () => pasted).run(values, terminal), 0)
  return lines.join('\n')
}

const asJson = async (pasted: string) => JSON.parse(await answered(pasted, { json: true })) as Record<string, unknown>

const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED', errno: -111 })
const failed = new TypeError('fetch failed', { cause: refused })

test('an error as Node prints it is read with its causes', async () => {
  const { verdict, rule, path, error } = await asJson(inspect(new Error('while charging', { cause: failed })))
  assert.deepEqual([verdict, rule, path], ['retryable', 'network.connection', 'cause.cause'])
  assert.equal(error, 'Error: connect ECONNREFUSED 127.0.0.1:1')
})

test('the answer for people says verdict, rule, why, the error and where it was', async () => {
  assert.equal(
    await answered(inspect(failed)),
    [
      'verdict  retryable',
      'rule     network.connection',
      'why      The connection failed or was lost.',
      'error    Error: connect ECONNREFUSED 127.0.0.1:1',
      'found    in its cause',
    ].join('\n'),
  )
})

test('fields, statuses and Retry-After are read out of the print', async () => {
  const limited = Object.assign(new Error('Too many'), { name: 'HttpError', status: 429, headers: { 'retry-after': '17' } })
  const { verdict, retryAfter } = await asJson(inspect(limited))
  assert.deepEqual([verdict, retryAfter], ['retryable', 17])
  const coded = await asJson(
    "Uncaught Error [ERR_INVALID_URL]: Invalid URL\n    at new URL (node:internal/url:816:29) {\n  input: 'x'\n}",
  )
  assert.equal(coded['verdict'], 'permanent')
})

test('JSON is understood in the forms of loggers', async () => {
  const forms: readonly (readonly [unknown, string])[] = [
    [{ name: 'Error', message: 'x', code: '40P01' }, 'retryable'],
    [{ errorType: 'TypeError', errorMessage: "Cannot read properties of undefined (reading 'id')", stack: [] }, 'permanent'],
    [{ level: 50, msg: 'failed', err: { type: 'Error', message: 'x', code: 'ECONNRESET' } }, 'retryable'],
    [
      { level: 'ERROR', message: 'failed', error: { name: 'ZodError', message: '[]', issues: [{ path: [], message: 'm' }] } },
      'permanent',
    ],
    [{ reason: 'attempts-used-up', error: describeError(failed) }, 'retryable'],
    [
      { stack: 'SyntaxError: Unexpected end of JSON input\n    at JSON.parse', message: 'Unexpected end of JSON input' },
      'permanent',
    ],
    ["Error: x\n    at a (b.js:1:1)\nCaused by: Error: y\n    at c (d.js:1:1) {\n  code: 'ETIMEDOUT'\n}", 'retryable'],
    [[{ code: 'ECONNRESET' }], 'retryable'],
    ['never seen', 'unknown'],
    [null, 'unknown'],
  ]
  for (const [form, verdict] of forms) assert.deepEqual([form, (await asJson(JSON.stringify(form)))['verdict']], [form, verdict])
})

test('nothing on standard input is an argument error', async () => {
  await assert.rejects(answered(' \n'), UsageError)
})
