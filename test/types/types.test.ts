import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { it } from 'node:test'
import { fileURLToPath } from 'node:url'

it('payloads are inferred, mistakes are refused, and the hosts fit: all of this folder compiles', () => {
  const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', fileURLToPath(new URL('.', import.meta.url))], {
    encoding: 'utf8',
  })
  assert.equal(stdout, '')
  assert.equal(status, 0)
})
