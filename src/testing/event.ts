import { createHash } from 'node:crypto'
import type { LambdaContext, SqsEvent, SqsRecord } from '../flow/event.ts'

/** What a test says of a message; the rest is made up, the same each time. */
export interface RecordParts {
  readonly messageId?: string
  /** A text goes as it is, anything else as JSON. */
  readonly body?: unknown
  readonly groupId?: string
  readonly receiveCount?: number
  /** Epoch ms. */
  readonly sentAt?: number
  readonly messageAttributes?: SqsRecord['messageAttributes']
  /** A name ending in `.fifo` makes it a FIFO queue. */
  readonly queue?: string
}

/** An event as Lambda's SQS event source mapping makes it, a record a part. */
export function sqsEvent(parts: readonly RecordParts[]): SqsEvent {
  return { Records: parts.map((part, position) => sqsRecord(part, position)) }
}

/** One record as Lambda makes it. `position` makes up its id. */
export function sqsRecord(parts: RecordParts = {}, position = 0): SqsRecord {
  const { queue = 'orders', groupId, receiveCount = 1, sentAt = Date.UTC(2026, 0, 1) } = parts
  const messageId = parts.messageId ?? `00000000-0000-4000-8000-${String(position + 1).padStart(12, '0')}`
  const body = typeof parts.body === 'string' ? parts.body : JSON.stringify(parts.body ?? {})
  const fifo = queue.endsWith('.fifo')
  return {
    messageId,
    receiptHandle: `handle-of-${messageId}-${receiveCount}`,
    body,
    attributes: {
      ApproximateReceiveCount: String(receiveCount),
      SentTimestamp: String(sentAt),
      SenderId: 'AROAEXAMPLE:producer',
      ApproximateFirstReceiveTimestamp: String(sentAt + 1),
      ...(groupId !== undefined && { MessageGroupId: groupId }),
      ...(fifo && {
        MessageDeduplicationId: messageId,
        SequenceNumber: String(18_882_245_240_547_000_000n + BigInt(position) * 256n),
      }),
    },
    messageAttributes: parts.messageAttributes ?? {},
    md5OfBody: createHash('md5').update(body).digest('hex'),
    eventSource: 'aws:sqs',
    eventSourceARN: `arn:aws:sqs:eu-central-1:111122223333:${queue}`,
    awsRegion: 'eu-central-1',
  }
}

/** A Lambda context with so much time left, measured by the clock given. */
export function lambdaContext(remainingMs = 30_000, clock: { now(): number } = Date): LambdaContext {
  const endsAt = clock.now() + remainingMs
  return {
    awsRequestId: '00000000-0000-4000-8000-00000000beef',
    functionName: 'orders',
    functionVersion: '$LATEST',
    getRemainingTimeInMillis: () => endsAt - clock.now(),
  }
}
