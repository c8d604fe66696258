import type { Decision, Failed } from './decision.ts'
import { classify } from './errors/classify.ts'
import { describeShortly, oneLine } from './errors/describe.ts'
import type { Verdict } from './errors/verdict.ts'
import { type Backoff, exponential, schedule } from './flow/backoff.ts'
import { afterFailure, type Limits } from './flow/decide.ts'
import type { ReceivedMessage } from './flow/message.ts'
import type { Invocation } from './invocation.ts'
import type { Setup } from './setup.ts'

/** What a failure comes to: the user's own word first, then the rules; `duplicate` ends as done. */
export function judge(failed: Failed, invocation: Invocation): Decision {
  const { message, error, tally, key, record, attempts } = failed
  const decided = {
    is: 'decided',
    message,
    record,
    ...(key !== undefined && { key }),
    ...(attempts !== undefined && { attempts }),
  } as const
  const verdict = verdictOf(failed, invocation)
  if (verdict === 'duplicate') return { ...decided, outcome: { is: 'done' } }
  const at = new Date(invocation.setup.clock.now()).toISOString()
  const failure = { error, verdict, note: { at, ...describeShortly(error), rule: verdict.rule } }
  const custom = ownDelay(failed, verdict, invocation)
  return {
    ...decided,
    outcome: afterFailure(failure, tally, message.sentAt, limits(invocation.setup), invocation.waiting(), custom),
  }
}

function verdictOf({ error, message, tally }: Failed, invocation: Invocation): Verdict | 'duplicate' {
  const { setup } = invocation
  const { classify: own, permanent = [], retryable = [] } = setup.options
  const asked =
    own && ask('classify', () => own(error, { ...message, attempt: tally.attempts }), understandVerdict, message, invocation)
  return asked && asked !== 'rules' ? asked : classify(error, { now: setup.clock.now(), permanent, retryable })
}

/** `undefined` from the user means that the rules decide; `undefined` from here, that it was no answer. */
function understandVerdict(said: unknown): Verdict | 'duplicate' | 'rules' | undefined {
  if (said === undefined) return 'rules'
  const { verdict, retryAfter } = (typeof said === 'string' ? { verdict: said } : said) as {
    verdict?: unknown
    retryAfter?: unknown
  }
  if (verdict === 'duplicate') return verdict
  if (verdict !== 'retryable' && verdict !== 'permanent' && verdict !== 'unknown') return undefined
  const floor = typeof retryAfter === 'number' && retryAfter >= 0 && Number.isFinite(retryAfter) ? { retryAfter } : {}
  return { verdict, rule: 'user.classify', why: 'The option "classify" said so.', ...floor }
}

/** The delay that the user's backoff function gives, if there is one and it gives a number. */
function ownDelay({ error, message, tally }: Failed, { verdict }: Verdict, invocation: Invocation): number | undefined {
  const { backoff } = invocation.setup.options
  if (typeof backoff !== 'function' || verdict === 'permanent') return undefined
  const call = () => backoff(tally[verdict] + 1, error, { ...message, attempt: tally.attempts })
  return ask('backoff', call, understandNumber, message, invocation)
}

const understandNumber = (said: unknown): number | undefined =>
  typeof said === 'number' && Number.isFinite(said) ? said : undefined

/** Asks a function of the user's. Where it fails or gives no answer, that is said in the log and redrive's own applies. */
function ask<T>(
  option: string,
  call: () => unknown,
  understand: (said: unknown) => T | undefined,
  { record: { messageId } }: ReceivedMessage,
  { logger }: Invocation,
): T | undefined {
  try {
    const said = call()
    const answer = understand(said)
    if (answer !== undefined) return answer
    // A promise is no answer, but its rejection would end the process.
    Promise.resolve(said).catch(() => {})
    logger.warn(`The option "${option}" gave no answer that redrive knows: its own applies.`, { messageId })
  } catch (thrown) {
    logger.warn(`The option "${option}" failed: redrive's own applies.`, { messageId, error: oneLine(thrown) })
  }
  return undefined
}

/** The consumer's limits, with the default backoffs where it has none of its own. */
export function limits({ options, maxAttempts }: Setup): Limits {
  const own = typeof options.backoff === 'object' ? options.backoff : undefined
  const defaults = { retryable: exponential(), unknown: schedule([5, 30, 120, 600]) }
  if (own === undefined) return { maxAttempts, backoff: defaults }
  return { maxAttempts, backoff: { retryable: orElse(own, defaults.retryable), unknown: orElse(own, defaults.unknown) } }
}

/** A backoff of the user's own making, with the default where it fails. */
const orElse = (own: Backoff, otherwise: Backoff): Backoff => ({
  cap: own.cap,
  jitter: own.jitter,
  seconds: (attempt) => {
    try {
      return own.seconds(attempt)
    } catch {
      return otherwise.seconds(attempt)
    }
  },
})
