import type { ConsumerFacts } from '../facts.ts'
import { andThen, seen } from '../known.ts'
import { TABLE_KEY, TTL_ATTRIBUTE } from '../limits.ts'
import { pages } from '../pages.ts'
import { of, type Rule, rule } from '../rule.ts'
import { whereEnvironment } from './dead-letters.ts'

/** The table of idempotency records. */
export const table: readonly Rule[] = [
  rule({
    id: 'table.none',
    severity: 'advice',
    looksAt: "function: `REDRIVE_TABLE`; the consumer's own `store`",
    otherwise: 'What SQS delivers twice runs twice, and receives stand for attempts: throttling uses tries up.',
    fix: 'Set REDRIVE_TABLE to a table (the plugin makes one), or the option store.',
    page: pages.configure,
    because: '4.4, F18',
    where: whereEnvironment('REDRIVE_TABLE'),
    needs: ({ options, table }) =>
      options.is === 'seen'
        ? {
            none:
              options.value.store === 'environment'
                ? andThen(table, (it) => seen(it === undefined))
                : seen(options.value.store === 'none'),
          }
        : { none: table.is === 'seen' && table.value === undefined ? options : seen(false) },
    wrong: ({ none }) => (none ? 'The consumer has no idempotency store.' : undefined),
  }),
  rule({
    id: 'table.gone',
    severity: 'error',
    looksAt: 'function: `REDRIVE_TABLE`',
    otherwise: 'Nothing runs: every message is deferred until its age or its receives end it.',
    fix: 'Make the table (key id, a string; TTL on expiresAt), or name the right one.',
    page: pages.tableKeys,
    because: '4.10',
    where: whereEnvironment('REDRIVE_TABLE'),
    needs: ({ table }) => of(table, ({ exists }) => ({ exists })),
    wrong: ({ exists }) => (exists ? undefined : 'The table does not exist.'),
  }),
  rule({
    id: 'table.wrong-key',
    severity: 'error',
    looksAt: 'table: `KeySchema`, `AttributeDefinitions`',
    otherwise: 'DynamoDB refuses every record: nothing runs, every message is deferred.',
    fix: 'The partition key is id, a string; there is no sort key.',
    page: pages.tableKeys,
    because: '4.6',
    where: (consumer) => `${tableWhere(consumer)}: KeySchema`,
    needs: ({ table }) => of(table, ({ key }) => ({ key })),
    wrong: ({ key }) => (key.join() === TABLE_KEY.join() ? undefined : `The key is ${key.join(', ') || 'missing'}.`),
  }),
  rule({
    id: 'table.no-ttl',
    severity: 'warning',
    looksAt: 'table: `TimeToLiveSpecification`',
    otherwise: 'Records are never deleted: the table, and what it costs, only grows.',
    fix: `Switch Time to Live on for the attribute ${TTL_ATTRIBUTE}.`,
    page: pages.ttl,
    because: 'F87',
    where: (consumer) => `${tableWhere(consumer)}: TimeToLiveSpecification`,
    needs: ({ table }) => of(table, ({ ttlAttribute }) => ({ ttlAttribute })),
    wrong: ({ ttlAttribute }) => {
      if (ttlAttribute === undefined) return 'The table has no Time to Live.'
      return ttlAttribute === TTL_ATTRIBUTE
        ? undefined
        : `Time to Live looks at ${ttlAttribute}, records end with ${TTL_ATTRIBUTE}.`
    },
  }),
]

function tableWhere({ table, function: { where } }: ConsumerFacts): string {
  return table.is === 'seen' && table.value !== undefined ? table.value.where : where
}
