import { pages } from '../pages.ts'
import { type Rule, rule } from '../rule.ts'

/** The event source mapping. */
export const mapping: readonly Rule[] = [
  rule({
    id: 'mapping.no-partial-batch',
    severity: 'error',
    looksAt: 'mapping: `FunctionResponseTypes`',
    otherwise: 'SQS deletes every failed message: Lambda reads any answer as "all done".',
    fix: 'Set FunctionResponseTypes: [ReportBatchItemFailures] (functionResponseType in serverless.yml).',
    page: pages.errorHandling,
    because: 'F56',
    where: ({ mapping }) => `${mapping.where}: FunctionResponseTypes`,
    needs: ({ mapping }) => ({ reports: mapping.reportsFailures }),
    wrong: ({ reports }) => (reports ? undefined : 'The mapping does not have ReportBatchItemFailures.'),
  }),
  rule({
    id: 'mapping.filters-delete',
    severity: 'warning',
    looksAt: 'mapping: `FilterCriteria`',
    otherwise: 'Lambda deletes each message that no filter matches: no log line, no dead letter.',
    fix: 'Leave FilterCriteria out and decide in the handler, or filter before the queue (SNS, EventBridge).',
    page: pages.filtering,
    because: 'F66',
    where: ({ mapping }) => `${mapping.where}: FilterCriteria`,
    needs: ({ mapping }) => ({ filters: mapping.filters }),
    wrong: ({ filters }) =>
      filters > 0
        ? `The mapping has ${filters} filter${filters > 1 ? 's' : ''}; what none of them matches is deleted.`
        : undefined,
  }),
  rule({
    id: 'mapping.batch-size',
    severity: 'error',
    looksAt: 'mapping: `BatchSize`, `MaximumBatchingWindowInSeconds`',
    otherwise: 'Lambda refuses the mapping: the deployment fails.',
    fix: 'BatchSize 1 to 10,000, and MaximumBatchingWindowInSeconds 1 to 300 where it is above 10.',
    page: pages.parameters,
    because: 'F51',
    where: ({ mapping }) => `${mapping.where}: BatchSize`,
    needs: ({ mapping, queue }) => ({ size: mapping.batchSize, window: mapping.window, fifo: queue.fifo }),
    wrong: ({ size, window, fifo }) => {
      if (fifo) return undefined
      if (size < 1 || size > 10_000) return `A batch size of ${size} is out of limits.`
      if (window < 0 || window > 300) return `A batching window of ${window} s is out of limits.`
      return size > 10 && window < 1 ? `A batch size of ${size} needs a batching window.` : undefined
    },
  }),
  rule({
    id: 'mapping.fifo-batch',
    severity: 'error',
    looksAt: 'mapping of a FIFO queue: `BatchSize`, `MaximumBatchingWindowInSeconds`',
    otherwise: 'Lambda refuses the mapping: the deployment fails.',
    fix: 'On FIFO: BatchSize 1 to 10, and no MaximumBatchingWindowInSeconds.',
    page: pages.parameters,
    because: 'F51',
    where: ({ mapping }) => `${mapping.where}: BatchSize`,
    needs: ({ mapping, queue }) => ({ size: mapping.batchSize, window: mapping.window, fifo: queue.fifo }),
    wrong: ({ size, window, fifo }) => {
      if (!fifo) return undefined
      if (size < 1 || size > 10) return `A batch size of ${size} is out of a FIFO queue's limits.`
      return window !== 0 ? `A FIFO queue takes no batching window (${window} s).` : undefined
    },
  }),
  rule({
    id: 'mapping.concurrency-and-pollers',
    severity: 'error',
    looksAt: 'mapping: `ScalingConfig`, `ProvisionedPollerConfig`',
    otherwise: 'Lambda refuses the mapping: the deployment fails.',
    fix: 'Keep one of the two.',
    page: pages.scaling,
    because: 'F65',
    where: ({ mapping }) => `${mapping.where}: ProvisionedPollerConfig`,
    needs: ({ mapping }) => ({ maximum: mapping.maximumConcurrency, pollers: mapping.pollers }),
    wrong: ({ maximum, pollers }) =>
      maximum !== undefined && pollers !== undefined
        ? 'MaximumConcurrency and provisioned pollers exclude each other.'
        : undefined,
  }),
  rule({
    id: 'mapping.switched-off',
    severity: 'warning',
    looksAt: 'mapping: `Enabled`',
    otherwise: 'Nothing is received: messages wait until the end of the retention, and are then deleted silently.',
    fix: 'Set Enabled: true, or remove the mapping.',
    page: pages.configure,
    because: '4.4',
    where: ({ mapping }) => `${mapping.where}: Enabled`,
    needs: ({ mapping }) => ({ enabled: mapping.enabled }),
    wrong: ({ enabled }) => (enabled ? undefined : 'The mapping is switched off.'),
  }),
]
