import { beside } from './beside.ts'
import { bury } from './bury.ts'
import type { Decision, Settled } from './decision.ts'
import { endRun, recordTimes } from './end-run.ts'
import type { Outcome } from './flow/decide.ts'
import { atOnce, notBeyond, storeDelay, untilTime } from './flow/delays.ts'
import type { Invocation } from './invocation.ts'
import { sayNotHidden, sayOutcome } from './trouble.ts'

/** The effects of all outcomes but done and duplicate. `lost`: what came of a completion whose lease was lost. */
export async function settleUndone(decision: Decision, lost: Settled | undefined, invocation: Invocation): Promise<Settled> {
  const settled = lost ?? (await effects(decision, invocation))
  sayOutcome(decision, settled, invocation)
  return settled
}

async function effects(decision: Decision, invocation: Invocation): Promise<Settled> {
  const { outcome } = decision
  switch (outcome.is) {
    case 'dead':
      return await die(decision, outcome, invocation)
    case 'retry': {
      const { note, verdict } = outcome.failure
      const end = { to: 'failed', verdict: verdict.verdict === 'unknown' ? 'unknown' : 'retryable', note } as const
      return (await endRun(end, decision, invocation)) ?? (await stay(decision, invocation))
    }
    case 'cut': {
      const at = new Date(invocation.setup.clock.now()).toISOString()
      const note = { at, name: 'Cut', message: 'Still running at the deadline.', rule: 'redrive.cut' }
      return (
        (await endRun({ to: 'cut', counts: outcome.counts, note }, decision, invocation)) ?? (await stay(decision, invocation))
      )
    }
    default:
      giveBack(decision, invocation)
      return await stay(decision, invocation)
  }
}

async function die(decision: Decision, outcome: Extract<Outcome, { is: 'dead' }>, invocation: Invocation): Promise<Settled> {
  const { message, kept } = decision
  const { taken, evidence, letter, seconds } = await bury(decision, outcome, invocation)
  if (kept === undefined) {
    const lost = await endRun({ to: 'dead', letter, note: outcome.failure?.note }, decision, invocation)
    if (lost !== undefined) return lost
  } else if (taken) {
    await endRun({ to: 'delivered' }, decision, invocation)
  }
  if (!taken) return await hide(decision, seconds, invocation)
  const { onDead } = invocation.setup.options
  if (onDead !== undefined) beside('The option "onDead"', message, () => onDead({ record: message.record, evidence }), invocation)
  return { outcome, stays: false }
}

const stay = (decision: Decision, invocation: Invocation): Promise<Settled> =>
  hide(decision, secondsOf(decision, invocation), invocation)

/** How long a message that stays is hidden; `undefined`: SQS's own timeout applies. */
function secondsOf({ message, outcome }: Decision, { deadline, waiting: time }: Invocation): number | undefined {
  const waiting = time()
  const { sentAt, receiveCount } = message
  if (outcome.is === 'cut') return untilTime(deadline.leaseUntil, sentAt, waiting)
  if (outcome.is === 'busy' && outcome.until !== undefined) return untilTime(outcome.until, sentAt, waiting)
  if (outcome.is !== 'deferred') {
    const seconds = 'seconds' in outcome ? outcome.seconds : undefined
    return seconds && notBeyond(seconds, sentAt, waiting)
  }
  return { 'no-time': atOnce(waiting), store: storeDelay(receiveCount, sentAt, waiting), framework: undefined }[outcome.because]
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

/** A begin whose answer never came may have been stored: its lease is freed, or the record would look like a crash. */
function giveBack({ unanswered, message }: Decision, invocation: Invocation): void {
  const { store } = invocation.setup
  if (unanswered === undefined || store === undefined) return
  const request = { ...unanswered, ...recordTimes(invocation) }
  beside('Giving back a lease', message, () => store.giveBack(request, invocation.answered), invocation)
}
