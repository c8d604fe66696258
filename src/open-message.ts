import type { Decision, Failed, Opened } from './decision.ts'
import { tallyOfReceives } from './flow/attempts.ts'
import { fingerprintOf } from './flow/fingerprint.ts'
import { namespacedKey } from './flow/key.ts'
import { type DecodedMessage, decode, type ReceivedMessage, validate } from './flow/message.ts'
import { tooOld } from './flow/too-old.ts'
import type { Invocation } from './invocation.ts'

/**
 * Body to payload, key and fingerprint. A failure here has no record yet, so the receive count stands for the attempts. A schema
 * or body function that does not settle before the deadline leaves the message unstarted.
 */
export async function openMessage(message: ReceivedMessage, invocation: Invocation): Promise<Opened | Failed | Decision> {
  if (invocation.signal.aborted) return noTime(message)
  const opening = open(message, invocation).catch((error: unknown) => failedEarly(message, error))
  const first = await Promise.race([opening, invocation.over])
  if (first !== 'over') return first
  // A body or schema function that hangs each time must not outlive the message unseen.
  return tooOld(message.sentAt, invocation.waiting())
    ? { is: 'decided', message, outcome: { is: 'dead', reason: 'too-old' } }
    : noTime(message)
}

async function open(received: ReceivedMessage, { setup, consumer }: Invocation): Promise<Opened> {
  const { body = 'json', schema, key, fingerprint } = setup.options
  const decoded = await decode(received, body)
  // Before the schema: a deploy that changes a default or a transform must not make a known message look like another.
  const compared = setup.store !== undefined && fingerprint !== false
  const print = compared ? fingerprintOf(fingerprint ? await fingerprint(decoded) : decoded, received.record.body) : ''
  const message: DecodedMessage = { ...received, payload: await validate(decoded, schema) }
  return { is: 'opened', message, key: namespacedKey(consumer, await keyOf(message, key)), fingerprint: print }
}

function keyOf(message: DecodedMessage, key: Invocation['setup']['options']['key']): unknown {
  if (typeof key === 'function') return key(message.payload, message)
  const producers = key === false ? undefined : message.record.messageAttributes['idempotency-key']?.stringValue
  return producers ?? message.id
}

/** A failure before there is a record. */
export const failedEarly = (message: ReceivedMessage, error: unknown, key?: string): Failed => ({
  is: 'failed',
  message,
  error,
  tally: tallyOfReceives(message.receiveCount),
  ...(key !== undefined && { key }),
})

/** The invocation's time is over before this message started. */
export const noTime = (message: ReceivedMessage): Decision => ({
  is: 'decided',
  message,
  outcome: { is: 'deferred', because: 'no-time' },
})
