/** Starts a bed under its guard, waits until it is healthy, and removes what a killed run left. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BedError, root, runFolder } from './folders.ts'
import type { Plan } from './guard.ts'
import { tail } from './log.ts'
import { isAlive, killGroup, markOf, type ProcessMark } from './processes.ts'
import { run } from './run.ts'
import { until } from './until.ts'

/** A bed that runs. */
export interface Bed {
  readonly name: string
  /** Where all of its services answer, e.g. `http://127.0.0.1:14566`. */
  readonly endpoint: string
  /** What it said. */
  readonly log: string
  /** Whether it still answers as itself. */
  healthy(): Promise<boolean>
  stop(): Promise<void>
}

/** What is to be run. */
export interface Service {
  readonly name: string
  /** @default a free one */
  readonly port?: number
  /** What the process is started with, given its port and a folder of its own. */
  command(port: number, folder: string): Pick<Plan, 'command' | 'parameters' | 'env'>
  /** Another server on the port may answer as well: true only for this bed's very own health. */
  isHealthy(endpoint: string): Promise<boolean>
  /** A container of this name is removed where it was left. */
  readonly container?: string
}

const START_MS = 90_000
const guard = fileURLToPath(new URL('./guard.ts', import.meta.url))

interface Card {
  readonly owner: ProcessMark
  readonly container?: string
}

/** Starts it and waits until it is healthy. */
export async function serve(service: Service): Promise<Bed> {
  await removeLeftovers()
  const folder = await mkdtemp(join(await made(runFolder()), `${service.name}-`))
  const card: Card = {
    owner: await markOf(process.pid),
    ...(service.container !== undefined && { container: service.container }),
  }
  await writeFile(join(folder, 'card.json'), JSON.stringify(card))
  await lendSdk(folder)
  const port = service.port ?? (await freePort())
  const log = join(folder, 'log.txt')
  const plan: Plan = { ...service.command(port, folder), cwd: folder, log, pidFile: join(folder, 'pid') }
  const process_ = spawn(process.execPath, ['--no-warnings', guard, JSON.stringify(plan)], {
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  const endpoint = `http://127.0.0.1:${port}`
  const stop = async (): Promise<void> => {
    await ended(process_)
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
  try {
    await answers(service, endpoint, process_)
  } catch (error) {
    const text = tail(await readFile(log, 'utf8').catch(() => ''))
    await stop()
    throw new BedError(`${service.name} did not start: ${(error as Error).message}\n${text}`)
  }
  return { name: service.name, endpoint, log, healthy: () => service.isHealthy(endpoint).catch(() => false), stop }
}

async function answers(service: Service, endpoint: string, process_: ChildProcess): Promise<void> {
  await until(
    `its health at ${endpoint}`,
    async () => {
      if (process_.exitCode !== null) throw new Error(`it ended with code ${process_.exitCode}.`)
      return service.isHealthy(endpoint).catch(() => false)
    },
    START_MS,
  )
}

async function ended(process_: ChildProcess): Promise<void> {
  if (process_.exitCode !== null || process_.signalCode !== null) return
  const exit = once(process_, 'exit')
  process_.stdin?.end()
  await exit
}

/** The runtime of Lambda brings the AWS SDK along, so it is in no bundle: functions find it above their own folder. */
async function lendSdk(folder: string): Promise<void> {
  const lent = await made(join(folder, 'node_modules'))
  for (const scope of ['@aws-sdk', '@smithy']) await symlink(join(root, 'node_modules', scope), join(lent, scope))
}

async function made(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  return folder
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new BedError('No free port on 127.0.0.1.')
  return address.port
}

/** Beds whose owner is gone: normally their guard has ended them; where it was killed as well, this does. */
export async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(runFolder()).catch(() => [])) {
    const folder = join(runFolder(), name)
    const card = await readFile(join(folder, 'card.json'), 'utf8').then(
      (text) => JSON.parse(text) as Card,
      () => undefined,
    )
    // No card yet: a bed that is just about to start.
    if (card === undefined || (await isAlive(card.owner))) continue
    await removeLeftover(folder, card)
  }
}

async function removeLeftover(folder: string, { container }: Card): Promise<void> {
  const pid = Number(await readFile(join(folder, 'pid'), 'utf8').catch(() => 0))
  // A bed runs in its folder: another process that got the id by now does not name it.
  if (pid > 0 && (await nameIts(pid, folder))) killGroup(pid)
  if (container !== undefined) await run('docker', ['rm', '--force', container]).catch(() => undefined)
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
}

async function nameIts(pid: number, folder: string): Promise<boolean> {
  const environment = `/proc/${pid}/environ`
  if (existsSync(environment)) return (await readFile(environment, 'utf8').catch(() => '')).includes(folder)
  const { output } = await run('ps', ['-E', '-ww', '-p', String(pid)]).catch(() => ({ output: '' }))
  return output.includes(folder)
}
