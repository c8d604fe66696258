/**
 * `npm run test:e2e [FILE…]`: installs and starts the beds, and runs the tests of this folder against them. Ends with the code of
 * the tests; with 2, and a line that says what is missing, where a bed can't be had.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { root } from './beds/folders.ts'
import { type Bed, type BedName, starters } from './beds.ts'

const files = process.argv.slice(2)

async function start(name: BedName): Promise<Bed> {
  const begun = performance.now()
  const bed = await starters[name]()
  console.log(`${name}: up after ${((performance.now() - begun) / 1000).toFixed(0)} s, ${bed.endpoint}`)
  return bed
}

async function test(beds: readonly Bed[]): Promise<number> {
  const endpoints = beds.map(({ name, endpoint }) => [`REDRIVE_E2E_${name.toUpperCase()}`, endpoint])
  const all = globSync('test/e2e/*.test.ts', { cwd: root }).toSorted()
  // They wait most of the time: more of them than there are cores.
  const parameters = ['--conditions=redrive-source', '--test', '--test-concurrency=4', ...(files.length > 0 ? files : all)]
  const child = spawn(process.execPath, parameters, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...Object.fromEntries(endpoints), REDRIVE_E2E: '1' },
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}

const begun = performance.now()
const started = await Promise.allSettled((Object.keys(starters) as BedName[]).map(start))
const beds = started.flatMap((bed) => (bed.status === 'fulfilled' ? [bed.value] : []))
const missing = started.flatMap((bed) => (bed.status === 'rejected' ? [bed.reason as Error] : []))
for (const { message } of missing) console.error(message)
process.exitCode = missing.length > 0 ? 2 : await test(beds)
await Promise.all(beds.map((bed) => bed.stop()))
console.log(`end to end: ${((performance.now() - begun) / 1000).toFixed(0)} s`)
