import type { OwnOptions } from '../facts.ts'
import { type Known, seen } from '../known.ts'
import { DEFAULT_ATTEMPTS, LEAST_RECEIVES, MOST_RECEIVES, VISIBILITY_FACTOR } from '../limits.ts'
import { pages } from '../pages.ts'
import { of, type Rule, rule, seconds } from '../rule.ts'

/** The source queue: how long a message is hidden, how often it comes. */
export const queue: readonly Rule[] = [
  rule({
    id: 'queue.visibility-below-timeout',
    severity: 'error',
    looksAt: 'queue: `VisibilityTimeout`; function: `Timeout`',
    otherwise:
      'A message comes again while it is still being handled. Lambda refuses such a mapping when it is made, and does not look again when the timeout is raised.',
    fix: `Set VisibilityTimeout to ${VISIBILITY_FACTOR} × the function's timeout plus the batching window.`,
    page: pages.configure,
    because: 'F53, B41',
    where: ({ queue }) => `${queue.where}: VisibilityTimeout`,
    needs: ({ queue, function: { timeout } }) => ({ visibility: queue.visibilityTimeout, timeout }),
    wrong: ({ visibility, timeout }) =>
      visibility < timeout
        ? `The visibility timeout of ${visibility} s is below the function's timeout of ${timeout} s.`
        : undefined,
  }),
  rule({
    id: 'queue.visibility-short',
    severity: 'warning',
    looksAt: 'queue: `VisibilityTimeout`; function: `Timeout`; mapping: `MaximumBatchingWindowInSeconds`',
    otherwise:
      'When Lambda is throttled it holds messages and tries again; they come back meanwhile, and each time counts as a receive.',
    fix: `Set VisibilityTimeout to ${VISIBILITY_FACTOR} × the function's timeout plus the batching window.`,
    page: pages.configure,
    because: 'F53, F63, B38',
    where: ({ queue }) => `${queue.where}: VisibilityTimeout`,
    needs: ({ queue, function: { timeout }, mapping: { window } }) => ({ visibility: queue.visibilityTimeout, timeout, window }),
    wrong: ({ visibility, timeout, window }) => {
      // 12 hours are the most that SQS takes.
      const least = Math.min(VISIBILITY_FACTOR * timeout + window, 43_200)
      if (visibility < timeout || visibility >= least) return undefined
      return `The visibility timeout of ${visibility} s is below ${VISIBILITY_FACTOR} × ${timeout} s + ${window} s = ${least} s.`
    },
  }),
  rule({
    id: 'queue.few-receives',
    severity: 'error',
    looksAt: 'queue: `RedrivePolicy.maxReceiveCount`',
    otherwise: 'Throttled invocations use receives up: messages that never ran land in the dead-letter queue, with no log line.',
    fix: `Set maxReceiveCount to ${MOST_RECEIVES} with an idempotency table, 3 × maxAttempts (${3 * DEFAULT_ATTEMPTS}) without; never below ${LEAST_RECEIVES}.`,
    page: pages.configure,
    because: 'F54, F63, B38',
    where: ({ queue }) => `${queue.where}: RedrivePolicy.maxReceiveCount`,
    needs: ({ queue }) => of(queue.redrive, ({ maxReceiveCount }) => ({ receives: maxReceiveCount })),
    wrong: ({ receives }) => (receives < LEAST_RECEIVES ? `maxReceiveCount is ${receives}.` : undefined),
  }),
  rule({
    id: 'queue.receives-below-attempts',
    severity: 'warning',
    looksAt: "queue: `RedrivePolicy.maxReceiveCount`; the consumer's own `maxAttempts`",
    otherwise:
      'SQS moves a message before redrive has used its attempts up: a dead letter without evidence, in an outage every message.',
    fix: `Set maxReceiveCount to ${MOST_RECEIVES} with an idempotency table, 3 × maxAttempts (${3 * DEFAULT_ATTEMPTS}) without.`,
    page: pages.deadLetters,
    because: 'F18, F69, 4.4',
    where: ({ queue }) => `${queue.where}: RedrivePolicy.maxReceiveCount`,
    needs: ({ queue, options }) =>
      of(queue.redrive, ({ maxReceiveCount: receives }) => {
        if (receives.is === 'seen' && receives.value < LEAST_RECEIVES) return undefined
        return { receives, attempts: attemptsOf(options, receives) }
      }),
    wrong: ({ receives, attempts }) =>
      receives <= attempts && receives < MOST_RECEIVES
        ? `maxReceiveCount is ${receives}, and the consumer tries ${attempts} times.`
        : undefined,
  }),
  rule({
    id: 'queue.receives-outlive-retention',
    severity: 'warning',
    looksAt: 'queue: `RedrivePolicy.maxReceiveCount` × `VisibilityTimeout`, `MessageRetentionPeriod`, where there is no `maxAge`',
    otherwise: 'SQS deletes a message silently at the end of the retention, before it was received often enough to be moved.',
    fix: 'Set REDRIVE_MAX_AGE (or the option maxAge) below the retention, or lower maxReceiveCount or the visibility timeout.',
    page: pages.retention,
    because: 'F8, 4.4',
    where: ({ queue }) => `${queue.where}: RedrivePolicy.maxReceiveCount`,
    needs: ({ queue, maxAge }) =>
      of(queue.redrive, ({ maxReceiveCount: receives }) => {
        if (maxAge.is === 'seen' && maxAge.value !== undefined) return undefined
        return { maxAge, receives, visibility: queue.visibilityTimeout, retention: queue.retention }
      }),
    wrong: ({ receives, visibility, retention }) =>
      receives * visibility >= retention
        ? `${receives} receives of ${visibility} s take longer than the retention of ${seconds(retention)}.`
        : undefined,
  }),
  rule({
    id: 'queue.fifo-name',
    severity: 'error',
    looksAt: 'queue: `FifoQueue`, `QueueName`',
    otherwise: 'SQS refuses the queue: the deployment fails.',
    fix: 'A FIFO queue has FifoQueue: true, and a name that ends with .fifo; another queue neither.',
    page: pages.attributes,
    because: 'F12',
    where: ({ queue }) => `${queue.where}: FifoQueue`,
    needs: ({ queue }) => ({ fifo: queue.fifo, name: queue.fifoName }),
    wrong: ({ fifo, name }) =>
      fifo === name
        ? undefined
        : fifo
          ? "The FIFO queue's name does not end with .fifo."
          : 'The name ends with .fifo, and FifoQueue is not set.',
  }),
]

/** Where the consumer can't be asked: at 12 or below it is wrong by the default, and the most there is can't be more; between, only it knows. */
function attemptsOf(options: Known<OwnOptions>, receives: Known<number>): Known<number> {
  if (options.is === 'seen') return seen(options.value.maxAttempts)
  const isPlain = receives.is === 'seen' && (receives.value <= DEFAULT_ATTEMPTS || receives.value >= MOST_RECEIVES)
  return isPlain ? seen(DEFAULT_ATTEMPTS) : options
}
