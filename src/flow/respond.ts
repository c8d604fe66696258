import type { SqsBatchResponse } from './event.ts'
import type { ReceivedMessage } from './message.ts'

/**
 * The partial batch response: each message that stays, once, in the order of the event. Nothing else ever leaves: `undefined`
 * and `{}` would delete the batch, one wrong id would fail it (F57, F58).
 */
export function respond(messages: readonly ReceivedMessage[], stays: (message: ReceivedMessage) => boolean): SqsBatchResponse {
  return {
    batchItemFailures: messages.filter(stays).map((message) => ({ itemIdentifier: message.record.messageId })),
  }
}
