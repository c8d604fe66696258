import type { ConsumerFacts, QueueFacts, RoleFacts } from '../facts.ts'
import { andThen, type Known, notSeen, seen } from '../known.ts'
import { pages } from '../pages.ts'
import { missing } from '../permissions.ts'
import { of, type Rule, rule } from '../rule.ts'

const RECEIVE = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes']
const where = ({ role }: ConsumerFacts): string => role.where
const said = ({ lacking }: { readonly lacking: readonly string[] }): string | undefined =>
  lacking.length > 0 ? `The function's role lacks ${lacking.join(', ')}.` : undefined

/** What the function's role may do. */
export const role: readonly Rule[] = [
  rule({
    id: 'role.receive',
    severity: 'error',
    looksAt: 'role: `sqs:ReceiveMessage`, `sqs:DeleteMessage`, `sqs:GetQueueAttributes` on the queue',
    otherwise: 'Lambda refuses the mapping, or can no longer read the queue.',
    fix: 'Allow the three actions on the queue.',
    page: pages.permissions,
    because: 'F55, F110',
    where,
    needs: ({ role, queue }) => ({ lacking: lackingOn(role, queue, RECEIVE) }),
    wrong: (values) => said(values),
  }),
  rule({
    id: 'role.visibility',
    severity: 'error',
    looksAt: 'role: `sqs:ChangeMessageVisibility` on the queue',
    otherwise: 'No backoff: a failed message comes again only after the full visibility timeout, whatever its error asked for.',
    fix: 'Allow sqs:ChangeMessageVisibility on the queue (the framework does not grant it by itself).',
    page: pages.permissions,
    because: 'F55, F110',
    where,
    needs: ({ role, queue }) => ({ lacking: lackingOn(role, queue, ['sqs:ChangeMessageVisibility']) }),
    wrong: (values) => said(values),
  }),
  rule({
    id: 'role.send',
    severity: 'error',
    looksAt: 'role: `sqs:SendMessage` on the dead-letter queue',
    otherwise: 'Dead letters are refused: dead messages stay failures until SQS moves them, without evidence.',
    fix: 'Allow sqs:SendMessage on the dead-letter queue.',
    page: pages.permissions,
    because: 'F55, B09',
    where,
    needs: ({ role, ownLetters }) => of(ownLetters, (queue) => ({ lacking: lackingOn(role, queue, ['sqs:SendMessage']) })),
    wrong: (values) => said(values),
  }),
  rule({
    id: 'role.table',
    severity: 'error',
    looksAt: 'role: `dynamodb:GetItem`, `dynamodb:UpdateItem` on the table',
    otherwise: 'Nothing runs: every message is deferred until its age or its receives end it.',
    fix: 'Allow dynamodb:GetItem and dynamodb:UpdateItem on the table.',
    page: pages.tablePermissions,
    because: '4.10',
    where,
    needs: ({ role, table }) =>
      of(table, ({ arn }) => ({
        lacking: andThen(arn, (resource) => missing(role, ['dynamodb:GetItem', 'dynamodb:UpdateItem'], resource)),
      })),
    wrong: (values) => said(values),
  }),
  rule({
    id: 'role.queue-key',
    severity: 'error',
    looksAt: "role: `kms:Decrypt` on the queue's key",
    otherwise: 'Lambda can not read the encrypted queue.',
    fix: "Allow kms:Decrypt on the queue's key.",
    page: pages.keys,
    because: 'F50, F55',
    where,
    needs: ({ role, queue }) => of(queue.key, (key) => ({ lacking: lackingOnKey(role, key, ['kms:Decrypt']) })),
    wrong: (values) => said(values),
  }),
  rule({
    id: 'role.letters-key',
    severity: 'error',
    looksAt: "role: `kms:GenerateDataKey`, `kms:Decrypt` on the dead-letter queue's key",
    otherwise: 'Dead letters are refused: dead messages stay failures until SQS moves them, without evidence.',
    fix: "Allow kms:GenerateDataKey and kms:Decrypt on the dead-letter queue's key.",
    page: pages.keys,
    because: 'F50, B09',
    where,
    needs: ({ role, ownLetters }) =>
      of(ownLetters, (queue) =>
        of(queue.key, (key) => ({ lacking: lackingOnKey(role, key, ['kms:GenerateDataKey', 'kms:Decrypt']) })),
      ),
    wrong: (values) => said(values),
  }),
]

/** A queue's own policy may allow what the role does not; which of the two it is for, only AWS can tell. */
function lackingOn(of: RoleFacts, queue: QueueFacts, actions: readonly string[]): Known<readonly string[]> {
  const lacking = andThen(queue.arn, (arn) => missing(of, actions, arn))
  if (lacking.is === 'not seen' || lacking.value.length === 0) return lacking
  return andThen(queue.hasPolicy, (has) =>
    has ? notSeen(`${queue.where} has a policy of its own, which may allow what the role does not`) : seen(lacking.value),
  )
}

/** A policy names a key by its ARN: an alias or a bare id says nothing of that. */
function lackingOnKey(of: RoleFacts, key: string, actions: readonly string[]): Known<readonly string[]> {
  const lacking = missing(of, actions, key)
  if (key.startsWith('arn:') && !key.includes(':alias/')) return lacking
  const anyKey = missing(of, actions, `arn:<partition>:kms:<region>:<account>:key/${key.replace(/^.*\//, '')}`)
  return anyKey.is === 'seen' && anyKey.value.length === 0
    ? anyKey
    : key.includes('alias/')
      ? notSeen(`which key ${key} stands for`)
      : anyKey
}
