import type { Clock } from './ports.ts'

/** How long an invocation may take where no context tells: Lambda's limit (F80). */
export const LONGEST_INVOCATION_MS = 900_000

/** No message is hidden for longer, so none can run for longer (F9); timers end at twice 12 days. */
const LONGEST_RUN_MS = 43_200_000

/** How far the clocks of two environments may differ: a lease outlives its invocation by as much. */
export const CLOCK_DIFFERENCE_MS = 5_000

/** The times of one invocation, in epoch milliseconds. */
export interface Deadline {
  readonly startedAt: number
  /** What still runs now is cut. */
  readonly at: number
  /** Until when the completion of done work is tried. */
  readonly recordBy: number
  /** The answer leaves now, whatever is still open. */
  readonly answerBy: number
  /** Metrics have left by now. */
  readonly flushBy: number
  /** When Lambda ends the invocation. */
  readonly endsAt: number
  /** When a lease taken in this invocation ends by itself. */
  readonly leaseUntil: number
}

/** Of the time that remains a tenth is kept for the effects: at least half a second, at most five, never more than half. */
export function deadlineOf(startedAt: number, remainingMs: number = LONGEST_INVOCATION_MS): Deadline {
  const remaining = Math.min(Math.max(0, Number.isFinite(remainingMs) ? remainingMs : LONGEST_INVOCATION_MS), LONGEST_RUN_MS)
  const reserve = Math.min(Math.max(remaining / 10, 500), 5_000, remaining / 2)
  const endsAt = startedAt + remaining
  return {
    startedAt,
    at: endsAt - reserve,
    recordBy: endsAt - reserve / 2,
    answerBy: endsAt - reserve / 4,
    flushBy: endsAt - reserve / 8,
    endsAt,
    leaseUntil: endsAt + CLOCK_DIFFERENCE_MS,
  }
}

/** Half of the invocation's time or more was left: a message that is cut has had its attempt (DESIGN 4.3). */
export const hadItsTime = (deadline: Deadline, startedAt: number): boolean =>
  deadline.endsAt - startedAt >= (deadline.endsAt - deadline.startedAt) / 2

/** Decides whether one more message starts: the first always; then as long as it would likely finish, by the median so far. */
export class StartGate {
  readonly #deadline: Deadline
  readonly #clock: Clock
  readonly #durations: number[] = []
  #started = 0
  #closed = false

  constructor(deadline: Deadline, clock: Clock) {
    this.#deadline = deadline
    this.#clock = clock
  }

  /** Counts as a start when it says yes. */
  mayStart(): boolean {
    const left = this.#deadline.at - this.#clock.now()
    if (this.#closed) return false
    if (this.#started > 0 && (left <= 0 || left < this.#median())) return false
    this.#started++
    return true
  }

  /** From now on nothing starts, not even the first. */
  close(): void {
    this.#closed = true
  }

  finished(durationMs: number): void {
    const at = this.#durations.findIndex((other) => other > durationMs)
    this.#durations.splice(at === -1 ? this.#durations.length : at, 0, durationMs)
  }

  #median(): number {
    return this.#durations[this.#durations.length >> 1] ?? 0
  }
}
