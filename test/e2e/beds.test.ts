// The beds themselves: a run that is killed leaves nothing behind for longer than until the next one.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { run } from './beds/run.ts'
import { until } from './beds/until.ts'
import { removeLeftovers, startMinistack } from './beds.ts'
import { skip } from './skip.ts'

const script = fileURLToPath(new URL('./beds.ts', import.meta.url))

describe('test beds', { concurrency: true, skip, timeout: 120_000 }, () => {
  it('stop with their owner, even where that is killed', async () => {
    const { owner, pid } = await startedByHand()
    owner.kill('SIGKILL')
    await ended(pid)
  })

  it('are ended by the next run where their guard was killed as well', async () => {
    const { owner, pid, folder } = await startedByHand()
    const { output } = await run('ps', ['-o', 'ppid=', '-p', String(pid)])
    process.kill(Number(output), 'SIGKILL')
    owner.kill('SIGKILL')
    assert.ok(isAlive(pid))
    await until('its owner is gone', async () => !isAlive(owner.pid!), 10_000)
    await removeLeftovers()
    await ended(pid)
    assert.equal(existsSync(folder), false)
  })

  it('are healthy while they run, and not when they are stopped', async () => {
    const bed = await startMinistack()
    assert.equal(await bed.healthy(), true)
    assert.match(bed.endpoint, /^http:\/\/127\.0\.0\.1:\d+$/)
    await bed.stop()
    assert.equal(await bed.healthy(), false)
    assert.equal(existsSync(dirname(bed.log)), false)
  })

  it('that do not exist are named, with those that do', async () => {
    const { status, output } = await run(process.execPath, [script, 'floci'])
    assert.equal(status, 2)
    assert.equal(output, 'There is no bed "floci", only localstack, ministack.\n')
  })
})

/** A bed that another process owns. */
async function startedByHand(): Promise<{ owner: ChildProcess; pid: number; folder: string }> {
  const owner = spawn(process.execPath, [script, 'ministack'], { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  owner.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const log = await until('the bed says where it is', async () => /log: (.*)\)/.exec(said)?.[1], 90_000)
  const folder = dirname(log)
  return { owner, folder, pid: Number(await readFile(join(folder, 'pid'), 'utf8')) }
}

const ended = (pid: number): Promise<true> => until(`process ${pid} is gone`, async () => !isAlive(pid) || undefined, 20_000)

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
