import type { Leased } from './decision.ts'
import { hadItsTime } from './flow/deadline.ts'
import { isLast } from './flow/decide.ts'
import type { Handler, Message } from './flow/message.ts'
import type { Invocation } from './invocation.ts'
import { recordLateSuccess } from './leasing.ts'
import { withFields } from './logger.ts'

/** How a run of the handler ended. */
export type RunEnd =
  | { readonly is: 'resolved' }
  | { readonly is: 'threw'; readonly error: unknown }
  /** Still running at the deadline, or rejected because of it. `counts`: it had its time, so it was an attempt. */
  | { readonly is: 'cut'; readonly counts: boolean }

/** Runs the handler, at the longest until the deadline. What it resolves to is ignored. */
export async function run(handler: Handler, leased: Leased, invocation: Invocation): Promise<RunEnd> {
  const { gate, over, signal, deadline, metrics, setup } = invocation
  const startedAt = setup.clock.now()
  const cut: RunEnd = { is: 'cut', counts: hadItsTime(deadline, startedAt) }
  metrics.count('attempts', 1)
  const running = started(handler, leased, invocation)
  const end = await Promise.race([
    running.then(
      (): RunEnd => ({ is: 'resolved' }),
      (error: unknown): RunEnd => (signal.aborted ? cut : { is: 'threw', error }),
    ),
    over.then(() => cut),
  ])
  const duration = setup.clock.now() - startedAt
  metrics.measure('duration', duration, 'Milliseconds')
  if (end.is === 'cut') stillRunning(running, leased, invocation)
  else gate.finished(duration)
  return end
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
    isLastAttempt: isLast(tally.attempts, setup.rules),
    idempotencyKey: key,
    signal,
    remainingTimeMs: () => Math.max(0, deadline.at - setup.clock.now()),
    log: withFields(logger, { messageId: message.record.messageId, attempt: tally.attempts }),
  }
}

/** The code may go on after it was cut: its rejection is no one's concern, its success is recorded if the lease is still ours. */
function stillRunning(running: Promise<void>, leased: Leased, invocation: Invocation): void {
  const { messageId } = leased.message.record
  running.then(
    () => recordLateSuccess(leased, invocation),
    () => invocation.logger.debug('A handler that was cut at the deadline has rejected since.', { messageId }),
  )
}
