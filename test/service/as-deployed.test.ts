import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { startProvider } from '../demo/provider/provider.ts'

const folder = new URL('../../src/service/', import.meta.url)

/** Runs some code in a Node of its own, as Lambda would load the module, with no more than this environment. */
function inProcess(code: string, env: Record<string, string>): Promise<{ stdout: string; stderr: string }> {
  const options = ['--conditions=redrive-source', '--input-type=module', '--eval', code]
  return promisify(execFile)(process.execPath, options, { env: { REDRIVE_LOG_LEVEL: 'silent', ...env } })
}

test('the handler works as its module exports it, with nothing but its environment', async () => {
  const provider = await startProvider()
  try {
    const { stdout } = await inProcess(
      `import { sqsEvent, lambdaContext } from 'redrive/testing'
       import { handler } from '${folder}orders.ts'
       const lines = [{ sku: 'tea', quantity: 1, cents: 700 }]
       const order = { id: 'O-1', email: 'a@shop.example', card: 'tok_1', currency: 'EUR', lines }
       const answer = await handler(sqsEvent([{ body: order }, { body: 'no order' }]), lambdaContext())
       console.log('answer', answer.batchItemFailures.length)`,
      { PAYMENTS_URL: provider.url },
    )
    // Without a dead-letter queue what can't succeed stays in the queue, for its redrive policy.
    assert.match(stdout, /answer 1/)
    assert.equal(provider.books.charges.length, 1)
  } finally {
    await provider.stop()
  }
})

test('a function that was deployed without the address of the provider does not start', async () => {
  const starting = inProcess(`await import('${folder}orders.ts')`, {})
  await assert.rejects(starting, ({ stderr }: { stderr: string }) => /PAYMENTS_URL must be the URL/.test(stderr))
})

test('the service imports redrive by its name, zod, and nothing else of the repository', async () => {
  const names = await readdir(folder)
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')))
  const imported = texts.flatMap((text) => [...text.matchAll(/from '([^']+)'/g)].map(([, name]) => name!))
  assert.deepEqual(new Set(imported.filter((name) => !/^\.\/[a-z]+\.ts$/.test(name))), new Set(['redrive', 'zod']))
})
