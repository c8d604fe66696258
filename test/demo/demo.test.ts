// The demo as a person starts it: a process of its own.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('./run.ts', import.meta.url))

async function demo(...argv: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const env = { PATH: process.env['PATH'] ?? '', NO_COLOR: '1' }
  const child = spawn(process.execPath, ['--conditions=redrive-source', script, ...argv], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk) => (out += chunk))
  child.stderr.on('data', (chunk) => (err += chunk))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, out, err }
}

const limit = { timeout: 100_000 }

describe('the demo', { concurrency: true }, () => {
  test('proves that nothing was lost and nothing done twice, and leaves with 0', limit, async () => {
    const { code, out, err } = await demo('--seed', '3')
    assert.equal(code, 0, out + err)
    assert.match(out, /^The proof holds\./m)
    assert.equal([...out.matchAll(/^✓ /gm)].length, 7)
    assert.match(out, /164 of 164$/m)
    assert.match(out, /250 of 250 messages$/m)
    assert.match(out, /8 of 8 groups, 47 movements$/m)
    assert.match(out, /^O-\d+ +permanent +user\.permanent +\d+ {2}CardDeclined: /m)
    assert.match(out, /^O-\d+ +attempts-used-up +http\.403 /m)
    assert.equal(err, '')
    for (const line of out.split('\n')) assert.ok(line.length <= 100, line)
  })

  test('with faults planted the proof fails, names each of them, and leaves with 1', limit, async () => {
    const plants = ['double-charge', 'lose-one', 'lose-letter', 'disorder'].flatMap((name) => ['--plant', name])
    const { code, out } = await demo('--seed', '4', ...plants)
    assert.equal(code, 1, out)
    assert.match(out, /^The proof FAILS: 5 of 7 claims are wrong\./m)
    assert.match(out, /charge ch_\d+ is the second for O-\d+, under the key orders#"O-\d+"-again/)
    assert.match(out, /O-\d+ was charged 0 times/)
    assert.match(out, /O-\d+ \(message [0-9a-f-]+\) has 0 dead letters, not 1/)
    assert.match(out, /account A8 was posted A8-2 A8-1 A8-3 A8-4 A8-5 A8-6, not A8-1 A8-2/)
  })

  test('wrong arguments start nothing and leave with 2', limit, async () => {
    const { code, err } = await demo('--plant', 'nothing')
    assert.equal(code, 2)
    assert.match(err, /--plant is 'nothing'; there are: double-charge, lose-one, lose-letter, disorder\./)
    assert.match((await demo('--seed', 'x')).err, /--seed is 'x'; it must be a whole number from 0/)
  })
})
