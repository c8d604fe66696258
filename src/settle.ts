import { sayLeaseLost, sayNotBuried, sayNotHidden, sayOutcome, sayStoreFailed } from './announce.ts'
import type { Decision, Settled } from './decision.ts'
import { describeShortly, oneLine } from './errors/describe.ts'
import type { Failure, Outcome } from './flow/decide.ts'
import { type Evidence, evidenceOf, inShort } from './flow/evidence.ts'
import { letterOf } from './flow/letter.ts'
import type { ReceivedMessage } from './flow/message.ts'
import type { EndRequest, EntryResult } from './flow/ports.ts'
import type { HistoryNote, LeaseRecord } from './flow/record.ts'
import type { Invocation } from './invocation.ts'
import { type Ended, endLease, expiresAt } from './leasing.ts'

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
export function settleFrameworkFailure(message: ReceivedMessage, error: unknown, invocation: Invocation): Settled {
  const settled: Settled = { outcome: { is: 'deferred', because: 'framework', seconds: undefined, error }, stays: true }
  invocation.logger.error('redrive failed on this message: it stays in the queue.', {
    messageId: message.record.messageId,
    error: oneLine(error),
  })
  sayOutcome({ is: 'decided', message, outcome: settled.outcome }, settled, invocation)
  return settled
}

async function effects(decision: Decision, invocation: Invocation): Promise<Settled> {
  const { outcome } = decision
  switch (outcome.is) {
    case 'duplicate':
      return { outcome, stays: false }
    case 'done':
      return await complete(decision, outcome, invocation)
    case 'dead':
      return await bury(decision, outcome, invocation)
    case 'retry':
      return await stay(decision, outcome, failed(decision, outcome.failure, invocation), invocation)
    case 'cut':
      return await stay(decision, outcome, cut(decision, outcome.counts, invocation), invocation)
    case 'busy':
    case 'held':
    case 'deferred':
      giveBack(decision, invocation)
      return await hide(decision, outcome, outcome.seconds, invocation)
  }
}

/** An owner's write, where there is a record of ours. */
type Ending = EndRequest | undefined

async function complete(decision: Decision, outcome: Outcome, invocation: Invocation): Promise<Settled> {
  const done = ending(decision, invocation, (base) => ({ ...base, to: 'done' }))
  const ended = await end(done, decision, invocation)
  return ended?.is === 'lost' ? afterLost(decision, ended.seen, invocation) : { outcome, stays: false }
}

async function stay(
  decision: Decision,
  outcome: Outcome & { seconds: number },
  request: Ending,
  invocation: Invocation,
): Promise<Settled> {
  const ended = await end(request, decision, invocation)
  if (ended?.is === 'lost') return afterLost(decision, ended.seen, invocation)
  return await hide(decision, outcome, outcome.seconds, invocation)
}

async function bury(decision: Decision, outcome: Extract<Outcome, { is: 'dead' }>, invocation: Invocation): Promise<Settled> {
  const { message, kept } = decision
  const evidence = kept ?? evidenceFor(decision, outcome, invocation)
  const taken = await send(message, evidence, invocation)
  // While no dead-letter queue has it, the record keeps the evidence, so that nothing runs again for what is decided.
  const letter = taken ? '' : inShort(evidence)
  const note = kept === undefined && outcome.failure ? noteOf(outcome.failure, invocation) : undefined
  const request =
    kept === undefined
      ? ending(decision, invocation, (base) => ({ ...base, to: 'dead', letter, note }))
      : taken
        ? ending(decision, invocation, (base) => ({ ...base, to: 'delivered' }))
        : undefined
  const ended = await end(request, decision, invocation)
  if (ended?.is === 'lost' && kept === undefined) return afterLost(decision, ended.seen, invocation)
  if (!taken) return await hide(decision, outcome, outcome.seconds, invocation)
  tellOnDead(message, evidence, invocation)
  return { outcome, stays: false }
}

async function send(message: ReceivedMessage, evidence: Evidence, invocation: Invocation): Promise<boolean> {
  const queueUrl = invocation.setup.deadLetterQueue
  if (queueUrl === undefined) return false
  const fit = (maximumBytes: number) => letterOf(message.record, evidence, queueUrl, maximumBytes)
  const result = await invocation.queue.bury({ queueUrl, fit })
  if (result.is === 'refused') sayNotBuried(message, result, invocation)
  return result.is === 'accepted'
}

function evidenceFor(decision: Decision, outcome: Extract<Outcome, { is: 'dead' }>, invocation: Invocation): Evidence {
  const { message, record, key, attempts = 0 } = decision
  const { reason, failure } = outcome
  const history = [...(record?.history ?? []), ...(failure ? [noteOf(failure, invocation)] : [])]
  const at = invocation.setup.clock.now()
  return evidenceOf(message, { reason, failure, attempts, history, idempotencyKey: key, at }, invocation.scene)
}

function tellOnDead({ record }: ReceivedMessage, evidence: Evidence, invocation: Invocation): void {
  const { onDead } = invocation.setup.options
  if (onDead !== undefined) invocation.alsoAwait((async () => onDead({ record, evidence }))())
}

async function hide(decision: Decision, outcome: Outcome, seconds: number | undefined, invocation: Invocation): Promise<Settled> {
  const { message } = decision
  await invocation.fateDecided(message)
  if (seconds !== undefined) {
    const { eventSourceARN, receiptHandle } = message.record
    const result: EntryResult = await invocation.queue.hide({ queueArn: eventSourceARN, receiptHandle, seconds })
    if (result.is === 'refused') sayNotHidden(message, result, invocation)
  }
  return { outcome, stays: true, seconds }
}

/** Another run owns the record by now, and what it says holds. The old receipt handle sets no visibility any more. */
async function afterLost({ message }: Decision, seen: LeaseRecord | undefined, invocation: Invocation): Promise<Settled> {
  sayLeaseLost(message, invocation)
  if (seen?.state === 'done') return { outcome: { is: 'duplicate' }, stays: false }
  await invocation.fateDecided(message)
  return { outcome: { is: 'busy', seconds: undefined }, stays: true }
}

async function end(request: Ending, { message }: Decision, invocation: Invocation): Promise<Ended | undefined> {
  if (request === undefined) return undefined
  const ended = await endLease(request, invocation)
  if (ended.is === 'unreachable') sayStoreFailed(request.to, message, ended.error, invocation)
  return ended
}

type Base = Pick<EndRequest, 'record' | 'now' | 'expiresAt'>

function ending({ record }: Decision, { setup }: Invocation, make: (base: Base) => EndRequest): Ending {
  if (record === undefined) return undefined
  const now = setup.clock.now()
  return make({ record, now, expiresAt: expiresAt(now) })
}

function failed(decision: Decision, failure: Failure, invocation: Invocation): Ending {
  const verdict = failure.verdict.verdict === 'unknown' ? 'unknown' : 'retryable'
  return ending(decision, invocation, (base) => ({ ...base, to: 'failed', verdict, note: noteOf(failure, invocation) }))
}

function cut(decision: Decision, counts: boolean, invocation: Invocation): Ending {
  const note: HistoryNote = { ...at(invocation), name: 'Cut', message: 'Still running at the deadline.', rule: 'redrive.cut' }
  return ending(decision, invocation, (base) => ({ ...base, to: 'cut', counts, note }))
}

const noteOf = ({ error, verdict }: Failure, invocation: Invocation): HistoryNote => ({
  ...at(invocation),
  ...describeShortly(error),
  rule: verdict.rule,
})

const at = ({ setup }: Invocation): { at: string } => ({ at: new Date(setup.clock.now()).toISOString() })

/** A begin whose answer never came may have been stored: its lease is freed, or the record would look like a crash. */
function giveBack({ unanswered }: Decision, { setup, effects, alsoAwait }: Invocation): void {
  if (unanswered === undefined || setup.store === undefined) return
  const now = setup.clock.now()
  alsoAwait(setup.store.giveBack({ ...unanswered, now, expiresAt: expiresAt(now) }, effects))
}
