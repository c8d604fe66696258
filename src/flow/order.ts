import type { ReceivedMessage } from './message.ts'

/** Messages that must run one after another. Lanes run side by side. */
export type Lane<M extends ReceivedMessage = ReceivedMessage> = readonly M[]

/** A queue is FIFO by its ARN: standard queues can have message groups too (fair queues, F35). */
export const isFifo = (queueArn: string): boolean => queueArn.endsWith('.fifo')

/**
 * FIFO: a lane a message group, in the order of the event. Standard: a lane a message; those received more often start first,
 * since they have waited longest and are nearest to their end.
 */
export function lanes<M extends ReceivedMessage>(messages: readonly M[]): Lane<M>[] {
  const groups = new Map<string, M[]>()
  const single: M[] = []
  for (const message of messages) {
    const ordered = isFifo(message.record.eventSourceARN) && message.groupId !== undefined
    const group = ordered ? groups.get(message.groupId) : undefined
    if (!ordered) single.push(message)
    else if (group === undefined) groups.set(message.groupId, [message])
    else group.push(message)
  }
  single.sort((one, other) => other.receiveCount - one.receiveCount)
  return [...single.map((message) => [message]), ...groups.values()]
}

/** A number of places; who finds none waits in line. */
export class Slots {
  #free: number
  readonly #line: (() => void)[] = []

  constructor(places: number) {
    this.#free = places
  }

  /** Does the work in a place of its own. */
  async within<T>(work: () => Promise<T>): Promise<T> {
    await this.#take()
    try {
      return await work()
    } finally {
      this.#give()
    }
  }

  /** Called within a place: waits without holding it, then takes one again. */
  async aside<T>(waiting: Promise<T>): Promise<T> {
    this.#give()
    try {
      return await waiting
    } finally {
      await this.#take()
    }
  }

  async #take(): Promise<void> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => this.#line.push(resolve))
  }

  #give(): void {
    const next = this.#line.shift()
    if (next === undefined) this.#free++
    else next()
  }
}
