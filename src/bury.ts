import type { Decision } from './decision.ts'
import { delay } from './flow/backoff.ts'
import type { Outcome } from './flow/decide.ts'
import { notBeyond } from './flow/delays.ts'
import { type Evidence, evidenceOf, inShort } from './flow/evidence.ts'
import { letterOf } from './flow/letter.ts'
import type { Invocation } from './invocation.ts'
import { limits } from './judge.ts'
import { sayNotBuried } from './trouble.ts'

/** A dead message on its way: whether the dead-letter queue took it, and what is to be done if not. */
export interface Buried {
  readonly taken: boolean
  readonly evidence: Evidence
  /** What the record keeps while no queue has the letter, so that nothing runs again for what is decided; else `''`. */
  readonly letter: string
  /** Seconds until it is tried again. */
  readonly seconds: number
}

/** Sends a dead message, with its evidence, to the dead-letter queue. Without one it stays where it is. */
export async function bury(
  decision: Decision,
  outcome: Extract<Outcome, { is: 'dead' }>,
  invocation: Invocation,
): Promise<Buried> {
  const { setup, queue } = invocation
  const { message, kept } = decision
  const evidence = kept ?? evidenceFor(decision, outcome, invocation)
  const queueUrl = setup.deadLetterQueue
  // The backoff of a message that can't be retried is about the dead-letter queue, not about the work: receives set the pace.
  const wanted = delay(limits(setup).backoff.retryable, message.receiveCount, setup.random)
  const seconds = notBeyond(wanted, message.sentAt, invocation.waiting())
  if (queueUrl === undefined) return { taken: false, evidence, letter: inShort(evidence), seconds }
  const result = await queue.bury({ queueUrl, fit: (maximumBytes) => letterOf(message.record, evidence, queueUrl, maximumBytes) })
  if (result.is === 'accepted') return { taken: true, evidence, letter: '', seconds }
  sayNotBuried(message, result, invocation)
  return { taken: false, evidence, letter: inShort(evidence), seconds }
}

function evidenceFor(
  decision: Decision,
  { reason, failure }: Extract<Outcome, { is: 'dead' }>,
  invocation: Invocation,
): Evidence {
  const { message, record, key, attempts = 0 } = decision
  const history = [...(record?.history ?? []), ...(failure ? [failure.note] : [])]
  const at = invocation.setup.clock.now()
  return evidenceOf(message, { reason, failure, attempts, history, idempotencyKey: key, at }, invocation.scene)
}
