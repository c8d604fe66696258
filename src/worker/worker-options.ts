/** What `startWorker` is given, and its check. */
import type { SqsSender } from '../aws/sqs-receive.ts'
import type { Clock, Logger, Random } from '../flow/ports.ts'
import type { LambdaHandler } from './invoke.ts'
import { WorkerStartError } from './start-error.ts'

/** The options of `startWorker`. */
export interface WorkerOptions {
  /** The Lambda handler, unchanged. One that takes a callback (three parameters) is refused, as Node 24 on Lambda does. */
  readonly handler: LambdaHandler
  /** The queue to read. */
  readonly queueUrl: string
  /** An `SQSClient`. It should allow more than `3 × concurrency` sockets. */
  readonly sqs: SqsSender
  readonly logger: Logger
  /**
   * Messages a batch, 1 to 10.
   * @default 10
   */
  readonly batchSize?: number | undefined
  /**
   * Batches at the same time, from 1. Each polls on its own.
   * @default 1
   */
  readonly concurrency?: number | undefined
  /**
   * Seconds a handler may run, 1 to 43,000: what `getRemainingTimeInMillis` counts down and how long the leases last.
   * @default 900
   */
  readonly timeout?: number | undefined
  /**
   * Seconds a receive waits for the first message, 0 to 20. An idle worker takes up to that long to stop.
   * @default 20
   */
  readonly waitSeconds?: number | undefined
  /**
   * The context's `functionName`.
   * @default the queue's name
   */
  readonly functionName?: string | undefined
  readonly clock?: Clock | undefined
  readonly random?: Random | undefined
}

type NumberOption = 'batchSize' | 'concurrency' | 'timeout' | 'waitSeconds'

/** Whole numbers and their limits: what SQS takes, and the 12 hours that a message can be hidden. */
const NUMBERS: Readonly<Record<NumberOption, { readonly from: number; readonly to: number }>> = {
  batchSize: { from: 1, to: 10 },
  concurrency: { from: 1, to: 1_000 },
  timeout: { from: 1, to: 43_000 },
  waitSeconds: { from: 0, to: 20 },
}

/** Throws a `WorkerStartError` that names the first wrong option. */
export function checkOptions(options: WorkerOptions): void {
  if (typeof options.handler !== 'function') throw new WorkerStartError(`handler is ${typeof options.handler}, not a function`)
  if (options.handler.length >= 3) {
    throw new WorkerStartError(
      'the handler takes a callback as its third parameter; Lambda on Node 24 refuses that. Return a promise.',
    )
  }
  if (!URL.canParse(options.queueUrl)) throw new WorkerStartError(`queueUrl is not a URL: ${options.queueUrl}`)
  for (const [name, { from, to }] of Object.entries(NUMBERS)) {
    const value = options[name as NumberOption]
    if (value === undefined || (Number.isInteger(value) && value >= from && value <= to)) continue
    throw new WorkerStartError(`${name} is ${value}; it must be a whole number from ${from} to ${to}`)
  }
}
