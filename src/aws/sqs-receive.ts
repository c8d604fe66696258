/** The worker's side of SQS: describe a queue, receive, delete, hide. Everything the worker sends goes through here. */
import type { DeleteMessageBatchResult, GetQueueAttributesResult, Message, ReceiveMessageResult } from '@aws-sdk/client-sqs'
import type { EntryResult } from '../flow/ports.ts'

/** A message as the SDK hands it over. */
export type ReceivedMessage = Message

/** What the worker needs of an SQS client: an `SQSClient` of any 3.x version fits, and so does a stub. */
export interface SqsSender {
  send(command: never, options?: { readonly abortSignal?: AbortSignal }): Promise<unknown>
}

/** What a queue says of itself. */
export interface QueueFacts {
  readonly url: string
  readonly arn: string
  /** From the ARN: `eu-west-1`. */
  readonly region: string
  readonly fifo: boolean
  /** Seconds for which a received message stays hidden. */
  readonly visibilityTimeout: number
}

/** The calls that the worker makes, bound to one queue. `remove` and `hide` never reject and answer in the order of the entries. */
export interface SourceQueue {
  readonly facts: QueueFacts
  /**
   * Receives up to `limit` messages (1 to 10), waiting up to `waitSeconds` (0 to 20) for the first.
   * Rejects when the call fails or `signal` aborts. A FIFO receive whose answer got lost gives the same messages again when
   * it is repeated with the same `attempt`, within 5 minutes; else their groups wait for the visibility timeout (F33).
   */
  receive(request: {
    readonly limit: number
    readonly waitSeconds: number
    readonly attempt: string
    readonly signal: AbortSignal
  }): Promise<ReceivedMessage[]>
  /** Deletes messages, ten a request. */
  remove(receiptHandles: readonly string[]): Promise<EntryResult[]>
  /** Hides messages for so many seconds from now, ten a request; 0 gives them back at once. */
  hide(entries: readonly { readonly receiptHandle: string; readonly seconds: number }[]): Promise<EntryResult[]>
}

/** SQS takes at most ten entries a request (and refuses an empty one). */
const ENTRIES_PER_REQUEST = 10

/** Asks a queue for its facts and binds the calls to it. Rejects with the SDK's own error, e.g. `QueueDoesNotExist`. */
export async function openQueue(client: SqsSender, queueUrl: string): Promise<SourceQueue> {
  const sdk = await import('@aws-sdk/client-sqs')
  const facts = await describe(client, queueUrl, sdk)
  return {
    facts,
    async receive({ limit, waitSeconds, attempt, signal }) {
      const command = new sdk.ReceiveMessageCommand({
        QueueUrl: queueUrl,
        MaxNumberOfMessages: limit,
        WaitTimeSeconds: waitSeconds,
        MessageSystemAttributeNames: ['All'],
        MessageAttributeNames: ['All'],
        ...(facts.fifo ? { ReceiveRequestAttemptId: attempt } : {}),
      })
      const answer = (await client.send(command as never, { abortSignal: signal })) as ReceiveMessageResult
      return answer.Messages ?? []
    },
    remove(receiptHandles) {
      return inTens(receiptHandles, (batch) => {
        const Entries = batch.map((ReceiptHandle, position) => ({ Id: String(position), ReceiptHandle }))
        return client.send(new sdk.DeleteMessageBatchCommand({ QueueUrl: queueUrl, Entries }) as never, atMost())
      })
    },
    hide(entries) {
      return inTens(entries, (batch) => {
        const Entries = batch.map(({ receiptHandle, seconds }, position) => ({
          Id: String(position),
          ReceiptHandle: receiptHandle,
          VisibilityTimeout: seconds,
        }))
        return client.send(new sdk.ChangeMessageVisibilityBatchCommand({ QueueUrl: queueUrl, Entries }) as never, atMost())
      })
    },
  }
}

/** A request on a dead connection must not hold the worker: its entries count as refused. */
const atMost = (): { abortSignal: AbortSignal } => ({ abortSignal: AbortSignal.timeout(REQUEST_MS) })

const REQUEST_MS = 10_000

async function describe(client: SqsSender, url: string, sdk: typeof import('@aws-sdk/client-sqs')): Promise<QueueFacts> {
  const command = new sdk.GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['QueueArn', 'VisibilityTimeout'] })
  const { Attributes = {} } = (await client.send(command as never)) as GetQueueAttributesResult
  const arn = Attributes['QueueArn'] ?? ''
  return {
    url,
    arn,
    region: arn.split(':')[3] ?? '',
    fifo: arn.endsWith('.fifo'),
    visibilityTimeout: Number(Attributes['VisibilityTimeout'] ?? 30),
  }
}

/** Sends entries ten a request, requests in parallel. An entry that is named in neither list of the answer is a failure. */
async function inTens<Entry>(entries: readonly Entry[], send: (batch: Entry[]) => Promise<unknown>): Promise<EntryResult[]> {
  const batches: Entry[][] = []
  for (let start = 0; start < entries.length; start += ENTRIES_PER_REQUEST) {
    batches.push(entries.slice(start, start + ENTRIES_PER_REQUEST))
  }
  const results = await Promise.all(
    batches.map(async (batch) => {
      try {
        return readEntries(batch.length, (await send(batch)) as DeleteMessageBatchResult)
      } catch (error) {
        return batch.map(() => refusal(error))
      }
    }),
  )
  return results.flat()
}

function readEntries(count: number, answer: DeleteMessageBatchResult): EntryResult[] {
  const accepted = new Set((answer.Successful ?? []).map((entry) => entry.Id))
  const refused = new Map((answer.Failed ?? []).map((entry) => [entry.Id, entry]))
  return Array.from({ length: count }, (_, position): EntryResult => {
    const failed = refused.get(String(position))
    if (failed) return { is: 'refused', code: failed.Code ?? 'Unknown', message: failed.Message ?? '' }
    if (accepted.has(String(position))) return { is: 'accepted' }
    return { is: 'refused', code: 'NotAnswered', message: 'SQS named this entry neither as successful nor as failed' }
  })
}

function refusal(error: unknown): EntryResult {
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  return { is: 'refused', code: name, message }
}
