import type { Decision, Settled } from './decision.ts'
import type { Outcome } from './flow/decide.ts'
import type { ReceivedMessage } from './flow/message.ts'
import type { EntryResult, Log } from './flow/ports.ts'
import type { Invocation } from './invocation.ts'
import { said } from './said.ts'
import type { Setup } from './setup.ts'

/** How loud an outcome is in the log. What is done is not worth a line a message. */
const LEVELS = {
  done: 'debug',
  duplicate: 'info',
  retry: 'warn',
  cut: 'warn',
  dead: 'error',
  busy: 'info',
  held: 'info',
  deferred: 'info',
} as const satisfies Record<Outcome['is'], keyof Log>

/** How many messages came, and how long they have been on their way: SQS's own age metric leaves out those that wait for a retry (F96). */
export function sayReceived({ messages, deadline, metrics }: Invocation): void {
  metrics.count('received', messages.length)
  for (const { sentAt } of messages) {
    metrics.measure('message_age', Math.max(0, (deadline.startedAt - sentAt.getTime()) / 1000), 'Seconds')
  }
}

/** One count and one log line a message: ids, rule, verdict, outcome, delay. Never the payload. */
export function sayOutcome(decision: Decision, settled: Settled, invocation: Invocation): void {
  const { outcome, stays, seconds } = settled
  const { message, attempts } = decision
  // A death counts once: when the dead-letter queue takes it, or when it is decided where there is none.
  const kept = outcome.is === 'dead' && stays && (decision.kept !== undefined || invocation.setup.deadLetterQueue !== undefined)
  if (!kept) invocation.metrics.count(outcome.is, 1)
  const failure = 'failure' in outcome ? outcome.failure : undefined
  invocation.logger[LEVELS[outcome.is]](`Message ${outcome.is}${'reason' in outcome ? ` (${outcome.reason})` : ''}`, {
    messageId: message.record.messageId,
    ...(message.id !== message.record.messageId && { firstMessageId: message.id }),
    outcome: outcome.is,
    ...('reason' in outcome && { reason: outcome.reason }),
    ...('because' in outcome && { because: outcome.because }),
    ...(failure && {
      verdict: failure.verdict.verdict,
      rule: failure.verdict.rule,
      error: `${failure.note.name}: ${failure.note.message}`,
    }),
    stays,
    ...(seconds !== undefined && { delay: seconds }),
    attempts,
    receives: message.receiveCount,
    ...(message.groupId !== undefined && { groupId: message.groupId }),
  })
}

/** The store is out of reach: counted, and loud, for an alarm hangs on it. */
export async function sayStoreFailed(
  what: string,
  message: ReceivedMessage,
  error: unknown,
  { metrics, logger }: Invocation,
): Promise<void> {
  metrics.count('store_failed', 1)
  logger.error(`The idempotency store is out of reach (${what}).`, {
    messageId: message.record.messageId,
    error: await said(error),
  })
}

/** An error of redrive's own: the message stays. */
export async function sayFrameworkFailed(message: ReceivedMessage, error: unknown, { logger }: Invocation): Promise<void> {
  const { messageId } = message.record
  logger.error('redrive failed on this message: it stays in the queue.', { messageId, error: await said(error) })
}

/** Another run took the record over while ours went on. */
export function sayLeaseLost(message: ReceivedMessage, { metrics, logger }: Invocation): void {
  metrics.count('lease_lost', 1)
  logger.warn('The lease was lost to another run: its record decides.', { messageId: message.record.messageId })
}

/** The dead-letter queue did not take a message; it stays in its queue. */
export function sayNotBuried(message: ReceivedMessage, refusal: EntryResult, { metrics, logger }: Invocation): void {
  metrics.count('dead_letter_failed', 1)
  const { code, message: reason } = refusal as Extract<EntryResult, { is: 'refused' }>
  logger.error('The dead-letter queue did not take the message: it stays in its queue and is sent again.', {
    messageId: message.record.messageId,
    code,
    reason,
  })
}

/** A visibility timeout was refused; SQS's own applies (B35). */
export function sayNotHidden(message: ReceivedMessage, refusal: EntryResult, { metrics, logger }: Invocation): void {
  metrics.count('visibility_failed', 1)
  const { code, message: reason } = refusal as Extract<EntryResult, { is: 'refused' }>
  logger.warn("The visibility timeout was refused: the queue's own applies.", {
    messageId: message.record.messageId,
    code,
    reason,
  })
}

const remarked = new WeakSet<Setup>()

/** What is missing in the set-up, once a consumer. */
export function remarkOnce(setup: Setup): void {
  if (remarked.has(setup)) return
  remarked.add(setup)
  for (const remark of setup.remarks) setup.logger.warn(remark)
}
