import { OptionsError } from './flow/check-options.ts'

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

type Variables = Readonly<Record<string, string | undefined>>

/** Throws an {@link OptionsError} for a value that has no sense, by the variable's name. */
export function readEnvironment(variables: Variables = process.env): Environment {
  const text = (name: string): string | undefined => variables[name] || undefined
  const level = text('REDRIVE_LOG_LEVEL')?.toLowerCase() ?? 'info'
  if (!(LEVELS as readonly string[]).includes(level)) {
    throw new OptionsError(
      `redrive: the environment variable REDRIVE_LOG_LEVEL must be one of ${LEVELS.join(', ')}, not "${level}".`,
    )
  }
  return {
    deadLetterQueue: url('REDRIVE_DLQ_URL', text('REDRIVE_DLQ_URL')),
    table: text('REDRIVE_TABLE'),
    maxAge: seconds('REDRIVE_MAX_AGE', text('REDRIVE_MAX_AGE')),
    queueUrl: url('REDRIVE_QUEUE_URL', text('REDRIVE_QUEUE_URL')),
    partialBatch: text('REDRIVE_PARTIAL') === '1',
    logLevel: level as LogLevel,
    sqsEndpoint: text('AWS_ENDPOINT_URL_SQS') ?? text('AWS_ENDPOINT_URL'),
    maxConcurrency: Number(text('AWS_LAMBDA_MAX_CONCURRENCY') ?? 1),
  }
}

/** The X-Ray trace of the invocation that runs now. */
export const traceId = (): string | undefined => /Root=([^;]+)/.exec(process.env['_X_AMZN_TRACE_ID'] ?? '')?.[1]

function url(name: string, value: string | undefined): string | undefined {
  if (value === undefined || /^https?:\/\/[^/]+\/.+/.test(value)) return value
  throw new OptionsError(`redrive: the environment variable ${name} must be the URL of an SQS queue, not "${value}".`)
}

function seconds(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const number = Number(value)
  if (Number.isInteger(number) && number >= 1 && number <= 1_209_600) return number
  throw new OptionsError(
    `redrive: the environment variable ${name} must be a whole number of seconds from 1 to 1,209,600, not "${value}".`,
  )
}
