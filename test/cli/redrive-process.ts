import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const binary = fileURLToPath(new URL('../../src/cli/bin.ts', import.meta.url))

/** A real `redrive` in a process of its own. */
export interface RedriveProcess {
  readonly child: ChildProcess
  /** All that it printed so far. */
  printed(): string
  /** Resolves with the text from its first match on; rejects when the process ends without it. */
  prints(expected: RegExp): Promise<RegExpExecArray>
  readonly exit: Promise<number | null>
}

export function startRedrive(...argv: string[]): RedriveProcess {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' }
  const child = spawn(process.execPath, ['--conditions=redrive-source', binary, ...argv], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // A test that fails must not leave it behind.
  process.once('exit', () => child.kill('SIGTERM'))
  let text = ''
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve))
  let watchers: (() => void)[] = []
  const onText = (chunk: Buffer): void => {
    text += chunk.toString()
    for (const watcher of watchers) watcher()
  }
  child.stdout.on('data', onText)
  child.stderr.on('data', onText)
  return {
    child,
    exit,
    printed: () => text,
    prints(expected) {
      return new Promise((resolve, reject) => {
        const look = (): void => {
          const found = expected.exec(text)
          if (!found) return
          watchers = watchers.filter((watcher) => watcher !== look)
          resolve(found)
        }
        watchers.push(look)
        void exit.then((code) => reject(new Error(`ended with ${code} without ${expected}:\n${text}`)))
        look()
      })
    },
  }
}
