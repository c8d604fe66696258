import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readEnvironment } from '../../src/environment.ts'
import { environmentFor } from '../../src/stack/mapping.ts'
import type { ConsumerOptions, ServiceOptions } from '../../src/stack/options.ts'
import { operatorStatements, pollStatementsFor, statementsFor } from '../../src/stack/statements.ts'
import { templateFor } from '../../src/stack/template.ts'
import { ACCOUNT, deployed } from './deployed.ts'
import { ledger, orders, shop } from './options.ts'

const kmsKeyArn = 'arn:aws:kms:eu-central-1:111122223333:key/k-1'
const sqs = (name: string) => `arn:aws:sqs:eu-central-1:${ACCOUNT}:${name}`

/** Each action with what it is allowed on, as deployed. */
function rights(of: 'function' | 'poller' | 'operator', consumer: ConsumerOptions, service: ServiceOptions = shop): string[] {
  const { Resources } = templateFor(service, [consumer])
  const statements = {
    function: () => statementsFor(consumer, service),
    poller: () => pollStatementsFor(consumer),
    operator: () => operatorStatements([consumer], service),
  }[of]()
  return deployed(statements, Resources).flatMap(({ Action, Resource }) =>
    Action.map((action) => `${action} ${Resource.join(' ')}`),
  )
}

describe('the function’s role', () => {
  it('needs four rights of redrive’s own', () => {
    assert.deepEqual(rights('function', orders), [
      `sqs:ChangeMessageVisibility ${sqs('orders')}`,
      `sqs:SendMessage ${sqs('orders-dlq')}`,
      `dynamodb:UpdateItem arn:aws:dynamodb:eu-central-1:${ACCOUNT}:table/stack-RedriveTable`,
      `dynamodb:GetItem arn:aws:dynamodb:eu-central-1:${ACCOUNT}:table/stack-RedriveTable`,
    ])
  })

  it('needs two of them without a table', () => assert.equal(rights('function', orders, { ...shop, table: false }).length, 2))

  it('needs both rights on the key, or no letter gets into the dead-letter queue (B09)', () => {
    assert.deepEqual(rights('function', { ...orders, kmsKeyArn }).slice(-2), [
      `kms:Decrypt ${kmsKeyArn}`,
      `kms:GenerateDataKey ${kmsKeyArn}`,
    ])
  })

  it('needs three more for the poller, which frameworks add', () => {
    assert.deepEqual(rights('poller', orders), [
      `sqs:ReceiveMessage ${sqs('orders')}`,
      `sqs:DeleteMessage ${sqs('orders')}`,
      `sqs:GetQueueAttributes ${sqs('orders')}`,
    ])
  })
})

describe('the operator', () => {
  it('reads and empties the dead-letter queue, and sends to the queue, and nothing else', () => {
    const all = rights('operator', orders)
    assert.deepEqual(
      all.filter((right) => right.endsWith(sqs('orders'))).map((right) => right.split(' ')[0]),
      ['sqs:GetQueueUrl', 'sqs:GetQueueAttributes', 'sqs:SendMessage'],
    )
    assert.ok(all.includes(`sqs:DeleteMessage ${sqs('orders-dlq')}`))
    assert.equal(
      all.some((right) => /purge|dynamodb|\*/i.test(right)),
      false,
    )
  })

  it('of several consumers has one statement a kind, and a shared key once', () => {
    const statements = operatorStatements(
      [
        { ...orders, kmsKeyArn },
        { ...ledger, kmsKeyArn },
      ],
      shop,
    )
    assert.deepEqual(
      statements.map(({ Resource }) => Resource.length),
      [2, 2, 1],
    )
    assert.deepEqual(operatorStatements([], shop), [])
  })
})

describe('the environment', () => {
  const variables = (consumer: ConsumerOptions, service: ServiceOptions = shop) => {
    const { Resources } = templateFor(service, [consumer])
    return deployed(environmentFor(consumer, service), Resources) as Record<string, string>
  }

  it('is what the runtime reads', () => {
    const { queueUrl, deadLetterQueue, table, maxAge, partialBatch } = readEnvironment(variables(orders))
    assert.deepEqual(
      { queueUrl, deadLetterQueue, table, maxAge, partialBatch },
      {
        queueUrl: `https://sqs.eu-central-1.amazonaws.com/${ACCOUNT}/orders`,
        deadLetterQueue: `https://sqs.eu-central-1.amazonaws.com/${ACCOUNT}/orders-dlq`,
        table: 'stack-RedriveTable',
        maxAge: 259_200,
        partialBatch: true,
      },
    )
  })

  for (const [retention, maxAge] of [
    [1_209_600, 1_123_200],
    [172_800, 86_400],
    [172_799, 86_399],
    [60, 30],
  ] as const) {
    it(`lets a message of a queue with ${retention} s of retention wait ${maxAge} s`, () =>
      assert.equal(variables(orders, { ...shop, retention })['REDRIVE_MAX_AGE'], String(maxAge)))
  }

  it('has the URL of a dead-letter queue that is given by a literal, a resource or an import', () => {
    const url = `https://sqs.eu-west-1.amazonaws.com/${ACCOUNT}/mine-dead`
    const literal = `arn:aws:sqs:eu-west-1:${ACCOUNT}:mine-dead`
    for (const arn of [literal, { 'Fn::Join': [':', ['arn:aws:sqs:eu-west-1', ACCOUNT, 'mine-dead']] }]) {
      const consumer = { ...orders, queue: { arn: sqs('mine') }, deadLetterQueue: { arn } }
      assert.equal(variables(consumer)['REDRIVE_DLQ_URL'], url)
    }
    const { REDRIVE_DLQ_URL } = environmentFor({ ...orders, deadLetterQueue: { arn: { 'Fn::GetAtt': ['Dead', 'Arn'] } } }, shop)
    assert.deepEqual(REDRIVE_DLQ_URL, { Ref: 'Dead' })
  })

  it('says nothing of a queue of one’s own that nobody told us: neither its URL nor an age', () => {
    assert.deepEqual(Object.keys(variables({ ...orders, queue: { arn: sqs('mine') } }, { ...shop, table: false })), [
      'REDRIVE_DLQ_URL',
      'REDRIVE_PARTIAL',
    ])
  })

  it('has the name of a table that is given by its ARN', () => {
    const arn = `arn:aws:dynamodb:eu-central-1:${ACCOUNT}:table/mine`
    assert.equal(variables(orders, { ...shop, table: { arn } })['REDRIVE_TABLE'], 'mine')
    assert.deepEqual(environmentFor(orders, { ...shop, table: { arn: { 'Fn::GetAtt': ['Mine', 'Arn'] } } })['REDRIVE_TABLE'], {
      Ref: 'Mine',
    })
  })
})
