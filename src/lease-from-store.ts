import { randomUUID } from 'node:crypto'
import { beside } from './beside.ts'
import type { Decision, Failed, Leased, Opened, Settled } from './decision.ts'
import { recordTimes } from './end-run.ts'
import { MessageError } from './errors/message-error.ts'
import type { DeadReason, Outcome } from './flow/decide.ts'
import type { Evidence } from './flow/evidence.ts'
import type { BeginRequest, BeginResult, IdempotencyStore } from './flow/ports.ts'
import type { LeaseRecord } from './flow/record.ts'
import { tooOld } from './flow/too-old.ts'
import type { Invocation } from './invocation.ts'
import { failedEarly, noTime } from './open-message.ts'
import { sayStoreFailed } from './trouble.ts'

/** The lease of a message in the idempotency store, or what its record keeps it from. */
export async function leaseFromStore(
  opened: Opened,
  store: IdempotencyStore,
  invocation: Invocation,
  settled: Promise<Settled>,
): Promise<Leased | Failed | Decision> {
  const twin = await waitForTwin(opened, invocation, settled)
  if (twin !== undefined) return twin
  return invocation.gate.mayStart() ? await begin(store, opened, invocation) : noTime(opened.message)
}

/**
 * Another message of this batch has the same key: this one waits for it, without a place. Done: a duplicate; a failure: busy
 * as long as that one waits; dead: this one's own turn; another payload: permanent.
 */
async function waitForTwin(
  opened: Opened,
  { lastOfKey, slots }: Invocation,
  settled: Promise<Settled>,
): Promise<Failed | Decision | undefined> {
  const { key, fingerprint, message } = opened
  const twin = lastOfKey.get(key)
  lastOfKey.set(key, { settled, fingerprint, messageId: message.id })
  if (twin === undefined) return undefined
  const { outcome, stays, seconds } = await slots.aside(twin.settled)
  if (outcome.is === 'dead' && !stays) return undefined
  // What died is no measure for another payload, not even while its letter waits; nor is what never got to its record.
  const itsRecordSpoke = outcome.is !== 'dead' && outcome.is !== 'deferred'
  const comparable = itsRecordSpoke && fingerprint !== '' && twin.fingerprint !== '' && message.id !== twin.messageId
  if (comparable && fingerprint !== twin.fingerprint) return mismatch(opened, twin)
  return decided(opened, stays ? { is: 'busy', seconds } : { is: 'duplicate' })
}

async function begin(store: IdempotencyStore, opened: Opened, invocation: Invocation): Promise<Leased | Failed | Decision> {
  const { deadline, signal, over } = invocation
  const { message, key, fingerprint } = opened
  const request: BeginRequest = {
    id: key,
    run: randomUUID(),
    messageId: message.record.messageId,
    firstMessageId: message.id,
    fingerprint,
    leaseUntil: deadline.leaseUntil,
    ...recordTimes(invocation),
  }
  const beginning = store.begin(request, signal)
  const first = await Promise.race([beginning.catch((error: unknown) => ({ is: 'unreachable', error }) as const), over])
  if (first === 'over') beside('Releasing a late lease', message, () => releaseLate(beginning, store, invocation), invocation)
  // A store that lets a begin wait this long is out of reach; asked just before the deadline it only had no time.
  const waited = invocation.setup.clock.now() - request.now
  if (first === 'over' && waited < PATIENCE_MS) return { ...noTime(message), unanswered: request }
  if (first !== 'over' && first.is !== 'unreachable') return afterBegin(first, opened, invocation)
  if (tooOld(message.sentAt, invocation.waiting())) return decided(opened, { is: 'dead', reason: 'too-old' })
  const error = first === 'over' ? new Error(`no answer for ${waited} ms`) : first.error
  sayStoreFailed('begin', message, error, invocation)
  const deferred = decided(opened, { is: 'deferred', because: 'store' })
  return maybeStored(error) ? { ...deferred, unanswered: request } : deferred
}

/** How long a begin may take, in milliseconds, before it counts as a failure of the store. */
const PATIENCE_MS = 1_000

function afterBegin(result: BeginResult, opened: Opened, invocation: Invocation): Leased | Failed | Decision {
  switch (result.is) {
    case 'acquired':
      return afterAcquired(result.record, opened, invocation)
    case 'busy':
      return decided(opened, { is: 'busy', until: result.until })
    case 'done':
    case 'dead':
      return decided(opened, { is: 'duplicate' })
    case 'undelivered':
      return diedBefore(result.record, opened)
    case 'mismatch':
      return mismatch(opened, { fingerprint: result.record.fingerprint, messageId: result.record.firstMessageId })
  }
}

function afterAcquired(record: LeaseRecord, opened: Opened, { setup, waiting }: Invocation): Leased | Decision {
  const { message, key } = opened
  // Runs that failed were decided on then. Those that were cut at their deadline, or whose process died, are seen here.
  const usedUp = record.attempts > setup.maxAttempts.retryable
  const reason: DeadReason | undefined = tooOld(message.sentAt, waiting()) ? 'too-old' : usedUp ? 'attempts-used-up' : undefined
  if (reason !== undefined) return { ...decided(opened, { is: 'dead', reason }), record, attempts: record.attempts - 1 }
  return { is: 'leased', message, key, record, tally: record }
}

/** This very message died before, and no dead-letter queue took it: it is sent again, nothing runs. */
function diedBefore(record: LeaseRecord, opened: Opened): Decision {
  const kept = JSON.parse(record.letter) as Evidence
  const { history } = record
  const outcome: Outcome = { is: 'dead', reason: kept.reason }
  return { ...decided(opened, outcome), record, kept: { ...kept, history, receives: opened.message.receiveCount } }
}

const decided = ({ message, key }: Opened, outcome: Outcome): Decision => ({ is: 'decided', message, key, outcome })

function mismatch({ message, key, fingerprint }: Opened, other: { fingerprint: string; messageId: string }): Failed {
  const text =
    `The idempotency key ${key} belongs to another payload: message ${other.messageId} has the fingerprint ${other.fingerprint}, ` +
    `this message ${message.id} has ${fingerprint}. Put what tells them apart into "key", or leave what may differ out of "fingerprint".`
  return failedEarly(message, new MessageError('message.fingerprint', text), key)
}

/**
 * A refusal (throttled, denied, no such table) was not stored. Anything else may have been, whatever the answer (F86), and so may
 * an earlier try of the SDK's own when only its last one was refused.
 */
function maybeStored(error: unknown): boolean {
  const { $metadata, cause } = Object(error)
  const { httpStatusCode: status, attempts } = Object($metadata ?? Object(cause).$metadata)
  return !(typeof status === 'number' && status >= 400 && status < 500) || attempts > 1
}

/** A begin that answers after the deadline: nothing ran under its lease. */
async function releaseLate(beginning: Promise<BeginResult>, store: IdempotencyStore, invocation: Invocation): Promise<void> {
  // One that fails is given back by its token (settle-undone.ts).
  const result = await beginning.catch(() => undefined)
  if (result?.is === 'acquired') await store.end({ to: 'released', record: result.record, ...recordTimes(invocation) })
}
