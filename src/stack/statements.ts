/** Permissions: the least that each one needs, and nothing on all resources. */
import { deadLetterQueueOf, queueOf, tableOf } from './names.ts'
import type { ConsumerOptions, ServiceOptions, Statement, Value } from './options.ts'

const allow = (Resource: readonly Value[], ...Action: readonly string[]): Statement => ({ Effect: 'Allow', Action, Resource })

/**
 * What Lambda's poller needs of the function's role (F55). The Serverless Framework and SAM add it to the roles that they make; a
 * role from elsewhere needs it too.
 */
export function pollStatementsFor(consumer: ConsumerOptions): readonly Statement[] {
  return [allow([queueOf(consumer).arn], 'sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes')]
}

/**
 * What redrive itself needs of the function's role: backoff, dead letters, the table, the key. Without the key's rights a
 * dead-letter send fails, and the message with it (B09).
 */
export function statementsFor(consumer: ConsumerOptions, service: ServiceOptions): readonly Statement[] {
  const table = tableOf(service)
  return [
    // The batch forms have no actions of their own (F16).
    allow([queueOf(consumer).arn], 'sqs:ChangeMessageVisibility'),
    allow([deadLetterQueueOf(consumer).arn], 'sqs:SendMessage'),
    // One conditional UpdateItem a write, GetItem where an answer was lost. The batched form will need
    // dynamodb:PartiQLUpdate and dynamodb:PartiQLInsert instead.
    ...(table === undefined ? [] : [allow([table.arn], 'dynamodb:UpdateItem', 'dynamodb:GetItem')]),
    ...keyStatements([consumer]),
  ]
}

/** What a person needs who lists dead letters and replays them: both ways on the dead-letter queue, sending on the queue. */
export function operatorStatements(consumers: readonly ConsumerOptions[], _service: ServiceOptions): readonly Statement[] {
  if (consumers.length === 0) return []
  return [
    allow(
      distinct(consumers.map((consumer) => deadLetterQueueOf(consumer).arn)),
      'sqs:GetQueueUrl',
      'sqs:GetQueueAttributes',
      'sqs:ListDeadLetterSourceQueues',
      'sqs:ReceiveMessage',
      'sqs:ChangeMessageVisibility',
      'sqs:DeleteMessage',
    ),
    allow(
      distinct(consumers.map((consumer) => queueOf(consumer).arn)),
      'sqs:GetQueueUrl',
      'sqs:GetQueueAttributes',
      'sqs:SendMessage',
    ),
    ...keyStatements(consumers),
  ]
}

/** Receiving takes Decrypt, sending takes both (F50). */
function keyStatements(consumers: readonly ConsumerOptions[]): readonly Statement[] {
  const keys = distinct(consumers.map(({ kmsKeyArn }) => kmsKeyArn).filter((key) => key !== undefined))
  return keys.length === 0 ? [] : [allow(keys, 'kms:Decrypt', 'kms:GenerateDataKey')]
}

function distinct(values: readonly Value[]): readonly Value[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()]
}
