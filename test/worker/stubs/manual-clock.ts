import { setImmediate as turn } from 'node:timers/promises'
import type { Clock } from '../../../src/flow/ports.ts'

/** A clock that stands still until it is told to go on. */
export interface ManualClock extends Clock {
  /** Lets time pass, running what is due in order, and lets what that starts come to rest. */
  advance(seconds: number): Promise<void>
  /** Milliseconds from now at which the timers that are set would run. */
  pending(): number[]
}

export function manualClock(start = 1_700_000_000_000): ManualClock {
  let now = start
  let timers: { readonly at: number; readonly task: () => void }[] = []
  return {
    now: () => now,
    after(ms, task) {
      const timer = { at: now + ms, task }
      timers.push(timer)
      return () => {
        timers = timers.filter((each) => each !== timer)
      }
    },
    pending: () => timers.map(({ at }) => at - now).sort((a, b) => a - b),
    async advance(seconds) {
      const end = now + seconds * 1000
      await rest()
      for (;;) {
        const due = timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0]
        if (!due) break
        timers = timers.filter((each) => each !== due)
        now = due.at
        due.task()
        await rest()
      }
      now = end
    },
  }
}

/** Lets everything that needs no time and no network come to rest. */
export async function rest(): Promise<void> {
  for (let turns = 0; turns < 10; turns++) await turn()
}
