import { classify } from './errors/classify.ts'
import type { Verdict, VerdictName } from './errors/verdict.ts'
import { afterFailure, type Failure, type Outcome, type Tally } from './flow/decide.ts'
import type { ReceivedMessage } from './flow/message.ts'
import type { Invocation } from './invocation.ts'

/** What a failure comes to: the user's own word first, then the rules; `duplicate` ends as done. */
export function judge(error: unknown, message: ReceivedMessage, tally: Tally, invocation: Invocation): Outcome {
  const verdict = verdictOf(error, message, tally, invocation)
  if (verdict === 'duplicate') return { is: 'done' }
  const failure: Failure = { error, verdict }
  return afterFailure(failure, tally, message.sentAt, invocation.rules(), ownDelay(failure, message, tally, invocation))
}

function verdictOf(error: unknown, message: ReceivedMessage, tally: Tally, invocation: Invocation): Verdict | 'duplicate' {
  const { options, clock } = invocation.setup
  try {
    const said = options.classify?.(error, { ...message, attempt: tally.attempts })
    if (said !== undefined) {
      const { verdict, retryAfter } = typeof said === 'string' ? { verdict: said, retryAfter: undefined } : said
      if (verdict === 'duplicate') return verdict
      if (isVerdict(verdict))
        return { verdict, rule: 'user.classify', why: 'The option "classify" said so.', ...seconds(retryAfter) }
      invocation.logger.warn('The option "classify" gave no verdict; the rules decide.', { messageId: message.record.messageId })
    }
  } catch (thrown) {
    invocation.logger.warn('The option "classify" failed; the rules decide.', {
      messageId: message.record.messageId,
      thrown: nameOf(thrown),
    })
  }
  const { permanent = [], retryable = [] } = options
  return classify(error, { now: clock.now(), permanent, retryable })
}

const isVerdict = (verdict: unknown): verdict is VerdictName =>
  verdict === 'retryable' || verdict === 'permanent' || verdict === 'unknown'

const seconds = (retryAfter: unknown): { retryAfter?: number } =>
  typeof retryAfter === 'number' && retryAfter >= 0 && Number.isFinite(retryAfter) ? { retryAfter } : {}

/** The delay that the user's backoff function gives, if there is one and it gives a number. */
function ownDelay(
  { error, verdict }: Failure,
  message: ReceivedMessage,
  tally: Tally,
  invocation: Invocation,
): number | undefined {
  const { backoff } = invocation.setup.options
  if (typeof backoff !== 'function' || verdict.verdict === 'permanent') return undefined
  const failures = tally[verdict.verdict] + 1
  try {
    const delay = backoff(failures, error, { ...message, attempt: tally.attempts })
    if (typeof delay === 'number' && Number.isFinite(delay)) return delay
    invocation.logger.warn('The option "backoff" gave no number; the default applies.', { messageId: message.record.messageId })
  } catch (thrown) {
    invocation.logger.warn('The option "backoff" failed; the default applies.', {
      messageId: message.record.messageId,
      thrown: nameOf(thrown),
    })
  }
  return undefined
}

function nameOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.name : typeof thrown
}
