import { seen } from '../known.ts'
import { OLDEST_NODE } from '../limits.ts'
import { pages } from '../pages.ts'
import { of, type Rule, rule } from '../rule.ts'

/** The function. */
export const theFunction: readonly Rule[] = [
  rule({
    id: 'function.reserved-without-maximum',
    severity: 'error',
    looksAt: 'function: `ReservedConcurrentExecutions`; mapping: `ScalingConfig.MaximumConcurrency`',
    otherwise:
      'More is received than can run: throttled receives count, and messages land in the dead-letter queue without having run, with no log line.',
    fix: 'Set MaximumConcurrency (2 to 1,000) on the mapping, at most the reserved concurrency; or remove the reservation.',
    page: pages.scaling,
    because: 'F63, B38',
    where: ({ mapping }) => `${mapping.where}: ScalingConfig.MaximumConcurrency`,
    needs: ({ mapping, function: { reservedConcurrency: reserved } }) =>
      reserved.is === 'seen' && reserved.value === undefined
        ? undefined
        : { reserved, maximum: mapping.maximumConcurrency, pollers: mapping.pollers },
    wrong: ({ reserved, maximum, pollers }) =>
      maximum === undefined && pollers === undefined
        ? `The function has a reserved concurrency of ${reserved}, and its mapping no maximum concurrency.`
        : undefined,
  }),
  rule({
    id: 'function.reserved-below-maximum',
    severity: 'error',
    looksAt:
      'function: `ReservedConcurrentExecutions`; all its mappings: `ScalingConfig.MaximumConcurrency`, `ProvisionedPollerConfig`',
    otherwise:
      'More is received than can run: throttled receives count, and messages land in the dead-letter queue without having run, with no log line.',
    fix: 'Raise the reserved concurrency to the sum of MaximumConcurrency (of 10 a provisioned poller) over all mappings of the function, or lower those.',
    page: pages.scaling,
    because: 'F63, F65, B38',
    where: ({ function: { where } }) => `${where}: ReservedConcurrentExecutions`,
    needs: ({ function: { reservedConcurrency: reserved, concurrencyOfMappings: most } }) =>
      reserved.is === 'seen' && reserved.value === undefined ? undefined : { reserved, most },
    wrong: ({ reserved, most }) =>
      reserved !== undefined && most !== undefined && reserved < most
        ? `The reserved concurrency of ${reserved} is below the ${most} that its mappings may run.`
        : undefined,
  }),
  rule({
    id: 'function.dead-letter-config',
    severity: 'warning',
    looksAt: 'function: `DeadLetterConfig`',
    otherwise:
      'It is for asynchronous invocations alone: nothing of an SQS consumer ever gets there, and somebody believes it does.',
    fix: 'Remove it; the dead-letter queue belongs to the queue, as its RedrivePolicy.',
    page: pages.configure,
    because: 'F54',
    where: ({ function: { where } }) => `${where}: DeadLetterConfig`,
    needs: ({ function: { deadLetterTarget } }) => ({ deadLetterTarget }),
    wrong: ({ deadLetterTarget }) =>
      deadLetterTarget === undefined ? undefined : 'The function has a DeadLetterConfig, which SQS events never use.',
  }),
  rule({
    id: 'function.old-runtime',
    severity: 'error',
    looksAt: 'function: `Runtime`',
    otherwise: 'redrive does not run there; AWS neither patches nor updates it any more.',
    fix: 'Use nodejs24.x (nodejs22.x at least).',
    page: pages.runtimes,
    because: 'F71, F75',
    where: ({ function: { where } }) => `${where}: Runtime`,
    needs: ({ function: { runtime } }) => ({ runtime }),
    wrong: ({ runtime = '' }) => {
      const node = /^nodejs(\d*)/.exec(runtime)
      return node && Number(node[1] || 0) < OLDEST_NODE ? `The runtime is ${runtime}.` : undefined
    },
  }),
  rule({
    id: 'function.several-at-a-time',
    severity: 'error',
    looksAt: 'function: `CapacityProviderConfig` (Managed Instances), `AWS_LAMBDA_MAX_CONCURRENCY`',
    otherwise: 'The consumer refuses to start: several invocations at a time in one process are not supported yet.',
    fix: 'Set PerExecutionEnvironmentMaxConcurrency to 1, or leave Managed Instances.',
    page: pages.managedInstances,
    because: 'F82',
    where: ({ function: { where } }) => `${where}: CapacityProviderConfig`,
    needs: ({ function: { invocationsAtATime } }) => ({ invocationsAtATime }),
    wrong: ({ invocationsAtATime }) =>
      invocationsAtATime > 1 ? `Up to ${invocationsAtATime} invocations run at a time in one process.` : undefined,
  }),
  rule({
    id: 'function.environment',
    severity: 'error',
    looksAt: 'function: `REDRIVE_MAX_AGE`, `REDRIVE_DLQ_URL`, `REDRIVE_QUEUE_URL`',
    otherwise: 'The consumer refuses to start: every message comes again until its receives are used up.',
    fix: 'REDRIVE_MAX_AGE is whole seconds from 1 to 1209600; the others are URLs of queues, not names or ARNs.',
    page: pages.environment,
    because: '3',
    where: ({ function: { where } }) => `${where}: Environment`,
    needs: ({ function: { environment } }) =>
      of(environment, (variables) => {
        const none = seen('')
        return {
          age: variables['REDRIVE_MAX_AGE'] ?? none,
          letters: variables['REDRIVE_DLQ_URL'] ?? none,
          queue: variables['REDRIVE_QUEUE_URL'] ?? none,
        }
      }),
    wrong: ({ age, letters, queue }) => {
      if (age !== '' && !(/^\d+$/.test(age) && Number(age) >= 1 && Number(age) <= 1_209_600))
        return `REDRIVE_MAX_AGE is '${age}'.`
      const url = Object.entries({ REDRIVE_DLQ_URL: letters, REDRIVE_QUEUE_URL: queue }).find(
        ([, value]) => value !== '' && !/^https?:\/\/[^/]+\/.+/.test(value),
      )
      return url && `${url[0]} is '${url[1]}', which is no URL.`
    },
  }),
]
