import type { Clock, Queue, Random } from './ports.ts'

/** Options may carry, under this key, what `redrive/testing` replaces. */
export const controls = Symbol.for('redrive.controls')

/** Where a consumer shows its setup, so that `redrive doctor` compares what is deployed with what the code says. */
export const setupKey = Symbol.for('redrive.setup')

/** What a test replaces: time, chance, and SQS itself. */
export interface Controls {
  readonly clock?: Clock
  readonly random?: Random
  readonly queue?: Queue
}
