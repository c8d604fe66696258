import { randomUUID } from 'node:crypto'
import { sayStoreFailed } from './announce.ts'
import type { Decision, Leased, Opened, Settled } from './decision.ts'
import { MessageError } from './errors/message-error.ts'
import { buryDelay, type DeadReason, storeDelay, type Tally, tallyOfReceives, tooOld, untilTime } from './flow/decide.ts'
import type { Evidence } from './flow/evidence.ts'
import type { BeginRequest, BeginResult, EndRequest, EndResult, IdempotencyStore } from './flow/ports.ts'
import type { LeaseRecord } from './flow/record.ts'
import type { Invocation } from './invocation.ts'
import { judge } from './judge.ts'
import { noTime } from './open-message.ts'
import { withinTime } from './within-time.ts'

/** How long a record lives: the longest retention of a queue and of its dead-letter queue, and a margin. In seconds. */
export const KEEP_RECORD = 30 * 86_400

export const expiresAt = (now: number): number => Math.ceil(now / 1000) + KEEP_RECORD

/** The lease of a message whose handler starts at once, or what keeps it from starting. */
export async function takeLease(opened: Opened, invocation: Invocation, settled: Promise<Settled>): Promise<Leased | Decision> {
  const { setup, gate } = invocation
  const { message } = opened
  if (setup.store !== undefined) {
    const twin = await waitForTwin(opened, invocation, settled)
    if (twin !== undefined) return twin
  }
  if (!gate.mayStart()) return noTime(message, invocation)
  if (setup.store !== undefined) return await begin(setup.store, opened, invocation)
  const tally = tallyOfReceives(message.receiveCount)
  if (tooOld(message.sentAt, invocation.rules())) return dead('too-old', opened, invocation)
  return { ...opened, is: 'leased', record: undefined, tally }
}

/**
 * Another message of this batch has the same key: this one waits for it, without a place. Done: a duplicate; a failure: busy
 * as long as that one waits; dead: this one's own turn; another payload: permanent.
 */
async function waitForTwin(opened: Opened, invocation: Invocation, settled: Promise<Settled>): Promise<Decision | undefined> {
  const { key, fingerprint, message } = opened
  const twin = invocation.lastOfKey.get(key)
  invocation.lastOfKey.set(key, { settled, fingerprint, messageId: message.id })
  if (twin === undefined) return undefined
  const { outcome, stays, seconds } = await invocation.slots.aside(twin.settled)
  if (outcome.is === 'dead' && !stays) return undefined
  const other = fingerprint !== '' && twin.fingerprint !== '' && fingerprint !== twin.fingerprint && message.id !== twin.messageId
  if (other) return mismatch(opened, twin, invocation)
  return { is: 'decided', message, key, outcome: stays ? { is: 'busy', seconds } : { is: 'duplicate' } }
}

async function begin(store: IdempotencyStore, opened: Opened, invocation: Invocation): Promise<Leased | Decision> {
  const { setup, deadline, signal, over } = invocation
  const { message, key, fingerprint } = opened
  const now = setup.clock.now()
  const request: BeginRequest = {
    id: key,
    run: randomUUID(),
    messageId: message.record.messageId,
    firstMessageId: message.id,
    fingerprint,
    now,
    leaseUntil: deadline.leaseUntil,
    expiresAt: expiresAt(now),
  }
  const beginning = store.begin(request, signal)
  const first = await Promise.race([beginning.catch((error: unknown) => ({ is: 'unreachable', error }) as const), over])
  if (first === 'over') {
    invocation.alsoAwait(releaseLate(beginning, store, invocation))
    return { ...noTime(message, invocation), unanswered: request }
  }
  if (first.is !== 'unreachable') return afterBegin(first, opened, invocation)
  if (tooOld(message.sentAt, invocation.rules())) return dead('too-old', opened, invocation)
  sayStoreFailed('begin', message, first.error, invocation)
  const outcome = {
    is: 'deferred',
    because: 'store',
    seconds: storeDelay(message.receiveCount, message.sentAt, invocation.rules()),
    error: first.error,
  } as const
  return { is: 'decided', message, key, outcome, ...(maybeStored(first.error) && { unanswered: request }) }
}

function afterBegin(result: BeginResult, opened: Opened, invocation: Invocation): Leased | Decision {
  const { message, key } = opened
  const decided = { is: 'decided', message, key } as const
  switch (result.is) {
    case 'acquired':
      return afterAcquired(result.record, opened, invocation)
    case 'busy':
      return { ...decided, outcome: { is: 'busy', seconds: untilTime(result.until, message.sentAt, invocation.rules()) } }
    case 'done':
    case 'dead':
      return { ...decided, outcome: { is: 'duplicate' } }
    case 'undelivered':
      return diedBefore(result.record, opened, invocation)
    case 'mismatch':
      return mismatch(opened, { fingerprint: result.record.fingerprint, messageId: result.record.firstMessageId }, invocation)
  }
}

function afterAcquired(record: LeaseRecord, opened: Opened, invocation: Invocation): Leased | Decision {
  const rules = invocation.rules()
  const { attempts, retryable, unknown } = record
  const tally: Tally = { attempts, retryable, unknown }
  if (tooOld(opened.message.sentAt, rules)) return { ...dead('too-old', opened, invocation), record, attempts: attempts - 1 }
  // Only runs that were cut at their deadline get here: whatever failed was decided then.
  if (attempts > rules.maxAttempts.retryable)
    return { ...dead('attempts-used-up', opened, invocation), record, attempts: attempts - 1 }
  return { ...opened, is: 'leased', record, tally }
}

/** This very message died before, and no dead-letter queue took it: it is sent again, nothing runs. */
function diedBefore(record: LeaseRecord, opened: Opened, invocation: Invocation): Decision {
  const kept = JSON.parse(record.letter) as Evidence
  return { ...dead(kept.reason, opened, invocation), record, kept: { ...kept, receives: opened.message.receiveCount } }
}

function dead(reason: DeadReason, { message, key }: Opened, invocation: Invocation): Decision {
  return {
    is: 'decided',
    message,
    key,
    outcome: {
      is: 'dead',
      reason,
      failure: undefined,
      seconds: buryDelay(message.receiveCount, message.sentAt, invocation.rules()),
    },
  }
}

function mismatch(
  { message, key, fingerprint }: Opened,
  other: { readonly fingerprint: string; readonly messageId: string },
  invocation: Invocation,
): Decision {
  const error = new MessageError(
    'message.fingerprint',
    `The idempotency key ${key} belongs to another payload: message ${other.messageId} came with ${other.fingerprint}, this one, ${message.id}, with ${fingerprint}. ` +
      'Put into "key" what tells them apart, or leave out of "fingerprint" what may differ.',
  )
  return { is: 'decided', message, key, outcome: judge(error, message, tallyOfReceives(message.receiveCount), invocation) }
}

/** A refusal (throttled, denied, no such table) was not stored; anything else may have been, whatever the answer (F86). */
function maybeStored(error: unknown): boolean {
  const status: unknown =
    Object(Object(error).$metadata).httpStatusCode ?? Object(Object(Object(error).cause).$metadata).httpStatusCode
  return !(typeof status === 'number' && status >= 400 && status < 500)
}

/** A begin that answers after the deadline: nothing ran under its lease. */
async function releaseLate(beginning: Promise<BeginResult>, store: IdempotencyStore, { setup }: Invocation): Promise<void> {
  const result = await beginning
  if (result.is !== 'acquired') return
  const { record } = result
  const now = setup.clock.now()
  await store.end({ to: 'released', record, now, expiresAt: expiresAt(now) })
}

/** The handler of a message that was cut has resolved after all. */
export async function recordLateSuccess({ record, message }: Leased, invocation: Invocation): Promise<void> {
  const { store, clock } = invocation.setup
  const { messageId } = message.record
  if (store === undefined || record === undefined) return
  const now = clock.now()
  const result = await store
    .end({ to: 'done', record, now, expiresAt: expiresAt(now) })
    .catch((error: unknown) => ({ is: 'unreachable', error }))
  invocation.logger.info('A handler that was cut at the deadline has resolved since.', { messageId, completion: result.is })
}

/** What became of an owner's write. */
export type Ended = EndResult | { readonly is: 'unreachable'; readonly error: unknown }

/** Ends a run. A completion is tried until half of the reserve is gone, all else once: it comes again anyway. */
export async function endLease(request: EndRequest, invocation: Invocation): Promise<Ended> {
  const { setup, deadline, effects } = invocation
  const { clock } = setup
  const store = setup.store as IdempotencyStore
  const by = request.to === 'done' ? deadline.recordBy : deadline.answerBy
  for (let pause = 50; ; pause = Math.min(pause * 2, 1_000)) {
    const ending = withinTime(clock, by, store.end(request, effects))
    const result: Ended = await ending.catch((error: unknown) => ({ is: 'unreachable', error }) as const)
    if (result.is !== 'unreachable' || request.to !== 'done' || clock.now() + pause >= by) return result
    await new Promise<void>((resolve) => clock.after(pause, resolve))
  }
}
