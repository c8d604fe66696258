/** What the function gets: its event source mapping and its environment. */
import { batchWindowOf, maxAgeOf } from './limits.ts'
import { deadLetterQueueOf, queueOf, tableOf } from './names.ts'
import type { ConsumerOptions, ServiceOptions, Value } from './options.ts'

/** Properties of an `AWS::Lambda::EventSourceMapping`. */
export interface MappingProperties {
  readonly EventSourceArn: Value
  readonly FunctionName?: Value
  readonly BatchSize: number
  readonly MaximumBatchingWindowInSeconds?: number
  readonly FunctionResponseTypes: readonly ['ReportBatchItemFailures']
  readonly ScalingConfig?: { readonly MaximumConcurrency: number }
  readonly ProvisionedPollerConfig?: { readonly MinimumPollers?: number; readonly MaximumPollers?: number }
}

/** The event source mapping. Without `ReportBatchItemFailures` SQS would delete what failed (F56). */
export function mappingFor(consumer: ConsumerOptions): MappingProperties {
  const { functionName, batchSize = 10, maximumConcurrency, provisionedPollers } = consumer
  const window = batchWindowOf(consumer)
  return {
    EventSourceArn: queueOf(consumer).arn,
    ...(functionName !== undefined && { FunctionName: functionName }),
    BatchSize: batchSize,
    ...(window > 0 && { MaximumBatchingWindowInSeconds: window }),
    FunctionResponseTypes: ['ReportBatchItemFailures'],
    ...(maximumConcurrency !== undefined && { ScalingConfig: { MaximumConcurrency: maximumConcurrency } }),
    ...(provisionedPollers !== undefined && { ProvisionedPollerConfig: pollers(provisionedPollers) }),
  }
}

function pollers({ minimum, maximum }: NonNullable<ConsumerOptions['provisionedPollers']>) {
  return {
    ...(minimum !== undefined && { MinimumPollers: minimum }),
    ...(maximum !== undefined && { MaximumPollers: maximum }),
  }
}

/** The function's environment: what `src/environment.ts` reads. */
export function environmentFor(consumer: ConsumerOptions, service: ServiceOptions): Readonly<Record<string, Value>> {
  const table = tableOf(service)
  const maxAge = maxAgeOf(consumer, service)
  const queue = queueOf(consumer)
  return {
    // The URL of one's own queue is made from the event (DESIGN 3): that holds for several queues into one function too.
    ...(queue.logicalId !== undefined && { REDRIVE_QUEUE_URL: queue.url }),
    REDRIVE_DLQ_URL: deadLetterQueueOf(consumer).url,
    ...(table !== undefined && { REDRIVE_TABLE: table.name }),
    ...(maxAge !== undefined && { REDRIVE_MAX_AGE: String(maxAge) }),
    REDRIVE_PARTIAL: '1',
  }
}
