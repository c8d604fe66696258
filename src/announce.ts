import type { Decision } from './decision.ts'
import type { Invocation } from './invocation.ts'
import type { Setup } from './setup.ts'

/** How many messages came, and how long they have been on their way: SQS's own age metric leaves out those that wait for a retry (F96). */
export function sayReceived({ messages, deadline, metrics }: Invocation): void {
  metrics.count('received', messages.length)
  // A series without a point is no zero to CloudWatch: the alarm for "nothing is done" needs one to see that nothing was (F98).
  metrics.count('done', 0)
  for (const { sentAt } of messages) {
    metrics.measure('message_age', Math.max(0, (deadline.startedAt - sentAt.getTime()) / 1000), 'Seconds')
  }
}

/** A message that leaves the queue because its work is done. */
export function sayDone({ message, outcome, attempts }: Decision, { metrics, logger }: Invocation): void {
  metrics.count(outcome.is, 1)
  logger.debug(`Message ${outcome.is}`, { messageId: message.record.messageId, outcome: outcome.is, attempts })
}

const remarked = new WeakSet<Setup>()

/** What is missing in the set-up, once a consumer. */
export function remarkOnce(setup: Setup): void {
  if (remarked.has(setup)) return
  remarked.add(setup)
  for (const remark of setup.remarks) setup.logger.warn(remark)
}
