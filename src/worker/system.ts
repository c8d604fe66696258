/** The real clock. */
import type { Clock } from '../flow/ports.ts'

/** Wall time and Node's timers; a timer keeps the process alive until it ran or was cancelled. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, task) {
    const timer = setTimeout(task, ms)
    return () => clearTimeout(timer)
  },
}
