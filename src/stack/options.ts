/** What the infrastructure of consumers is made from. Pure: options in, plain CloudFormation out. */

/** A function of CloudFormation such as `{ 'Fn::GetAtt': ['OrdersQueue', 'Arn'] }`. */
export interface Intrinsic {
  readonly [name: string]: unknown
}

/** A value of CloudFormation: a text or an intrinsic function. */
export type Value = string | Intrinsic

/** A queue that redrive makes, or one that is there already and of which nothing is changed. */
export type QueueOption = { readonly make: string } | { readonly arn: Value }

/** One consumer: a queue, a function, and what is between them. Durations are seconds. */
export interface ConsumerOptions {
  /** Letters and digits, first one upper case: what its resources are called in the template. */
  readonly logicalName: string
  /** The consumer's own option `name`, where it has one: the dimension of its metrics. @default the queue's name */
  readonly name?: string
  /** The Lambda function: for its metrics on the dashboard, and in the mapping. @default none, and the dashboard leaves it out */
  readonly functionName?: Value
  readonly queue: QueueOption
  /** @default one that redrive makes, of the queue's name and `-dlq` (before `.fifo`) */
  readonly deadLetterQueue?: { readonly arn: Value }
  /** A queue that is made gets `.fifo` at the end of its name. @default whether the queue's name ends with `.fifo` */
  readonly fifo?: boolean
  /** The function's timeout. The queue's visibility timeout is six times it, plus the batching window. */
  readonly functionTimeout: number
  /** Limit: 1 to 10,000; FIFO 10. @default 10 */
  readonly batchSize?: number
  /** Limit: 0 to 300; not on FIFO. @default 0, or 1 where batchSize is above 10 */
  readonly batchWindow?: number
  /** Invocations at a time. Limit: 2 to 1,000. Not together with `provisionedPollers`. @default none */
  readonly maximumConcurrency?: number
  /** Limits: minimum 2 to 200, maximum 2 to 10,000. @default none */
  readonly provisionedPollers?: { readonly minimum?: number; readonly maximum?: number }
  /** ARN of a key that encrypts both queues. @default SQS's own encryption */
  readonly kmsKeyArn?: Value
  /** Runs of the handler, as in the consumer's own `maxAttempts`. @default 12 */
  readonly maxAttempts?: number
  /** Limit: below the queue's retention. @default the retention less a day, half of it under two days; none on one's own queue */
  readonly maxAge?: number
}

/** What the consumers of one service share. */
export interface ServiceOptions {
  /** In names of alarms, topic and dashboard. */
  readonly service: string
  readonly stage: string
  /** Who is woken. @default no alarms, and doctor says so */
  readonly alarm?: {
    /** Gets a mail with a link to confirm first. Not together with `topicArn`. */
    readonly email?: string
    /** A topic of one's own, instead of one that is made. */
    readonly topicArn?: Value
    /** Whom the texts of the alarms name. Limit: 100 characters. */
    readonly owner?: string
    /** An address for the texts of the alarms. Limit: 200 characters. */
    readonly runbook?: string
  }
  /** The idempotency table: made, one's own, or none. @default made */
  readonly table?: { readonly arn: Value } | false
  /** Retention of the source queues that are made. Limit: 60 to 1,209,600. @default 345,600 (4 days) */
  readonly retention?: number
  /**
   * What becomes of the table and the dead-letter queues when the stack is deleted, and of a queue that is replaced by one of
   * another name. What is retained has to be deleted by hand before a stack of the same names is made again. @default 'Retain'
   */
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

/** What a template hands out under a name. */
export interface Output {
  readonly Description: string
  readonly Value: Value
}

/** A whole template of CloudFormation. */
export interface Template {
  readonly AWSTemplateFormatVersion: '2010-09-09'
  readonly Description: string
  readonly Metadata?: Readonly<Record<string, unknown>>
  readonly Resources: Resources
  readonly Outputs: Readonly<Record<string, Output>>
}
