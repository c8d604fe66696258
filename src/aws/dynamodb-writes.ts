/** The three writes of the idempotency store as UpdateItem expressions. What they mean is in `flow/lease.ts`. */
import type { AttributeValue, UpdateItemCommandInput } from '@aws-sdk/client-dynamodb'
import { ended, endsFrom, fresh } from '../flow/lease.ts'
import type { BeginRequest, EndRequest } from '../flow/ports.ts'
import type { LeaseRecord } from '../flow/record.ts'
import { attributesOf, type Item, nameOf } from './dynamodb-item.ts'

/** A conditional write of one item, before the table's name is put in. */
export interface ConditionalWrite {
  readonly id: string
  readonly expressions: Pick<
    UpdateItemCommandInput,
    'UpdateExpression' | 'ConditionExpression' | 'ExpressionAttributeValues' | 'ReturnValues'
  >
}

// What a first write adds one to, and what it leaves as it is. All else it sets.
const counted: ReadonlySet<keyof LeaseRecord> = new Set(['attempts', 'open'])
const kept: ReadonlySet<keyof LeaseRecord> = new Set(['retryable', 'unknown', 'history', 'steps'])

/** Takes a key that is free by what a condition can tell. */
export function firstWrite(request: BeginRequest): ConditionalWrite {
  const { id, ...begun } = fresh(request)
  const sets = attributesOf(begun).map(([field]) => {
    const name = nameOf(field)
    if (counted.has(field)) return `${name} = if_not_exists(${name}, :zero) + :${name}`
    return kept.has(field) ? `${name} = if_not_exists(${name}, :${name})` : `${name} = :${name}`
  })
  return {
    id,
    expressions: {
      UpdateExpression: `SET ${sets.join(', ')}`,
      // `run <> :run`: a lease may be over as it begins (0 ms left); our own write, sent again, is not another attempt even then.
      ConditionExpression:
        'attribute_not_exists(id) OR (freeAt <= :now AND expiresAt > :nowSeconds AND fingerprint = :fingerprint AND run <> :run)',
      ExpressionAttributeValues: {
        ...values(begun),
        ':zero': { N: '0' },
        ':now': { N: String(request.now) },
        ':nowSeconds': { N: String(Math.floor(request.now / 1000)) },
      },
      ReturnValues: 'ALL_NEW',
    },
  }
}

/** Takes the record over if it is still as seen. What stays as it was is not sent: a step stored since then is not undone. */
export function takeOverWrite(seen: LeaseRecord, taken: LeaseRecord): ConditionalWrite {
  const { id, ...record } = taken
  const fields = Object.keys(record) as (keyof typeof record)[]
  const changes = Object.fromEntries(
    fields.filter((field) => record[field] !== seen[field]).map((field) => [field, record[field]]),
  )
  const { run, state, freeAt, open, attempts } = seen
  return conditional(id, changes, { run, state, freeAt, open, attempts }, 'ALL_NEW')
}

/** The owner's write at the end of its run. */
export function endWrite(request: EndRequest): ConditionalWrite {
  const { id, run } = request.record
  return conditional(id, ended(request), { run, state: endsFrom(request.to) }, 'NONE')
}

function conditional(
  id: string,
  changes: Partial<LeaseRecord>,
  seen: Partial<LeaseRecord>,
  ReturnValues: 'ALL_NEW' | 'NONE',
): ConditionalWrite {
  return {
    id,
    expressions: {
      UpdateExpression: `SET ${equals(changes, '').join(', ')}`,
      ConditionExpression: equals(seen, 'seen_').join(' AND '),
      ExpressionAttributeValues: { ...values(changes), ...values(seen, 'seen_') },
      ReturnValues,
    },
  }
}

function equals(part: Partial<LeaseRecord>, prefix: string): string[] {
  return attributesOf(part).map(([field]) => `${nameOf(field)} = :${prefix}${nameOf(field)}`)
}

function values(part: Partial<LeaseRecord>, prefix = ''): Item {
  return Object.fromEntries(
    attributesOf(part).map(([field, attribute]): [string, AttributeValue] => [`:${prefix}${nameOf(field)}`, attribute]),
  )
}
