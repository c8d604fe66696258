import type { Clock, Random } from './flow/ports.ts'

/** The machine's own clock. Its timers hold the process: a handler that never settles must end as a reported failure (F75). */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, task) => {
    const timer = setTimeout(task, Math.max(0, ms))
    return () => clearTimeout(timer)
  },
}

/** The machine's own chance. */
export const systemRandom: Random = () => Math.random()
