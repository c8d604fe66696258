/**
 * Whether a failure is worth another try. `retryable`: yes, the cause may pass; `permanent`: no, it will fail the same way again;
 * `unknown`: nobody knows, so a few tries.
 */
export type VerdictName = 'retryable' | 'permanent' | 'unknown'

/** What the classifier says of an error. */
export interface Verdict {
  readonly verdict: VerdictName
  /** Id of the rule that said so, e.g. `http.429`; `user.classify`, `user.permanent`, `error.permanent`, … for the user's own word. */
  readonly rule: string
  /** One sentence: why. */
  readonly why: string
  /** Seconds to wait at least, where the error names them. */
  readonly retryAfter?: number
}
