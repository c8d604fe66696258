import type { Decision, Opened } from './decision.ts'
import { atOnce, tallyOfReceives } from './flow/decide.ts'
import { fingerprintOf } from './flow/fingerprint.ts'
import { namespacedKey } from './flow/key.ts'
import { type DecodedMessage, decode, type ReceivedMessage, validate } from './flow/message.ts'
import type { Invocation } from './invocation.ts'
import { judge } from './judge.ts'

/**
 * Body to payload, key and fingerprint. A failure here has no record yet, so the receive count stands for the attempts. A schema
 * or body function that does not settle before the deadline leaves the message unstarted.
 */
export async function openMessage(message: ReceivedMessage, invocation: Invocation): Promise<Opened | Decision> {
  const { signal, over } = invocation
  if (signal.aborted) return noTime(message, invocation)
  const opening = open(message, invocation)
  const first = await Promise.race([opening.catch((error: unknown) => ({ is: 'threw', error }) as const), over])
  if (first === 'over') return noTime(message, invocation)
  if (first.is === 'opened') return first
  return { is: 'decided', message, outcome: judge(first.error, message, tallyOfReceives(message.receiveCount), invocation) }
}

async function open(received: ReceivedMessage, { setup, consumer }: Invocation): Promise<Opened> {
  const { body = 'json', schema, key, fingerprint } = setup.options
  const decoded = await decode(received, body)
  // Before the schema: a deploy that changes a default or a transform must not make a known message look like another.
  const print =
    setup.store === undefined || fingerprint === false ? '' : fingerprintOf(fingerprint ? fingerprint(decoded) : decoded)
  const message: DecodedMessage = { ...received, payload: await validate(decoded, schema) }
  return { is: 'opened', message, key: namespacedKey(consumer, keyOf(message, key)), fingerprint: print }
}

function keyOf(message: DecodedMessage, key: false | ((payload: never, message: never) => unknown) | undefined): unknown {
  if (typeof key === 'function') return key(message.payload as never, message as never)
  const producers = key === false ? undefined : message.record.messageAttributes['idempotency-key']?.stringValue
  return producers ?? message.id
}

/** The invocation's time is over before this message started. */
export function noTime(message: ReceivedMessage, invocation: Invocation): Decision {
  return { is: 'decided', message, outcome: { is: 'deferred', because: 'no-time', seconds: atOnce(invocation.rules()) } }
}
