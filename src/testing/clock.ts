import { allLoaded } from '../flow/on-demand.ts'
import type { Clock } from '../flow/ports.ts'

/** A clock that stands still until it is told to go. */
export interface VirtualClock extends Clock {
  /** Goes on by `ms`, and runs on the way, in order, what was due. Pending promises settle between two tasks. */
  advance(ms: number): Promise<void>
  /** Jumps from one due task to the next until the promise settles. Rejects when nothing is due any more and it has not. */
  until<T>(promise: Promise<T>): Promise<T>
}

interface Task {
  readonly at: number
  readonly run: () => void
}

/** Time for tests: starts at `start` (epoch ms) and passes only as a test says. */
export function virtualClock(start: number = Date.UTC(2026, 0, 1)): VirtualClock {
  let now = start
  let tasks: Task[] = []

  const next = (): Task | undefined =>
    tasks.reduce<Task | undefined>((first, task) => (first && first.at <= task.at ? first : task), undefined)

  const runNext = (task: Task): void => {
    tasks = tasks.filter((other) => other !== task)
    now = Math.max(now, task.at)
    task.run()
  }

  return {
    now: () => now,
    after: (ms, run) => {
      const task = { at: now + Math.max(0, ms), run }
      tasks.push(task)
      return () => {
        tasks = tasks.filter((other) => other !== task)
      }
    },
    advance: async (ms) => {
      const end = now + ms
      await settled()
      for (let task = next(); task !== undefined && task.at <= end; task = next()) {
        runNext(task)
        await settled()
      }
      now = end
    },
    until: async (promise) => {
      let over = false
      const done = (): void => {
        over = true
      }
      promise.then(done, done)
      for (await settled(); !over; await settled()) {
        const task = next()
        if (task === undefined) throw new Error('Nothing is due any more, and the promise has not settled.')
        runNext(task)
      }
      return await promise
    },
  }
}

/** Lets all promises that can settle do so: two turns of the event loop, for what takes one turn itself, and what is loading. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) {
    await new Promise((resolve) => setImmediate(resolve))
    await allLoaded()
  }
}
