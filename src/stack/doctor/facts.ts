/** What is deployed of a consumer, in one form whatever it was read from: a template, a service file, a live stack. */
import type { Known, Listed } from './known.ts'

/** A queue. `where` names it for people; its identity is the ARN. */
export interface QueueFacts {
  readonly where: string
  readonly arn: Known<string>
  readonly name: Known<string>
  /** Only a live stack can tell that a queue is gone. */
  readonly exists: Known<boolean>
  readonly fifo: Known<boolean>
  /** Its name ends with `.fifo`, whatever `FifoQueue` says. */
  readonly fifoName: Known<boolean>
  readonly visibilityTimeout: Known<number>
  readonly retention: Known<number>
  readonly largestMessage: Known<number>
  readonly redrive: Known<RedrivePolicy | undefined>
  /** ARNs of the queues that may use it as their dead-letter queue. */
  readonly takesFrom: Known<'all' | 'none' | readonly string[]>
  /** A key of the user's own; SQS's own encryption needs no permission. */
  readonly key: Known<string | undefined>
  /** A policy of its own may allow what the role does not. */
  readonly hasPolicy: Known<boolean>
}

export interface RedrivePolicy {
  readonly target: Known<string>
  readonly maxReceiveCount: Known<number>
}

/** The event source mapping from the queue to the function. */
export interface MappingFacts {
  readonly where: string
  readonly enabled: Known<boolean>
  readonly batchSize: Known<number>
  readonly window: Known<number>
  readonly reportsFailures: Known<boolean>
  readonly filters: Known<number>
  readonly maximumConcurrency: Known<number | undefined>
  /** Pollers at most, in provisioned mode. */
  readonly pollers: Known<number | undefined>
}

export interface FunctionFacts {
  readonly where: string
  readonly timeout: Known<number>
  /** `undefined` for a container image. */
  readonly runtime: Known<string | undefined>
  readonly reservedConcurrency: Known<number | undefined>
  /** What all its mappings together may run at a time; `undefined` where one of them has no limit. */
  readonly concurrencyOfMappings: Known<number | undefined>
  readonly deadLetterTarget: Known<string | undefined>
  /** Invocations at a time in one process: more than one on Managed Instances alone. */
  readonly invocationsAtATime: Known<number>
  readonly environment: Known<Readonly<Record<string, Known<string>>>>
}

export interface TableFacts {
  readonly where: string
  readonly arn: Known<string>
  readonly exists: Known<boolean>
  /** Its key as `name type`, partition key first. */
  readonly key: Known<readonly string[]>
  readonly ttlAttribute: Known<string | undefined>
}

export interface MetricFacts {
  readonly namespace: string
  readonly name: string
  readonly dimensions: Readonly<Record<string, string>>
  readonly statistic: string
}

export interface AlarmFacts {
  readonly where: string
  /** Every metric it reads, those of its expressions too. */
  readonly metrics: Known<readonly MetricFacts[]>
  readonly expressions: Known<readonly string[]>
  readonly threshold: Known<number | undefined>
  readonly comparison: Known<string>
  readonly missingData: Known<string>
  /** How many it tells when it goes off; 0 where its actions are switched off. */
  readonly actions: Known<number>
}

export interface StatementFacts {
  readonly effect: 'Allow' | 'Deny'
  readonly actions: Known<readonly string[]>
  /** Each an ARN with wildcards. */
  readonly resources: Known<readonly Known<string>[]>
  readonly conditional: boolean
}

export interface RoleFacts {
  readonly where: string
  readonly statements: Listed<StatementFacts>
}

/** What the consumer says in its own code. */
export interface OwnOptions {
  readonly name?: string | undefined
  readonly maxAttempts: number
  readonly maxAge?: number | undefined
  readonly deadLetterQueue?: string | undefined
  /** `environment`: where REDRIVE_TABLE is set. `own`: one that is given in the code. */
  readonly store: 'environment' | 'own' | 'none'
}

/** One consumer: a mapping with both its ends, and all that belongs to them. */
export interface ConsumerFacts {
  /** The function's name for people. */
  readonly name: string
  readonly mapping: MappingFacts
  readonly function: FunctionFacts
  readonly queue: QueueFacts
  /** Where the queue's redrive policy leads. */
  readonly deadLetters: Known<QueueFacts | undefined>
  /** Where the consumer itself sends its dead letters. */
  readonly ownLetters: Known<QueueFacts | undefined>
  readonly table: Known<TableFacts | undefined>
  readonly alarms: Listed<AlarmFacts>
  readonly role: RoleFacts
  readonly options: Known<OwnOptions>
  readonly maxAge: Known<number | undefined>
}
