/**
 * Runs a bed as long as the process that wants it: when that ends, in whatever way, the pipe to the guard's standard input ends
 * too, and the guard ends the bed with all its children. `node guard.ts PLAN`, PLAN a JSON of {@link Plan}.
 */
import { spawn } from 'node:child_process'
import { openSync, writeFileSync } from 'node:fs'

/** What a guard runs. */
export interface Plan {
  readonly command: string
  readonly parameters: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  readonly log: string
  /** Where the id of the bed's process is written to. */
  readonly pidFile: string
}

const GRACE_MS = 8_000
const plan = JSON.parse(process.argv[2] ?? '') as Plan

// Ctrl-C in a terminal reaches the guard as well: it has to outlive its owner.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
process.on('SIGTERM', end)

const log = openSync(plan.log, 'a')
const child = spawn(plan.command, plan.parameters, {
  cwd: plan.cwd,
  env: plan.env,
  stdio: ['ignore', log, log],
  // A group of its own, so that its children can be ended with it.
  detached: true,
})
child.on('error', (error) => {
  writeFileSync(log, `${error}\n`)
  process.exit(1)
})
child.on('exit', (code) => {
  signalGroup('SIGKILL')
  process.exit(code ?? 1)
})
if (child.pid !== undefined) writeFileSync(plan.pidFile, String(child.pid))

process.stdin.on('end', end).resume()

function end(): void {
  signalGroup('SIGTERM')
  setTimeout(() => signalGroup('SIGKILL'), GRACE_MS)
}

function signalGroup(signal: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal)
  } catch {
    // It is gone already.
  }
}
