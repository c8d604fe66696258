import type { Link } from '../chain.ts'
import { readText } from '../read.ts'
import { family } from './family.ts'

/** The error types of the Kafka protocol; what the broker calls retriable has been seen before. */
export const kafka = family('kafka', kafkaKeys, {
  connection: '-195 -193 -192 -187 -185 -184',
  denied: /AUTHORIZATION|SASL|CLUSTER_AUTH/,
  absent: 'UNKNOWN_TOPIC_OR_PARTITION GROUP_ID_NOT_FOUND',
  invalid: /^(MESSAGE_TOO_LARGE|RECORD_LIST_TOO_LARGE|INVALID_|UNSUPPORTED_|OUT_OF_ORDER|POLICY_VIOLATION)/,
})

/** The reply texts of AMQP 0.9.1: its codes look like HTTP's and mean something else. */
export const amqp = family('amqp', ({ message }) => [/ \d{3} \(([A-Z-]+)\)/.exec(message)?.[1]], {
  unavailable: 'CONNECTION-FORCED INTERNAL-ERROR RESOURCE-ERROR NO-CONSUMERS',
  conflict: 'RESOURCE-LOCKED',
  denied: 'ACCESS-REFUSED NOT-ALLOWED INVALID-PATH',
  absent: 'NOT-FOUND',
  invalid: 'PRECONDITION-FAILED CONTENT-TOO-LARGE FRAME-ERROR SYNTAX-ERROR COMMAND-INVALID NOT-IMPLEMENTED',
})

function kafkaKeys({ value, name, code }: Link): ReadonlyArray<string | number | undefined> {
  // The library gave up; what it gave up on is beneath.
  if (name === 'KafkaJSNumberOfRetriesExceeded') return []
  if (readText(value, 'origin') === 'kafka') return [code]
  return name.startsWith('KafkaJS') ? [readText(value, 'type')] : []
}
