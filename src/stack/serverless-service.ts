/** What is read out of a serverless.yml. */
import type { ConsumerOptions, ServiceOptions, Value } from './options.ts'

/** A `redrive` event, checked. */
export interface RedriveEvent extends Omit<ConsumerOptions, 'logicalName' | 'queue' | 'deadLetterQueue' | 'functionTimeout'> {
  readonly queue: Value
  readonly deadLetterQueue?: Value
  readonly enabled?: boolean
  readonly filterPatterns?: readonly unknown[]
}

/** A function with a `redrive` event. */
export interface ServerlessConsumer {
  /** Its key under `functions`. */
  readonly functionName: string
  /** File without ending, and export: `src/orders.handler`. Functions from images have none. */
  readonly handler: string | undefined
  /** The provider's variables and the function's own: texts, numbers, intrinsic functions. */
  readonly environment: Readonly<Record<string, unknown>>
  /** The place of the event in the function's list. */
  readonly eventIndex: number
  readonly event: RedriveEvent
  /** The queue's name as far as the file tells it, else the logical id of its resource. */
  readonly queueName: string
  readonly options: ConsumerOptions
}

/** What a service has of redrive. */
export interface ServerlessService {
  readonly options: ServiceOptions
  readonly consumers: readonly ServerlessConsumer[]
}

/** A serverless.yml says something of redrive that makes no sense. Its message has the full path of the setting. */
export class ServerlessError extends Error {
  override readonly name = 'ServerlessError'
  /** The message without `redrive: `. */
  readonly fault: string

  constructor(fault: string) {
    super(`redrive: ${fault}`)
    this.fault = fault
  }
}

/** The place of a consumer's event, as faults name it. */
export const pathOf = ({ functionName, eventIndex }: Pick<ServerlessConsumer, 'functionName' | 'eventIndex'>): string =>
  `functions.${functionName}.events[${eventIndex}].redrive`
