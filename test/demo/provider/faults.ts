/** What the provider does to one request instead of its work. */
export type Fault =
  /**
   * Answers with this status and does nothing. `retryAfter`: seconds, sent as a number or as a date. `always`: not this
   * request alone, but all from here on.
   */
  | {
      readonly is: 'answer'
      readonly status: number
      readonly retryAfter?: number
      readonly as?: 'seconds' | 'date'
      readonly always?: boolean
    }
  /** Resets the connection and does nothing. */
  | { readonly is: 'reset' }
  /** Never answers and does nothing. */
  | { readonly is: 'hang' }
  /** Does its work, late. */
  | { readonly is: 'slow'; readonly ms: number }
  /** The nasty one: does its work and resets the connection, so that the caller can't know. */
  | { readonly is: 'lost-answer' }

/** The faults that requests will meet, by what they are about: the first request meets the first fault, and so on. */
export class FaultPlan {
  readonly #faults = new Map<string, Fault[]>()

  add(reference: string, faults: readonly Fault[]): void {
    this.#faults.set(reference, [...(this.#faults.get(reference) ?? []), ...faults])
  }

  next(reference: string): Fault | undefined {
    const faults = this.#faults.get(reference)
    return isForever(faults?.[0]) ? faults?.[0] : faults?.shift()
  }

  /** How many faults no request has met yet, those apart that never end. */
  get left(): number {
    return [...this.#faults.values()].flat().filter((fault) => !isForever(fault)).length
  }
}

const isForever = (fault: Fault | undefined): boolean => fault?.is === 'answer' && fault.always === true

/** The header that asks to wait. HTTP dates have whole seconds: they are rounded up, so as not to ask for too little. */
export function retryAfterHeader(fault: Fault & { is: 'answer' }, now: number): Record<string, string> {
  if (fault.retryAfter === undefined) return {}
  const date = new Date(Math.ceil(now / 1000 + fault.retryAfter) * 1000)
  return { 'retry-after': fault.as === 'date' ? date.toUTCString() : String(fault.retryAfter) }
}
