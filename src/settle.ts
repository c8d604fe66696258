import { sayFrameworkFailed, sayLeaseLost, sayNotHidden, sayOutcome, sayStoreFailed } from './announce.ts'
import type { Decision, Settled } from './decision.ts'
import type { Outcome } from './flow/decide.ts'
import type { ReceivedMessage } from './flow/message.ts'
import { onDemand } from './flow/on-demand.ts'
import type { EndRequest } from './flow/ports.ts'
import type { LeaseRecord } from './flow/record.ts'
import type { Invocation } from './invocation.ts'
import { endLease, expiresAt } from './leasing.ts'

/**
 * Carries out what was decided: dead-letter send, then the record, then visibility. If an effect fails the message is a failure
 * and comes again, but where DynamoDB is out of reach after the work is done, or after the queue took the letter: both are
 * success, since only deleting the message keeps the work from being done again.
 */
export async function settle(decision: Decision, invocation: Invocation): Promise<Settled> {
  const settled = await effects(decision, invocation)
  sayOutcome(decision, settled, invocation)
  return settled
}

/** Redrive itself failed on a message: it stays, as SQS has it. */
export async function settleFrameworkFailure(message: ReceivedMessage, error: unknown, invocation: Invocation): Promise<Settled> {
  const outcome: Outcome = { is: 'deferred', because: 'framework', seconds: undefined }
  const settled: Settled = { outcome, stays: true }
  await sayFrameworkFailed(message, error, invocation)
  sayOutcome({ is: 'decided', message, outcome }, settled, invocation)
  return settled
}

async function effects(decision: Decision, invocation: Invocation): Promise<Settled> {
  const { outcome } = decision
  switch (outcome.is) {
    case 'duplicate':
      return { outcome, stays: false }
    case 'done':
      return (await end({ to: 'done' }, decision, invocation)) ?? { outcome, stays: false }
    case 'dead':
      return await die(decision, outcome, invocation)
    case 'retry': {
      const { note, verdict } = outcome.failure
      const kind = verdict.verdict === 'unknown' ? 'unknown' : 'retryable'
      const lost = await end({ to: 'failed', verdict: kind, note }, decision, invocation)
      return lost ?? (await hide(decision, outcome.seconds, invocation))
    }
    case 'cut': {
      const at = new Date(invocation.setup.clock.now()).toISOString()
      const note = { at, name: 'Cut', message: 'Still running at the deadline.', rule: 'redrive.cut' }
      const lost = await end({ to: 'cut', counts: outcome.counts, note }, decision, invocation)
      return lost ?? (await hide(decision, outcome.seconds, invocation))
    }
    case 'busy':
    case 'held':
    case 'deferred':
      giveBack(decision, invocation)
      return await hide(decision, outcome.seconds, invocation)
  }
}

async function die(decision: Decision, outcome: Extract<Outcome, { is: 'dead' }>, invocation: Invocation): Promise<Settled> {
  const { bury } = await onDemand(() => import('./bury.ts'))
  const { message, kept } = decision
  const { taken, evidence, letter, seconds } = await bury(decision, outcome, invocation)
  if (kept === undefined) {
    const lost = await end({ to: 'dead', letter, note: outcome.failure?.note }, decision, invocation)
    if (lost !== undefined) return lost
  } else if (taken) {
    await end({ to: 'delivered' }, decision, invocation)
  }
  if (!taken) return await hide(decision, seconds, invocation)
  const { onDead } = invocation.setup.options
  if (onDead !== undefined) invocation.alsoAwait((async () => await onDead({ record: message.record, evidence }))())
  return { outcome, stays: false }
}

async function hide({ message, outcome }: Decision, seconds: number | undefined, invocation: Invocation): Promise<Settled> {
  await invocation.fateDecided(message)
  if (seconds !== undefined) {
    const { eventSourceARN: queueArn, receiptHandle } = message.record
    const result = await invocation.queue.hide({ queueArn, receiptHandle, seconds })
    if (result.is === 'refused') sayNotHidden(message, result, invocation)
  }
  return { outcome, stays: true, seconds }
}

/** What an owner's write says, without what each of them says. */
type End = EndRequest extends infer Request
  ? Request extends EndRequest
    ? Omit<Request, 'record' | 'now' | 'expiresAt'>
    : never
  : never

/**
 * The owner's write, where there is a record of ours. `undefined`: it is stored, or out of reach. A lost lease is neither:
 * another run owns the record by now, what it says holds, and the old receipt handle sets no visibility any more.
 */
async function end(to: End, { record, message }: Decision, invocation: Invocation): Promise<Settled | undefined> {
  if (record === undefined) return undefined
  const now = invocation.setup.clock.now()
  const ended = await endLease({ record, now, expiresAt: expiresAt(now), ...to } as EndRequest, invocation)
  if (ended.is === 'unreachable') await sayStoreFailed(to.to, message, ended.error, invocation)
  return ended.is === 'lost' && to.to !== 'delivered' ? await afterLost(message, ended.seen, invocation) : undefined
}

async function afterLost(message: ReceivedMessage, seen: LeaseRecord | undefined, invocation: Invocation): Promise<Settled> {
  sayLeaseLost(message, invocation)
  if (seen?.state === 'done') return { outcome: { is: 'duplicate' }, stays: false }
  await invocation.fateDecided(message)
  return { outcome: { is: 'busy', seconds: undefined }, stays: true }
}

/** A begin whose answer never came may have been stored: its lease is freed, or the record would look like a crash. */
function giveBack({ unanswered }: Decision, { setup, effects, alsoAwait }: Invocation): void {
  if (unanswered === undefined || setup.store === undefined) return
  const now = setup.clock.now()
  alsoAwait(setup.store.giveBack({ ...unanswered, now, expiresAt: expiresAt(now) }, effects))
}
