import { pages } from '../pages.ts'
import { type Rule, rule, seconds } from '../rule.ts'
import { whereEnvironment } from './dead-letters.ts'

/** What the consumer says in its own code or its environment. */
export const options: readonly Rule[] = [
  rule({
    id: 'options.no-max-age',
    severity: 'warning',
    looksAt: "function: `REDRIVE_MAX_AGE`; the consumer's own `maxAge`",
    otherwise:
      'A message that waits is deleted silently by SQS when the retention ends, instead of going to the dead-letter queue.',
    fix: 'Set REDRIVE_MAX_AGE to the retention less a day (the plugin does).',
    page: pages.retention,
    because: 'F8, 4.4',
    where: whereEnvironment('REDRIVE_MAX_AGE'),
    needs: ({ maxAge }) => ({ maxAge }),
    wrong: ({ maxAge }) => (maxAge === undefined ? 'The consumer has no maxAge.' : undefined),
  }),
  rule({
    id: 'options.max-age-past-retention',
    severity: 'error',
    looksAt: "function: `REDRIVE_MAX_AGE`; the consumer's own `maxAge`; queue: `MessageRetentionPeriod`",
    otherwise: 'SQS deletes the message silently before it is too old for redrive: it never reaches the dead-letter queue.',
    fix: 'Set maxAge to the retention less a day, or half of the retention if that is under two days.',
    page: pages.retention,
    because: 'F8, 4.4',
    where: whereEnvironment('REDRIVE_MAX_AGE'),
    needs: ({ maxAge, queue }) =>
      maxAge.is === 'seen' && maxAge.value === undefined ? undefined : { maxAge, retention: queue.retention },
    wrong: ({ maxAge = 0, retention }) =>
      maxAge >= retention ? `maxAge is ${seconds(maxAge)}, the retention ${seconds(retention)}.` : undefined,
  }),
]
