/** One message attribute as Lambda hands it over: camelCase, unlike the SDK's own `StringValue`. */
export interface SqsMessageAttribute {
  readonly stringValue?: string | undefined
  /** Base64 text. */
  readonly binaryValue?: string | undefined
  readonly stringListValues?: string[] | undefined
  readonly binaryListValues?: string[] | undefined
  /** `String`, `Number` or `Binary`, with an optional `.label`. */
  readonly dataType: string
}

/** The system attributes of a message; all values are strings, times are epoch milliseconds. */
export interface SqsRecordAttributes {
  readonly ApproximateReceiveCount: string
  readonly SentTimestamp: string
  readonly SenderId: string
  readonly ApproximateFirstReceiveTimestamp: string
  readonly AWSTraceHeader?: string | undefined
  readonly SequenceNumber?: string | undefined
  readonly MessageGroupId?: string | undefined
  readonly MessageDeduplicationId?: string | undefined
  readonly DeadLetterQueueSourceArn?: string | undefined
}

/** One record of the event that Lambda's event source mapping makes of SQS messages. */
export interface SqsRecord {
  readonly messageId: string
  readonly receiptHandle: string
  readonly body: string
  readonly attributes: SqsRecordAttributes
  readonly messageAttributes: Readonly<Record<string, SqsMessageAttribute>>
  readonly md5OfBody: string
  readonly md5OfMessageAttributes?: string
  readonly eventSource: string
  readonly eventSourceARN: string
  readonly awsRegion: string
}

/** The event of an SQS event source mapping. */
export interface SqsEvent {
  readonly Records: readonly SqsRecord[]
}

/** The partial batch response: the messages that SQS must keep. */
export interface SqsBatchResponse {
  batchItemFailures: { itemIdentifier: string }[]
}

/** What redrive reads of Lambda's context. Everything is optional: tests and workers may have none of it. */
export interface LambdaContext {
  readonly awsRequestId?: string
  readonly functionName?: string
  readonly functionVersion?: string
  getRemainingTimeInMillis?(): number
}

/**
 * How a host that keeps messages invisible while they run (the worker) and the core agree: the host puts a function under this
 * key of the context; the core calls it with the id of a message that stays in the queue, awaits it, and only then sets a
 * visibility timeout of its own. From the call on the host must leave the message's visibility alone; its promise says that
 * nothing of it is under way any more. Messages that are done stay with the host until it has deleted them.
 */
export const fateDecided = Symbol.for('redrive.fateDecided')

/**
 * The other half of that agreement: the host puts an `AbortSignal` under this key. When it aborts, no further message starts
 * (they are `deferred`) and what still runs is `cut` when the signal's reason says so (see {@link Shutdown}).
 */
export const shutdownSignal = Symbol.for('redrive.shutdown')

export interface HostContext extends LambdaContext {
  readonly [fateDecided]?: (messageId: string) => void | Promise<void>
  readonly [shutdownSignal]?: Shutdown
}

/** A host that wants to leave: `draining` aborts first (start nothing new), `leaving` later (cut what still runs). */
export interface Shutdown {
  readonly draining: AbortSignal
  readonly leaving: AbortSignal
}
