#!/usr/bin/env node
/** The binary: the real process around `main`. */
import type { Terminal } from './command.ts'
import { main } from './main.ts'

/** A second signal within this time is the same one: a terminal sends it to a whole group of processes, which pass it on. */
const SAME_SIGNAL_MS = 1_000

const terminal: Terminal = {
  env: process.env,
  folder: process.cwd(),
  interactive: process.stdout.isTTY === true,
  out: (text) => void process.stdout.write(`${text}\n`),
  error: (text) => void process.stderr.write(`${text}\n`),
  onEnd(listener) {
    let first: number | undefined
    const onSignal = (): void => {
      if (first === undefined) {
        first = Date.now()
        listener()
      } else if (Date.now() - first > SAME_SIGNAL_MS) process.exit(1)
    }
    process.on('SIGTERM', onSignal)
    process.on('SIGINT', onSignal)
    return () => {
      process.off('SIGTERM', onSignal)
      process.off('SIGINT', onSignal)
    }
  },
}

// A handler may leave timers and connections open; the process ends all the same.
process.exit(await main(process.argv.slice(2), terminal))
