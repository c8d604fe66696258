import type { Random } from './ports.ts'

/** Time, chance, and how long a message may wait: what each delay depends on. */
export interface Waiting {
  /** Seconds since the message was sent; `undefined`: no limit. */
  readonly maxAge: number | undefined
  readonly now: number
  readonly random: Random
}

/** Whether the message has waited for longer than it may. */
export const tooOld = (sentAt: Date, { maxAge, now }: Waiting): boolean =>
  maxAge !== undefined && now - sentAt.getTime() > maxAge * 1000
