import { setTimeout as wait } from 'node:timers/promises'
import { SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs'
import type { Sending } from './traffic.ts'

/** A sending and the id that SQS gave it. */
export interface Sent<S extends Sending> {
  readonly sending: S
  readonly messageId: string
}

/** How a FIFO queue wants a message. */
export interface FifoParts {
  readonly MessageGroupId: string
  readonly MessageDeduplicationId: string
}

/** Sends in order, ten a request, with a pause after each. Throws when SQS takes one of them not. */
export async function send<S extends Sending>(
  sqs: SQSClient,
  url: string,
  sendings: readonly S[],
  options: { readonly pauseMs: number; readonly fifo?: (sending: S) => FifoParts; readonly onSent: (count: number) => void },
): Promise<Sent<S>[]> {
  const sent: Sent<S>[] = []
  for (let start = 0; start < sendings.length; start += 10) {
    const batch = sendings.slice(start, start + 10)
    const Entries = batch.map((sending, position) => ({
      Id: String(position),
      MessageBody: sending.body,
      ...options.fifo?.(sending),
    }))
    const { Successful = [] } = await sqs.send(new SendMessageBatchCommand({ QueueUrl: url, Entries }))
    for (const [position, sending] of batch.entries()) {
      const messageId = Successful.find(({ Id }) => Id === String(position))?.MessageId
      if (messageId === undefined) throw new Error(`SQS did not take ${sending.label}.`)
      sent.push({ sending, messageId })
    }
    options.onSent(batch.length)
    await wait(options.pauseMs)
  }
  return sent
}
