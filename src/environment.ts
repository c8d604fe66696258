import { isQueueUrl, isWhole, OptionsError } from './flow/check-options.ts'

const LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const

/** From which level on the default logger writes. */
export type LogLevel = (typeof LEVELS)[number]

/** All that redrive reads of the environment, in this one file. */
export interface Environment {
  readonly deadLetterQueue: string | undefined
  readonly table: string | undefined
  readonly maxAge: number | undefined
  readonly queueUrl: string | undefined
  readonly partialBatch: boolean
  readonly logLevel: LogLevel
  readonly sqsEndpoint: string | undefined
  /** Lambda Managed Instances: invocations in one process at a time (F82). */
  readonly maxConcurrency: number
}

/** Throws an {@link OptionsError} for a value that has no sense, by the variable's name. */
export function readEnvironment(variables: Readonly<Record<string, string | undefined>> = process.env): Environment {
  const read = (name: string, expected = '', fits: (value: string) => boolean = () => true): string | undefined => {
    const value = variables[name]
    if (!value || fits(value)) return value || undefined
    throw new OptionsError(`redrive: the environment variable ${name} must be ${expected}, not "${value}".`)
  }
  const queue = (name: string): string | undefined => read(name, 'the URL of an SQS queue', isQueueUrl)
  const maxAge = read('REDRIVE_MAX_AGE', 'whole seconds from 1 to 1209600', (value) => isWhole(Number(value), 1_209_600))
  const isLevel = (value: string): value is LogLevel => (LEVELS as readonly string[]).includes(value)
  const logLevel = read('REDRIVE_LOG_LEVEL', `one of ${LEVELS.join(', ')}`, isLevel)
  return {
    deadLetterQueue: queue('REDRIVE_DLQ_URL'),
    table: read('REDRIVE_TABLE'),
    maxAge: maxAge === undefined ? undefined : Number(maxAge),
    queueUrl: queue('REDRIVE_QUEUE_URL'),
    partialBatch: read('REDRIVE_PARTIAL') === '1',
    logLevel: (logLevel as LogLevel | undefined) ?? 'info',
    sqsEndpoint: read('AWS_ENDPOINT_URL_SQS') ?? read('AWS_ENDPOINT_URL'),
    maxConcurrency: Number(read('AWS_LAMBDA_MAX_CONCURRENCY') ?? 1),
  }
}

/** The X-Ray trace of the invocation that runs now. */
export const traceId = (): string | undefined => /Root=([^;]+)/.exec(process.env['_X_AMZN_TRACE_ID'] ?? '')?.[1]
