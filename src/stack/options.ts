/** What the infrastructure of consumers is made from. Pure: options in, plain CloudFormation out. */

/** A value of CloudFormation: a literal or an intrinsic function such as `{ 'Fn::GetAtt': ['OrdersQueue', 'Arn'] }`. */
export type Value = string | number | { readonly [intrinsic: string]: unknown }

/** A queue that redrive makes, or one that is there already and of which nothing is changed. */
export type QueueOption = { readonly make: string } | { readonly arn: Value }

/** One consumer: a queue, a function, and what is between them. Durations are seconds. */
export interface ConsumerOptions {
  /** Letters and digits, first one upper case: what its resources are called in the template. */
  readonly logicalName: string
  readonly queue: QueueOption
  /** @default one that redrive makes, of the queue's name and `-dlq` (before `.fifo`) */
  readonly deadLetterQueue?: { readonly arn: Value }
  /** @default whether the queue's name ends with `.fifo` */
  readonly fifo?: boolean
  /** The function's timeout. The queue's visibility timeout is six times it, plus the batching window. */
  readonly functionTimeout: number
  /** Limit: 1 to 10,000; FIFO 10. @default 10 */
  readonly batchSize?: number
  /** Limit: 0 to 300; not on FIFO. @default 0, or 1 where batchSize is above 10 */
  readonly batchWindow?: number
  /** Invocations at a time. Limit: 2 to 1,000. Not together with `provisionedPollers`. @default none */
  readonly maximumConcurrency?: number
  /** @default none */
  readonly provisionedPollers?: { readonly minimum?: number; readonly maximum?: number }
  /** Of a key that encrypts both queues. @default SQS's own encryption */
  readonly kmsKeyArn?: Value
  /** Runs of the handler, as in the consumer's own `maxAttempts`. @default 12 */
  readonly maxAttempts?: number
  /** @default the retention less a day, half of it under two days */
  readonly maxAge?: number
}

/** What the consumers of one service share. */
export interface ServiceOptions {
  /** In names of alarms, topic and dashboard. */
  readonly service: string
  readonly stage: string
  /** Who is woken. @default no alarms, and doctor says so */
  readonly alarm?: {
    readonly email?: string
    /** A topic of one's own, instead of one that is made. */
    readonly topicArn?: Value
    readonly owner?: string
    readonly runbook?: string
  }
  /** The idempotency table: made, one's own, or none. @default made */
  readonly table?: { readonly arn: Value } | false
  /** Retention of the source queues that are made. Limit: 60 to 1,209,600. @default 345,600 (4 days) */
  readonly retention?: number
  /** What becomes of table and dead-letter queues when the stack is deleted. @default 'Retain' */
  readonly removal?: 'Retain' | 'Delete'
  /** @default true */
  readonly dashboard?: boolean
}

/** A resource of a template. */
export interface Resource {
  readonly Type: string
  readonly Properties?: Readonly<Record<string, unknown>>
  readonly DependsOn?: readonly string[]
  readonly DeletionPolicy?: string
  readonly UpdateReplacePolicy?: string
  readonly Condition?: string
}

/** By logical id. */
export type Resources = Readonly<Record<string, Resource>>

/** One statement of a policy. */
export interface Statement {
  readonly Effect: 'Allow'
  readonly Action: readonly string[]
  readonly Resource: readonly Value[]
}
