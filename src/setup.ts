import { queueName } from './aws/queue-url.ts'
import { Sqs } from './aws/sqs.ts'
import { type Environment, readEnvironment } from './environment.ts'
import { type Backoff, exponential, schedule } from './flow/backoff.ts'
import { checkOptions, OptionsError } from './flow/check-options.ts'
import { type Controls, controls } from './flow/controls.ts'
import type { Rules } from './flow/decide.ts'
import type { AnyOptions } from './flow/options.ts'
import type { Clock, IdempotencyStore, Logger, Queue, Random } from './flow/ports.ts'
import { jsonLines, safely } from './logger.ts'
import { dynamoStore } from './stores.ts'
import { systemClock, systemRandom } from './system.ts'

/** A consumer's options, checked, with every default in place. Made once, when the handler's module loads. */
export interface Setup {
  readonly options: AnyOptions
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  readonly store: IdempotencyStore | undefined
  readonly deadLetterQueue: string | undefined
  readonly rules: Pick<Rules, 'maxAttempts' | 'backoff' | 'maxAge' | 'random'>
  /** SQS for one invocation: its requests end with the signal. */
  readonly queue: (signal: AbortSignal) => Queue
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
      'redrive: several invocations at a time in one process (Lambda Managed Instances, AWS_LAMBDA_MAX_CONCURRENCY) are not supported yet: set PerExecutionEnvironmentMaxConcurrency to 1.',
    )
  }
  const controlled: Controls = (options as { [controls]?: Controls })[controls] ?? {}
  const { clock = systemClock, random = systemRandom } = controlled
  const deadLetterQueue = options.deadLetterQueue ?? environment.deadLetterQueue
  const sqs = new Sqs({
    client: options.clients?.sqs,
    clock,
    knownQueueUrl: environment.queueUrl,
    endpoint: environment.sqsEndpoint,
  })
  const store = storeOf(options, environment)
  return {
    options,
    clock,
    random,
    logger: safely(options.logger ?? jsonLines(environment.logLevel)),
    store,
    deadLetterQueue,
    rules: {
      maxAttempts: attemptsOf(options.maxAttempts),
      backoff: backoffOf(options.backoff),
      maxAge: options.maxAge ?? environment.maxAge,
      random,
    },
    queue: (signal) => controlled.queue ?? sqs.queue(signal),
    concurrency: options.concurrency ?? 50,
    nameOf: (queueArn) => options.name ?? queueName(queueArn),
    remarks: remarksOf(options, environment, store, deadLetterQueue),
  }
}

function storeOf(options: AnyOptions, { table }: Environment): IdempotencyStore | undefined {
  if (options.key === false || options.store === false) return undefined
  const store = options.store ?? (table === undefined ? undefined : dynamoStore())
  return store && neverThrowing('open' in store ? store.open({ table, client: options.clients?.dynamodb }) : store)
}

/** A store of the user's own may throw where it promised a promise. */
const neverThrowing = (store: IdempotencyStore): IdempotencyStore => ({
  begin: async (request, signal) => await store.begin(request, signal),
  end: async (request, signal) => await store.end(request, signal),
  giveBack: async (request, signal) => await store.giveBack(request, signal),
  read: async (id, signal) => await store.read(id, signal),
})

function attemptsOf(option: AnyOptions['maxAttempts']): Rules['maxAttempts'] {
  if (typeof option === 'number') return { retryable: option, unknown: option }
  const retryable = option?.retryable ?? Math.max(12, option?.unknown ?? 0)
  return { retryable, unknown: option?.unknown ?? Math.min(5, retryable) }
}

function backoffOf(option: AnyOptions['backoff']): Rules['backoff'] {
  const given: Backoff | undefined = typeof option === 'object' ? option : undefined
  return { retryable: given ?? exponential(), unknown: given ?? schedule([5, 30, 120, 600]) }
}

function remarksOf(
  options: AnyOptions,
  environment: Environment,
  store: IdempotencyStore | undefined,
  deadLetterQueue: string | undefined,
): string[] {
  const remarks: string[] = []
  if (store === undefined && options.key !== false && options.store !== false) {
    remarks.push(
      'No idempotency store: a message that SQS delivers twice runs twice, and receives count as attempts. Set REDRIVE_TABLE or the option "store" (false, if that is meant).',
    )
  }
  if (deadLetterQueue === undefined) {
    remarks.push(
      'No dead-letter queue: what can not succeed stays in the queue as a failure until its redrive policy moves it. Set REDRIVE_DLQ_URL or the option "deadLetterQueue".',
    )
  }
  if (!environment.partialBatch && options.partialBatch !== true) {
    remarks.push(
      'Nothing says that the event source mapping has FunctionResponseTypes: [ReportBatchItemFailures]. Without it SQS deletes messages that failed. Set it there, then partialBatch: true or REDRIVE_PARTIAL=1.',
    )
  }
  return remarks
}
