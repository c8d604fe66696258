import { type Environment, readEnvironment } from './environment.ts'
import type { MaxAttempts } from './flow/attempts.ts'
import { checkOptions, OptionsError } from './flow/check-options.ts'
import { type Controls, controls } from './flow/controls.ts'
import { onDemand } from './flow/on-demand.ts'
import type { AnyOptions } from './flow/options.ts'
import type { Clock, IdempotencyStore, Log, Queue, Random } from './flow/ports.ts'
import { lazyQueue, lazyStore, once } from './lazy.ts'
import { jsonLines, safely } from './logger.ts'
import { dynamoStore } from './stores.ts'
import { systemClock, systemRandom } from './system.ts'

/** A consumer's options, checked, with every default in place. Made once, when the handler's module loads. */
export interface Setup {
  readonly options: AnyOptions
  readonly clock: Clock
  readonly random: Random
  readonly logger: Log
  readonly store: IdempotencyStore | undefined
  readonly deadLetterQueue: string | undefined
  readonly maxAttempts: MaxAttempts
  readonly maxAge: number | undefined
  /** SQS for one invocation: its requests end with the signal. */
  readonly openQueue: (signal: AbortSignal) => Queue
  readonly concurrency: number
  readonly nameOf: (queueArn: string) => string
  /** What the log says once, at the first event. */
  readonly remarks: readonly string[]
}

/** Throws an OptionsError for options or environment variables that have no sense. */
export function setUp(options: unknown, environment: Environment = readEnvironment()): Setup {
  checkOptions(options)
  if (environment.maxConcurrency > 1) {
    throw new OptionsError(
      'redrive: several invocations at a time in one process (Lambda Managed Instances) are not yet supported: set PerExecutionEnvironmentMaxConcurrency to 1.',
    )
  }
  const controlled: Controls = (options as { [controls]?: Controls })[controls] ?? {}
  const { clock = systemClock, random = systemRandom } = controlled
  const deadLetterQueue = options.deadLetterQueue ?? environment.deadLetterQueue
  const { sqsEndpoint: endpoint, queueUrl: knownQueueUrl } = environment
  const sqs = once(async () => {
    const { Sqs } = await onDemand(() => import('./aws/sqs.ts'))
    return new Sqs({ client: options.clients?.sqs, clock, knownQueueUrl, endpoint })
  })
  const store = storeOf(options, environment)
  return {
    options,
    clock,
    random,
    logger: safely(options.logger ?? jsonLines(environment.logLevel)),
    store,
    deadLetterQueue,
    maxAttempts: attemptsOf(options.maxAttempts),
    maxAge: options.maxAge ?? environment.maxAge,
    openQueue: (signal) => controlled.queue ?? lazyQueue(async () => (await sqs()).queue(signal)),
    concurrency: options.concurrency ?? 50,
    nameOf: (queueArn) => options.name ?? queueArn.slice(queueArn.lastIndexOf(':') + 1),
    remarks: remarksOf({ options, environment, store, deadLetterQueue }),
  }
}

function storeOf(options: AnyOptions, { table }: Environment): IdempotencyStore | undefined {
  if (options.key === false || options.store === false) return undefined
  const store = options.store ?? (table === undefined ? undefined : dynamoStore())
  if (store === undefined) return undefined
  return 'open' in store ? store.open({ table, client: options.clients?.dynamodb }) : lazyStore(async () => store)
}

function attemptsOf(option: AnyOptions['maxAttempts']): MaxAttempts {
  if (typeof option === 'number') return { retryable: option, unknown: option }
  const retryable = option?.retryable ?? Math.max(12, option?.unknown ?? 0)
  return { retryable, unknown: option?.unknown ?? Math.min(5, retryable) }
}

function remarksOf({
  options,
  environment,
  store,
  deadLetterQueue,
}: {
  readonly options: AnyOptions
  readonly environment: Environment
  readonly store: IdempotencyStore | undefined
  readonly deadLetterQueue: string | undefined
}): string[] {
  const storeMissing = store === undefined && options.key !== false && options.store !== false
  const partialUnknown = !(options.partialBatch ?? environment.partialBatch)
  return [
    storeMissing &&
      'No idempotency store: what SQS delivers twice runs twice, and receives count as attempts. Set REDRIVE_TABLE, or the option "store" (false, if that is meant).',
    deadLetterQueue === undefined &&
      'No dead-letter queue: dead messages stay in their queue until its redrive policy moves them. Set REDRIVE_DLQ_URL or the option "deadLetterQueue".',
    partialUnknown &&
      'Does the event source mapping have ReportBatchItemFailures? Without it SQS deletes failed messages. Set it, then REDRIVE_PARTIAL=1 or the option "partialBatch".',
  ].filter((remark) => remark !== false)
}
