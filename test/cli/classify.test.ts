import assert from 'node:assert/strict'
import { test } from 'node:test'
import { classifyCommand } from '../../src/cli/classify.ts'
import { type Terminal, UsageError } from '../../src/cli/command.ts'

async function classified(pasted: string, json = false): Promise<string> {
  const said: string[] = []
  const terminal: Terminal = {
    env: {},
    folder: '.',
    interactive: false,
    out: (text) => void said.push(text),
    error: (text) => void said.push(text),
    onEnd: () => () => {},
  }
  assert.equal(await classifyCommand(async () => pasted).run(json ? { json } : {}, terminal), 0)
  return said.join('\n')
}

test('an error as JSON: verdict, rule, why, and which error of the chain said so', async () => {
  const said = await classified(
    '{"name":"TypeError","message":"fetch failed","cause":{"code":"ECONNREFUSED","message":"connect"}}',
  )
  assert.match(said, /^verdict {2}retryable$/m)
  assert.match(said, /^rule {5}network\.\w+$/m)
  assert.match(said, /^why {6}\S/m)
  assert.match(said, /^found {4}in its cause$/m)
})

test('--json: the same as one object', async () => {
  const { verdict, rule, path } = JSON.parse(
    await classified('{"name":"ThrottlingException","$metadata":{"httpStatusCode":400}}', true),
  )
  assert.deepEqual({ verdict, path }, { verdict: 'retryable', path: '' })
  assert.match(rule, /^service\./)
})

test('what Node prints of an error is read with its causes', async () => {
  const stack = `TypeError: fetch failed
    at node:internal/deps/undici/undici:13510:13
    at async charge (/srv/orders/payments.js:12:20) {
  [cause]: Error: connect ECONNREFUSED 127.0.0.1:9
      at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1637:16) {
    errno: -111,
    code: 'ECONNREFUSED',
    syscall: 'connect'
  }
}`
  assert.match(await classified(stack), /^verdict {2}retryable$/m)
})

test('the evidence of a dead letter gives the verdict that it died of', async () => {
  const evidence = { reason: 'permanent', rule: 'http.422', error: { name: 'ProviderError', message: 'no', status: 422 } }
  assert.match(await classified(JSON.stringify(evidence)), /^verdict {2}permanent$/m)
})

test('an error that nobody knows is unknown, and a Retry-After is told', async () => {
  assert.match(await classified('Error: the moon is full'), /^verdict {2}unknown$/m)
  assert.match(await classified('{"status":429,"headers":{"retry-after":"120"}}'), /^wait {5}at least 120 s$/m)
})

test('nothing on standard input: a sentence that says how', async () => {
  await assert.rejects(classified(' \n'), (error) => error instanceof UsageError && /standard input/.test(error.message))
})
