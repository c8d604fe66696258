import type { Random } from './ports.ts'

/**
 * The longest visibility timeout redrive sets, in seconds. SQS ends a message's invisibility 12 hours after its receive, which
 * the event does not tell: 43,200 less a batching window of 300 s and a run of 900 s (F9).
 */
export const LONGEST_VISIBILITY = 42_000

/** A share of the delay (0.2: times 0.8 to 1.2), or `'full'`: times 0 to 1. */
export type Jitter = number | 'full'

/** A backoff as a value: what to wait after the n-th failure, before jitter. */
export interface Backoff {
  /** Seconds after failure number `attempt`, from 1. */
  seconds(attempt: number): number
  /** Seconds that no delay passes. At the cap jitter only shortens. */
  readonly cap: number
  readonly jitter: Jitter
}

/**
 * Doubling (or `factor`-ing) delays: `base`, `base × factor`, `base × factor²`, … up to `cap`, in seconds.
 *
 * The defaults wait 47 minutes altogether over the 12 attempts of `maxAttempts.retryable`.
 *
 * Throws a RangeError for a negative or non-finite number, a factor below 1 or a jitter outside 0 to 1.
 */
export function exponential(
  options: {
    /** @default 2 */
    readonly base?: number
    /** @default 2 */
    readonly factor?: number
    /** Limit: 42,000. @default 900 */
    readonly cap?: number
    /** @default 0.2 */
    readonly jitter?: Jitter
  } = {},
): Backoff {
  const { base = 2, factor = 2, cap = 900, jitter = 0.2 } = options
  within('exponential', { base }, 0, LONGEST_VISIBILITY)
  within('exponential', { factor }, 1, Number.MAX_SAFE_INTEGER)
  within('exponential', { cap }, 0, LONGEST_VISIBILITY)
  checkJitter('exponential', jitter)
  return { seconds: (attempt) => Math.min(cap, base * factor ** (attempt - 1)), cap, jitter }
}

/**
 * The delays of a list, in seconds, one a failure; the last one repeats.
 *
 * The default for unknown errors, `[5, 30, 120, 600]`, waits 13 minutes altogether over the 5 attempts of `maxAttempts.unknown`.
 *
 * Throws a RangeError for an empty list or a delay outside 0 to 42,000.
 */
export function schedule(delays: readonly number[], options: { /** @default 0.2 */ readonly jitter?: Jitter } = {}): Backoff {
  const { jitter = 0.2 } = options
  if (!Array.isArray(delays) || delays.length === 0)
    throw new RangeError('schedule: give a list of at least one delay in seconds.')
  for (const delay of delays) within('schedule', { delay }, 0, LONGEST_VISIBILITY)
  checkJitter('schedule', jitter)
  const list = [...delays]
  return {
    seconds: (attempt) => list[Math.min(attempt, list.length) - 1] ?? (list.at(-1) as number),
    cap: LONGEST_VISIBILITY,
    jitter,
  }
}

function within(maker: string, setting: Record<string, unknown>, least: number, most: number): void {
  for (const [name, value] of Object.entries(setting)) {
    if (typeof value === 'number' && value >= least && value <= most) continue
    throw new RangeError(`${maker}: "${name}" must be a number from ${least} to ${most}, not ${String(value)}.`)
  }
}

function checkJitter(maker: string, jitter: unknown): void {
  if (jitter !== 'full') within(maker, { jitter }, 0, 1)
}

/** The delay after failure number `attempt`, with jitter, never below `floor` (seconds): whole seconds from 0 to 42,000. */
export function delay(backoff: Backoff, attempt: number, random: Random, floor = 0): number {
  const plain = finite(backoff.seconds(Math.max(1, Math.trunc(finite(attempt, 1)))), backoff.cap)
  if (floor > plain) return atLeast(floor, random, backoff.jitter)
  const { jitter } = backoff
  const spread = jitter === 'full' ? random() : 1 - jitter + random() * jitter * (plain >= backoff.cap ? 1 : 2)
  return Math.max(Math.ceil(Math.min(floor, LONGEST_VISIBILITY)), wholeSeconds(plain * spread, random))
}

/** A floor (a Retry-After, the end of a lease) in seconds: jitter only adds to it. */
export function atLeast(floor: number, random: Random, jitter: Jitter = 0.2): number {
  const least = Math.ceil(Math.max(0, finite(floor, LONGEST_VISIBILITY)))
  const share = jitter === 'full' ? 1 : jitter
  return wholeSeconds(least + least * share * random(), random)
}

/** Rounds at random, so that the mean stays and short delays keep their jitter: 1.2 is 1 four times of five. */
export function wholeSeconds(seconds: number, random: Random): number {
  const bounded = Math.min(LONGEST_VISIBILITY, Math.max(0, finite(seconds, 0)))
  const whole = Math.floor(bounded)
  return whole + (random() < bounded - whole ? 1 : 0)
}

const finite = (value: number, otherwise: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? value : otherwise
