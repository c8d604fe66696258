import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Terminal } from '../../src/cli/command.ts'
import { main } from '../../src/cli/main.ts'

// The SDK looks for credentials before it connects.
Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'x' })

const handlers = fileURLToPath(new URL('./handlers/', import.meta.url))

async function run(...argv: string[]): Promise<{ code: number; out: string; error: string }> {
  const said = { out: '', error: '' }
  const terminal: Terminal = {
    env: {},
    folder: handlers,
    interactive: false,
    out(text) {
      said.out += `${text}\n`
    },
    error(text) {
      said.error += `${text}\n`
    },
    onEnd: () => () => {},
  }
  return { code: await main(argv, terminal), ...said }
}

test('--version is the one of package.json', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
  assert.deepEqual(await run('--version'), { code: 0, out: `${version}\n`, error: '' })
})

for (const argv of [['--help'], ['help'], ['-h']]) {
  test(`${argv.join(' ')} lists the commands`, async () => {
    const { code, out } = await run(...argv)
    assert.equal(code, 0)
    assert.match(out, /^ {2}dev {2,}\S/m)
    assert.match(out, /^ {2}work {2,}\S/m)
  })
}

for (const command of ['work', 'dev']) {
  for (const argv of [
    [command, '--help'],
    [command, '-h'],
    ['help', command],
  ]) {
    test(`${argv.join(' ')} shows options, examples and exit codes`, async () => {
      const { code, out } = await run(...argv)
      assert.equal(code, 0)
      for (const part of ['Usage:', '--handler', 'Examples:', 'Exit codes:']) assert.ok(out.includes(part), part)
    })
  }
}

const queue = ['--queue', 'http://127.0.0.1:1/000000000000/orders']
const wrong: readonly (readonly [string[], RegExp])[] = [
  [[], /Usage: redrive <command>/],
  [['wrok'], /there is no command 'wrok'. Commands: dev, work, classify/],
  [['work', '--handel', 'x'], /There is no option --handel\. Options: .*--handler/],
  [['work', '-x'], /There is no option -x/],
  [['work', 'orders.js'], /'orders\.js' stands alone/],
  [['work'], /--handler is missing\. Give it like this: --handler \.\/dist\/orders\.js#handler/],
  [['work', '--handler', 'plain.ts'], /--queue is missing/],
  [['work', '--handler', 'plain.ts', '--queue', 'orders'], /--queue is 'orders'\. It must be a URL/],
  [['work', '--handler', 'nowhere.js', ...queue], /there is no file .*nowhere\.js/],
  [['work', '--handler', 'plain.ts#orders', ...queue], /plain\.ts has no export 'orders'\. It exports: count, handler/],
  [['work', '--handler', 'plain.ts#count', ...queue], /exports 'count', but it is no function/],
  [
    ['work', '--handler', 'plain.ts', '--batch-size', '11', ...queue],
    /--batch-size is '11'\. It must be a whole number from 1 to 10/,
  ],
  [['work', '--handler', 'plain.ts', '--timeout', '2m', ...queue], /--timeout is '2m'/],
  [['work', '--handler', 'plain.ts', '--endpoint', 'localhost', ...queue], /--endpoint is 'localhost'\. It must be a URL/],
  [['dev'], /There is no serverless.yml in .*or give --handler and --queue/],
  [['dev', '--handler', 'plain.ts'], /--queue is missing/],
  [['dev', '--handler', 'plain.ts', '--queue', 'http://x/y'], /It is the queue's name/],
  [['dev', '--handler', 'plain.ts', '--queue', 'orders', '--port', '70000'], /--port is '70000'/],
]
for (const [argv, expected] of wrong) {
  test(`redrive ${argv.join(' ')}: exit 2, in words, without a stack`, async () => {
    const { code, out, error } = await run(...argv)
    assert.equal(code, 2)
    assert.equal(out, '')
    assert.match(error, expected)
    assert.doesNotMatch(error, /^ {4}at /m)
  })
}

test('a queue that does not answer: exit 2, in words', async () => {
  const { code, error } = await run('work', '--handler', 'plain.ts', ...queue)
  assert.equal(code, 2)
  assert.match(error, /The queue http:\/\/127\.0\.0\.1:1\/000000000000\/orders could not be reached: .*ECONNREFUSED/)
  assert.doesNotMatch(error, /^ {4}at /m)
})

test("an error of the handler's own file is shown with its stack", async () => {
  const { code, error } = await run('work', '--handler', 'broken.ts', ...queue)
  assert.equal(code, 2)
  assert.match(error, /no database configured/)
  assert.match(error, /^ {4}at .*broken\.ts/m)
})
