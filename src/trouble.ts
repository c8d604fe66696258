import type { Decision, Settled } from './decision.ts'
import { oneLine } from './errors/describe.ts'
import type { Outcome } from './flow/decide.ts'
import type { ReceivedMessage } from './flow/message.ts'
import type { EntryResult, Log } from './flow/ports.ts'
import type { Invocation } from './invocation.ts'

/** How loud an outcome is in the log. */
const LEVELS = {
  done: 'debug',
  duplicate: 'debug',
  retry: 'warn',
  cut: 'warn',
  dead: 'error',
  busy: 'info',
  held: 'info',
  deferred: 'info',
} as const satisfies Record<Outcome['is'], keyof Log>

/** One count and one log line a message that was not just done: ids, rule, verdict, outcome, delay. Never the payload. */
export function sayOutcome(decision: Decision, settled: Settled, { metrics, logger, setup }: Invocation): void {
  const { outcome, stays, seconds } = settled
  const { message, attempts, kept } = decision
  // A death counts once: when the dead-letter queue takes it, or when it is decided where there is none.
  const again = outcome.is === 'dead' && stays && (kept !== undefined || setup.deadLetterQueue !== undefined)
  if (!again) metrics.count(outcome.is, 1)
  const reason = 'reason' in outcome ? outcome.reason : 'because' in outcome ? outcome.because : undefined
  const failure = 'failure' in outcome ? outcome.failure : undefined
  logger[LEVELS[outcome.is]](`Message ${outcome.is}${reason === undefined ? '' : ` (${reason})`}`, {
    messageId: message.record.messageId,
    firstMessageId: message.id === message.record.messageId ? undefined : message.id,
    groupId: message.groupId,
    outcome: outcome.is,
    reason,
    verdict: failure?.verdict.verdict,
    rule: failure?.verdict.rule,
    error: failure && `${failure.note.name}: ${failure.note.message}`,
    stays,
    delay: seconds,
    attempts,
    receives: message.receiveCount,
  })
}

/** The store is out of reach: counted, and loud, for an alarm hangs on it. */
export function sayStoreFailed(what: string, message: ReceivedMessage, error: unknown, { metrics, logger }: Invocation): void {
  metrics.count('store_failed', 1)
  logger.error(`The idempotency store is out of reach (${what}).`, { ...idOf(message), error: oneLine(error) })
}

/** Another run took the record over while ours went on. */
export function sayLeaseLost(message: ReceivedMessage, { metrics, logger }: Invocation): void {
  metrics.count('lease_lost', 1)
  logger.warn('The lease was lost to another run: its record decides.', idOf(message))
}

/** The dead-letter queue did not take a message; it stays in its queue. */
export function sayNotBuried(message: ReceivedMessage, refusal: EntryResult, { metrics, logger }: Invocation): void {
  metrics.count('dead_letter_failed', 1)
  logger.error('The dead-letter queue did not take the message: it stays in its queue and is sent again.', {
    ...idOf(message),
    ...whyOf(refusal),
  })
}

/** A visibility timeout was refused; SQS's own applies (B35). */
export function sayNotHidden(message: ReceivedMessage, refusal: EntryResult, { metrics, logger }: Invocation): void {
  metrics.count('visibility_failed', 1)
  logger.warn("The visibility timeout was refused: the queue's own applies.", { ...idOf(message), ...whyOf(refusal) })
}

/** redrive itself failed on a message: it stays. */
export function sayFrameworkFailed(message: ReceivedMessage, error: unknown, { logger }: Invocation): void {
  logger.error('redrive failed on this message: it stays in the queue.', { ...idOf(message), error: oneLine(error) })
}

/** Work that no outcome waits for (onDead, giving back a lease) has failed. */
export function sayBesideFailed(what: string, message: ReceivedMessage, error: unknown, { logger }: Invocation): void {
  logger.warn(`${what} failed. No outcome changes.`, { ...idOf(message), error: oneLine(error) })
}

const idOf = (message: ReceivedMessage): { messageId: string } => ({ messageId: message.record.messageId })

function whyOf(refusal: EntryResult): { code?: string; reason?: string } {
  return refusal.is === 'refused' ? { code: refusal.code, reason: refusal.message } : {}
}
