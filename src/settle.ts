import { sayDone } from './announce.ts'
import type { Decision, Settled } from './decision.ts'
import type { ReceivedMessage } from './flow/message.ts'
import { onDemand } from './flow/on-demand.ts'
import type { Invocation } from './invocation.ts'

/**
 * Carries out what was decided: dead-letter send, then the record, then visibility. If an effect fails the message is a failure
 * and comes again, but where DynamoDB is out of reach after the work is done, or after the queue took the letter: both are
 * success, since only deleting the message keeps the work from being done again.
 */
export async function settle(decision: Decision, invocation: Invocation): Promise<Settled> {
  const { outcome } = decision
  const lost = outcome.is === 'done' && decision.record ? await complete(decision, invocation) : undefined
  if (lost === undefined && (outcome.is === 'done' || outcome.is === 'duplicate')) {
    sayDone(decision, invocation)
    return { outcome, stays: false }
  }
  const { settleUndone } = await onDemand(() => import('./settle-undone.ts'))
  return await settleUndone(decision, lost, invocation)
}

async function complete(decision: Decision, invocation: Invocation): Promise<Settled | undefined> {
  const { endRun } = await onDemand(() => import('./end-run.ts'))
  return await endRun({ to: 'done' }, decision, invocation)
}

/** redrive itself failed on a message: it stays, as SQS has it. */
export async function settleFrameworkFailure(message: ReceivedMessage, error: unknown, invocation: Invocation): Promise<Settled> {
  const settled: Settled = { outcome: { is: 'deferred', because: 'framework' }, stays: true }
  try {
    const { sayFrameworkFailed, sayOutcome } = await onDemand(() => import('./trouble.ts'))
    sayFrameworkFailed(message, error, invocation)
    sayOutcome({ is: 'decided', message, outcome: settled.outcome }, settled, invocation)
  } catch {
    // Not even the log can be written: the message stays all the same.
  }
  return settled
}
