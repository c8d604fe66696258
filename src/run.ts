import type { Decision, Failed, Leased } from './decision.ts'
import { isLast } from './flow/attempts.ts'
import { hadItsTime } from './flow/deadline.ts'
import type { Handler, Message } from './flow/message.ts'
import { onDemand } from './flow/on-demand.ts'
import type { Invocation } from './invocation.ts'
import { withFields } from './logger.ts'

/**
 * Runs the handler, at the longest until the deadline. What it resolves to is ignored. What still runs at the deadline, or
 * rejects because of it, is cut: it waits until its lease ends, since the code may go on.
 */
export async function run(handler: Handler, leased: Leased, invocation: Invocation): Promise<Failed | Decision> {
  const { gate, over, signal, deadline, metrics, setup } = invocation
  const { message, record, key, tally } = leased
  const startedAt = setup.clock.now()
  const running = started(handler, leased, invocation)
  const end = await Promise.race([
    running.then(
      () => ({ is: 'resolved' }) as const,
      (error: unknown) => (signal.aborted ? 'over' : ({ is: 'threw', error } as const)),
    ),
    over,
  ])
  const duration = setup.clock.now() - startedAt
  metrics.count('attempts', 1)
  metrics.measure('duration', duration, 'Milliseconds')
  const ran = { message, record, key, attempts: tally.attempts }
  if (end === 'over') {
    void stillRunning(running, leased, invocation)
    return { ...ran, is: 'decided', outcome: { is: 'cut', counts: hadItsTime(deadline, startedAt) } }
  }
  gate.finished(duration)
  return end.is === 'threw'
    ? { ...ran, is: 'failed', error: end.error, tally }
    : { ...ran, is: 'decided', outcome: { is: 'done' } }
}

/** An async function, so that a handler that throws at once and one that gives any thenable end alike. */
async function started(handler: Handler, leased: Leased, invocation: Invocation): Promise<void> {
  const message = messageFor(leased, invocation)
  await handler(message.payload, message)
}

function messageFor({ message, key, tally }: Leased, invocation: Invocation): Message {
  const { setup, deadline, signal, logger } = invocation
  return {
    ...message,
    attempt: tally.attempts,
    isLastAttempt: isLast(tally.attempts, setup.maxAttempts),
    idempotencyKey: key,
    signal,
    remainingTimeMs: () => Math.max(0, deadline.at - setup.clock.now()),
    log: withFields(logger, { messageId: message.record.messageId, attempt: tally.attempts }),
  }
}

/** The code may go on after it was cut: its rejection is no one's concern, its success is recorded if the lease is still ours. */
async function stillRunning(running: Promise<void>, leased: Leased, invocation: Invocation): Promise<void> {
  try {
    await running
    const { recordLateSuccess } = await onDemand(() => import('./end-run.ts'))
    await recordLateSuccess(leased, invocation)
  } catch {
    const { messageId } = leased.message.record
    invocation.logger.debug('A handler that was cut at the deadline has rejected since.', { messageId })
  }
}
