/** A setting as far as it can be seen. What was not seen is never taken as fine: who needs it gets the reason instead. */
export type Known<T> = Seen<T> | NotSeen

export interface Seen<T> {
  readonly is: 'seen'
  readonly value: T
}

export interface NotSeen {
  readonly is: 'not seen'
  /** Why, in words that go after "not checked:". */
  readonly why: string
}

/** Things found one by one, and the reasons why there may be more of them. */
export interface Listed<T> {
  readonly found: readonly T[]
  readonly maybeMore: readonly string[]
}

export const seen = <T>(value: T): Seen<T> => ({ is: 'seen', value })
export const notSeen = (why: string): NotSeen => ({ is: 'not seen', why })

/** The same of what a value leads to. */
export const andThen = <T, R>(known: Known<T>, next: (value: T) => Known<R>): Known<R> =>
  known.is === 'seen' ? next(known.value) : known

/** One that is found for sure, or none for sure, or not known: something that can't be seen may be one. */
export function find<T>({ found, maybeMore }: Listed<T>, fits: (one: T) => Known<boolean>): Known<T | undefined> {
  const reasons = [...maybeMore]
  for (const one of found) {
    const answer = fits(one)
    if (answer.is === 'not seen') reasons.push(answer.why)
    else if (answer.value) return seen(one)
  }
  return reasons[0] === undefined ? seen(undefined) : notSeen(reasons[0])
}
