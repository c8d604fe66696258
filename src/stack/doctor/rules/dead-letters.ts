import { sameArn } from '../arn.ts'
import type { ConsumerFacts, QueueFacts } from '../facts.ts'
import type { Known } from '../known.ts'
import { andThen, seen } from '../known.ts'
import { LONGEST_RETENTION } from '../limits.ts'
import { pages } from '../pages.ts'
import { of, type Rule, rule, seconds } from '../rule.ts'

/** The dead-letter queue: there, of the right kind, and kept long enough. */
export const deadLetters: readonly Rule[] = [
  rule({
    id: 'dead-letters.none',
    severity: 'error',
    looksAt: 'queue: `RedrivePolicy`',
    otherwise:
      'Messages that no code reached (throttled, a function that dies at start) come again until the end of the retention, and are then deleted silently.',
    fix: 'Give the queue a RedrivePolicy to a dead-letter queue: the safety net, also where the consumer sends dead letters itself.',
    page: pages.deadLetters,
    because: 'F27, F54',
    where: ({ queue }) => `${queue.where}: RedrivePolicy`,
    needs: ({ queue }) => ({ redrive: queue.redrive }),
    wrong: ({ redrive }) => (redrive === undefined ? 'The queue has no redrive policy.' : undefined),
  }),
  rule({
    id: 'dead-letters.gone',
    severity: 'error',
    looksAt: 'queue: `RedrivePolicy.deadLetterTargetArn`; function: `REDRIVE_DLQ_URL`',
    otherwise:
      'Nothing can be moved or sent there: dead messages stay until the end of the retention, and are then deleted silently.',
    fix: 'Make the queue again, or name the right one.',
    page: pages.deadLetters,
    because: 'F36',
    where: ({ queue }) => `${queue.where}: RedrivePolicy.deadLetterTargetArn`,
    needs: ({ deadLetters, ownLetters }) => ({ moved: existsOf(deadLetters), sent: existsOf(ownLetters) }),
    wrong: ({ moved, sent }) =>
      moved && sent
        ? undefined
        : `The dead-letter queue ${moved ? 'that the consumer sends to' : 'of the redrive policy'} does not exist.`,
  }),
  rule({
    id: 'dead-letters.not-told',
    severity: 'warning',
    looksAt: "function: `REDRIVE_DLQ_URL`; the consumer's own `deadLetterQueue`",
    otherwise: 'A dead message stays a failure until maxReceiveCount is used up, and then has no evidence of why it died.',
    fix: "Set REDRIVE_DLQ_URL to the dead-letter queue's URL (the plugin does).",
    page: pages.deadLetters,
    because: 'F27, B09',
    where: whereEnvironment('REDRIVE_DLQ_URL'),
    needs: ({ ownLetters }) => ({ ownLetters }),
    wrong: ({ ownLetters }) => (ownLetters === undefined ? 'The consumer knows no dead-letter queue.' : undefined),
  }),
  rule({
    id: 'dead-letters.two-queues',
    severity: 'warning',
    looksAt: 'queue: `RedrivePolicy.deadLetterTargetArn`; function: `REDRIVE_DLQ_URL`',
    otherwise: 'What SQS moves and what the consumer sends lies in two places: alarm and replay look at one of them.',
    fix: 'Let both name the same queue.',
    page: pages.deadLetters,
    because: 'F40',
    where: whereEnvironment('REDRIVE_DLQ_URL'),
    needs: ({ deadLetters, ownLetters }) =>
      of(deadLetters, (moved) => of(ownLetters, (sent) => ({ moved: moved.arn, sent: sent.arn }))),
    wrong: ({ moved, sent }) => (sameArn(moved, sent) ? undefined : `SQS moves to ${moved}, the consumer sends to ${sent}.`),
  }),
  rule({
    id: 'dead-letters.itself',
    severity: 'error',
    looksAt: 'queue: `RedrivePolicy.deadLetterTargetArn`; function: `REDRIVE_DLQ_URL`',
    otherwise: 'A dead letter is received again as a new message, and dies again, for ever.',
    fix: 'Name another queue.',
    page: pages.deadLetters,
    because: 'F37',
    where: ({ queue }) => `${queue.where}: RedrivePolicy.deadLetterTargetArn`,
    needs: (consumer) => of(letters(consumer), ({ arn }) => ({ source: consumer.queue.arn, letters: arn })),
    wrong: ({ source, letters }) => (sameArn(source, letters) ? 'The queue is its own dead-letter queue.' : undefined),
  }),
  rule({
    id: 'dead-letters.wrong-type',
    severity: 'error',
    looksAt: 'queue and dead-letter queue: `FifoQueue`',
    otherwise:
      'SQS refuses the redrive policy, or the letter: the dead-letter queue of a FIFO queue is FIFO, that of a standard queue is standard.',
    fix: 'Make a dead-letter queue of the same type.',
    page: pages.deadLetters,
    because: 'F36',
    where: (consumer) => `${lettersWhere(consumer)}: FifoQueue`,
    needs: (consumer) => of(letters(consumer), ({ fifo }) => ({ source: consumer.queue.fifo, letters: fifo })),
    wrong: ({ source, letters }) =>
      source === letters ? undefined : `The queue is ${kind(source)}, its dead-letter queue is ${kind(letters)}.`,
  }),
  rule({
    id: 'dead-letters.kept-shorter',
    severity: 'error',
    looksAt: 'standard queue and dead-letter queue: `MessageRetentionPeriod`',
    otherwise:
      'SQS keeps the time of the first send when it moves a message: a letter that waited long is deleted as soon as it arrives.',
    fix: `Set the dead-letter queue's MessageRetentionPeriod to ${LONGEST_RETENTION} (14 days).`,
    page: pages.retention,
    because: 'F41, B17',
    where: (consumer) => `${lettersWhere(consumer)}: MessageRetentionPeriod`,
    needs: (consumer) =>
      of(letters(consumer), ({ retention }) => ({
        fifo: consumer.queue.fifo,
        source: consumer.queue.retention,
        letters: retention,
      })),
    wrong: ({ fifo, source, letters }) =>
      // Both at the longest can't be had better; maxAge then sees to it that a letter has time left.
      fifo || letters > source || letters >= LONGEST_RETENTION
        ? undefined
        : `The dead-letter queue keeps ${seconds(letters)}, the queue ${seconds(source)}; it must be more.`,
  }),
  rule({
    id: 'dead-letters.kept-short',
    severity: 'advice',
    looksAt: 'dead-letter queue: `MessageRetentionPeriod`',
    otherwise: 'Letters are deleted before somebody comes back from holidays.',
    fix: `Set MessageRetentionPeriod to ${LONGEST_RETENTION} (14 days), the most there is.`,
    page: pages.retention,
    because: 'F41, B17',
    where: (consumer) => `${lettersWhere(consumer)}: MessageRetentionPeriod`,
    needs: (consumer) => of(letters(consumer), ({ retention }) => ({ retention })),
    wrong: ({ retention }) => (retention < LONGEST_RETENTION ? `Letters are kept ${seconds(retention)}.` : undefined),
  }),
  rule({
    id: 'dead-letters.smaller-messages',
    severity: 'error',
    looksAt: 'queue and dead-letter queue: `MaximumMessageSize`',
    otherwise: 'A large message does not fit into the dead-letter queue: its letter is refused, again and again.',
    fix: "Set the dead-letter queue's MaximumMessageSize to the queue's, or leave it out (1 MiB).",
    page: pages.attributes,
    because: 'F1, F2',
    where: (consumer) => `${lettersWhere(consumer)}: MaximumMessageSize`,
    needs: (consumer) =>
      of(letters(consumer), ({ largestMessage }) => ({ source: consumer.queue.largestMessage, letters: largestMessage })),
    wrong: ({ source, letters }) =>
      letters < source ? `The dead-letter queue takes ${letters} bytes, the queue ${source}.` : undefined,
  }),
  rule({
    id: 'dead-letters.moved-on',
    severity: 'warning',
    looksAt: 'dead-letter queue: `RedrivePolicy`',
    otherwise: 'Looking at letters counts as receiving them: after a few looks SQS moves them away.',
    fix: 'Remove the RedrivePolicy of the dead-letter queue.',
    page: pages.deadLetters,
    because: 'F29',
    where: (consumer) => `${lettersWhere(consumer)}: RedrivePolicy`,
    needs: (consumer) => of(letters(consumer), ({ redrive }) => ({ redrive })),
    wrong: ({ redrive }) => (redrive === undefined ? undefined : 'The dead-letter queue has a redrive policy of its own.'),
  }),
  rule({
    id: 'dead-letters.not-allowed',
    severity: 'error',
    looksAt: 'dead-letter queue: `RedriveAllowPolicy`',
    otherwise: 'SQS refuses the redrive policy: the deployment fails.',
    fix: "Name the queue in the dead-letter queue's RedriveAllowPolicy (byQueue, sourceQueueArns), or allow all.",
    page: pages.deadLetters,
    because: 'F38',
    where: (consumer) => `${lettersWhere(consumer)}: RedriveAllowPolicy`,
    needs: ({ queue, deadLetters }) => of(deadLetters, ({ takesFrom }) => ({ takesFrom, source: queue.arn })),
    wrong: ({ takesFrom, source }) => {
      if (takesFrom === 'all') return undefined
      if (takesFrom === 'none') return 'The dead-letter queue takes from no queue.'
      return takesFrom.some((arn) => sameArn(arn, source)) ? undefined : 'The dead-letter queue does not take from this queue.'
    },
  }),
]

/** The queue that SQS moves to, else the one that the consumer sends to. */
export function letters({ deadLetters, ownLetters }: ConsumerFacts): Known<QueueFacts | undefined> {
  return andThen(deadLetters, (queue) => (queue === undefined ? ownLetters : seen(queue)))
}

export function lettersWhere(consumer: ConsumerFacts): string {
  const queue = letters(consumer)
  return queue.is === 'seen' && queue.value !== undefined ? queue.value.where : consumer.queue.where
}

export function whereEnvironment(name: string): (consumer: ConsumerFacts) => string {
  return (consumer) => `${consumer.function.where}: Environment.${name}`
}

const existsOf = (queue: Known<QueueFacts | undefined>): Known<boolean> => andThen(queue, (it) => it?.exists ?? seen(true))
const kind = (fifo: boolean): string => (fifo ? 'FIFO' : 'a standard queue')
