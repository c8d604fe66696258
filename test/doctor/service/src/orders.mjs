// What redrive's consumers will tell of themselves.
export const handler = Object.assign(async () => ({ batchItemFailures: [] }), {
  [Symbol.for('redrive.setup')]: { maxAttempts: { retryable: 3, unknown: 3 }, options: { store: false, maxAge: 400_000 } },
})
