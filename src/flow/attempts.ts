/** The attempts of a message: the running one included in `attempts`, the failures those before it. */
export interface Tally {
  readonly attempts: number
  readonly retryable: number
  readonly unknown: number
}

/** How many attempts a message gets: all together, and those that failed for reasons nobody knows. */
export interface MaxAttempts {
  readonly retryable: number
  readonly unknown: number
}

/** Without a record SQS's receive count stands for all three counts (DESIGN 4.4). */
export const tallyOfReceives = (receiveCount: number): Tally => ({
  attempts: receiveCount,
  retryable: receiveCount - 1,
  unknown: receiveCount - 1,
})

/** Whether no verdict would get another attempt after number `attempts`. */
export const isLast = (attempts: number, max: MaxAttempts): boolean => attempts >= max.retryable
