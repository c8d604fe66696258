import type { VerdictName } from '../verdict.ts'

/** What can be the matter, whatever the library: the verdict follows from it, and the sentence that says why. */
export const kinds = {
  throttled: ['retryable', 'Too many requests for now.'],
  timeout: ['retryable', 'No answer in time.'],
  connection: ['retryable', 'The connection failed or was lost.'],
  resolution: ['retryable', 'The name did not resolve: that may pass.'],
  unavailable: ['retryable', 'The service is failing, starting or changing its role.'],
  conflict: ['retryable', 'Another one is at work on the same thing.'],
  exhausted: ['retryable', 'Connections, memory or disk are used up for now.'],
  expired: ['retryable', 'Credentials, or a clock, out of their time: they are renewed.'],
  aborted: ['retryable', 'A deadline or shutdown ended it, not the message.'],
  hinted: ['retryable', 'The error itself says so.'],
  denied: ['unknown', 'Not allowed: that hits all messages.'],
  absent: ['unknown', 'A queue, table or the like is missing: that hits all messages.'],
  misconfigured: ['unknown', 'A matter of configuration: that hits all messages.'],
  contested: ['unknown', 'Done already, or changed by another one.'],
  answer: ['unknown', 'The answer could not be used, which says little about the message.'],
  quota: ['unknown', 'A quota is used up, and may stay so.'],
  unclear: ['unknown', 'The error says too little.'],
  invalid: ['permanent', 'The request or its data is wrong.'],
  exists: ['permanent', 'It is there already.'],
  nonexistent: ['permanent', 'What the message names does not exist.'],
  condition: ['permanent', 'A condition does not hold.'],
  refused: ['permanent', 'It is refused for good.'],
  bug: ['permanent', 'A bug, or data that the code does not expect.'],
} as const satisfies Record<string, readonly [verdict: VerdictName, why: string]>

/** The name of such a kind: the second half of a rule's id. */
export type Kind = keyof typeof kinds
