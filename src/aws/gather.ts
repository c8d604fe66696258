import type { Clock } from '../flow/ports.ts'

/** How long an entry waits for others to share its request, in milliseconds. */
const GATHER_MS = 4

export interface GatherLimit {
  readonly most: number
  /** Asked each time: a queue's limit is learnt from its refusal. */
  readonly mostBytes: () => number
}

interface Waiting<Entry, Result> {
  readonly entry: Entry
  readonly size: number
  readonly resolve: (result: Result) => void
}

/**
 * Gathers single entries into batch requests: at most `most` entries and `mostBytes` bytes a request, requests in parallel. A
 * full request leaves at once, the rest after a few milliseconds. `send` must not reject and must answer each entry by position.
 */
export class Gatherer<Entry, Result> {
  readonly #clock: Clock
  readonly #send: (entries: readonly Entry[]) => Promise<readonly Result[]>
  readonly #limit: GatherLimit
  #waiting: Waiting<Entry, Result>[] = []
  #cancel: (() => void) | undefined

  constructor(clock: Clock, limit: GatherLimit, send: (entries: readonly Entry[]) => Promise<readonly Result[]>) {
    this.#clock = clock
    this.#limit = limit
    this.#send = send
  }

  add(entry: Entry, size = 0): Promise<Result> {
    return new Promise((resolve) => {
      const bytes = this.#waiting.reduce((sum, other) => sum + other.size, size)
      if (bytes > this.#limit.mostBytes()) this.#flush()
      this.#waiting.push({ entry, size, resolve })
      if (this.#waiting.length >= this.#limit.most) this.#flush()
      else this.#cancel ??= this.#clock.after(GATHER_MS, () => this.#flush())
    })
  }

  #flush(): void {
    this.#cancel?.()
    this.#cancel = undefined
    const batch = this.#waiting
    this.#waiting = []
    if (batch.length === 0) return
    void this.#send(batch.map(({ entry }) => entry)).then((results) => {
      for (const [position, { resolve }] of batch.entries()) resolve(results[position] as Result)
    })
  }
}
