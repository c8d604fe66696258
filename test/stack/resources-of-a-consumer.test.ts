import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { tableDefinition, ttlAttribute } from '../../src/aws/dynamodb.ts'
import { mappingFor } from '../../src/stack/mapping.ts'
import type { Resources } from '../../src/stack/options.ts'
import { consumerResources, serviceResources } from '../../src/stack/resources.ts'
import { ledger, orders, shop, watched } from './options.ts'

const typesOf = (resources: Resources) => Object.fromEntries(Object.entries(resources).map(([id, { Type }]) => [id, Type]))
const kmsKeyArn = 'arn:aws:kms:eu-central-1:111122223333:key/k-1'
const mine = 'arn:aws:sqs:eu-central-1:111122223333:mine'

describe('a plain consumer', () => {
  it('is two queues', () => {
    assert.deepEqual(consumerResources(orders, shop), {
      OrdersQueue: {
        Type: 'AWS::SQS::Queue',
        DeletionPolicy: 'Delete',
        UpdateReplacePolicy: 'Retain',
        Properties: {
          QueueName: 'orders',
          SqsManagedSseEnabled: true,
          VisibilityTimeout: 180,
          MessageRetentionPeriod: 345_600,
          RedrivePolicy: { deadLetterTargetArn: { 'Fn::GetAtt': ['OrdersDeadLetterQueue', 'Arn'] }, maxReceiveCount: 1000 },
        },
      },
      OrdersDeadLetterQueue: {
        Type: 'AWS::SQS::Queue',
        DeletionPolicy: 'Retain',
        UpdateReplacePolicy: 'Retain',
        Properties: { QueueName: 'orders-dlq', SqsManagedSseEnabled: true, MessageRetentionPeriod: 1_209_600 },
      },
    })
  })

  it('has six alarms where there is somebody to wake', () => {
    assert.deepEqual(Object.keys(consumerResources(orders, watched)).slice(2), [
      'OrdersDeadLettersAlarm',
      'OrdersDeadLettersGrowAlarm',
      'OrdersDeadLetterSendsAlarm',
      'OrdersStalledByAgeAlarm',
      'OrdersStalledUndoneAlarm',
      'OrdersStalledByStoreAlarm',
    ])
  })

  it('has a mapping that reports failures one by one, and nothing that is not asked for', () => {
    assert.deepEqual(mappingFor(orders), {
      EventSourceArn: { 'Fn::GetAtt': ['OrdersQueue', 'Arn'] },
      BatchSize: 10,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    })
  })
})

describe('what a service shares', () => {
  it('is table, topic, mail and dashboard', () => {
    assert.deepEqual(typesOf(serviceResources(watched, [orders, ledger])), {
      RedriveTable: 'AWS::DynamoDB::Table',
      RedriveAlarmTopic: 'AWS::SNS::Topic',
      RedriveAlarmEmail: 'AWS::SNS::Subscription',
      RedriveDashboard: 'AWS::CloudWatch::Dashboard',
    })
  })

  it('is the table alone without alarms and dashboard', () => {
    assert.deepEqual(typesOf(serviceResources({ ...shop, dashboard: false }, [orders])), { RedriveTable: 'AWS::DynamoDB::Table' })
  })

  it('is nothing where table and topic are one’s own', () => {
    const service = {
      ...shop,
      dashboard: false,
      table: { arn: 'arn:aws:dynamodb:eu-central-1:111122223333:table/mine' },
      alarm: { topicArn: 'arn:aws:sns:eu-central-1:111122223333:oncall' },
    }
    assert.deepEqual(serviceResources(service, [orders]), {})
    const alarm = consumerResources(orders, service)['OrdersDeadLettersAlarm']
    assert.deepEqual(alarm?.Properties?.['AlarmActions'], ['arn:aws:sns:eu-central-1:111122223333:oncall'])
  })

  it('has the table that the store itself would make, with its TTL attribute, encrypted', () => {
    const { TableName: _, ...definition } = tableDefinition('x')
    assert.deepEqual(serviceResources(shop, [orders])['RedriveTable'], {
      Type: 'AWS::DynamoDB::Table',
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: {
        ...definition,
        TimeToLiveSpecification: { AttributeName: ttlAttribute, Enabled: true },
        SSESpecification: { SSEEnabled: true },
      },
    })
  })

  it('goes with the stack where removal is Delete, letters too', () => {
    const service = { ...shop, removal: 'Delete' } as const
    const resources = { ...serviceResources(service, [orders]), ...consumerResources(orders, service) }
    for (const id of ['RedriveTable', 'OrdersDeadLetterQueue', 'OrdersQueue']) {
      assert.deepEqual([resources[id]?.DeletionPolicy, resources[id]?.UpdateReplacePolicy], ['Delete', 'Delete'], id)
    }
  })
})

describe('a FIFO consumer', () => {
  it('has two FIFO queues whose names end with .fifo, whether or not that was written', () => {
    for (const make of ['ledger', 'ledger.fifo']) {
      const resources = consumerResources({ ...ledger, queue: { make } }, shop)
      const { QueueName, FifoQueue, VisibilityTimeout } = resources['LedgerQueue']?.Properties ?? {}
      assert.deepEqual([QueueName, FifoQueue, VisibilityTimeout], ['ledger.fifo', true, 360])
      const letters = resources['LedgerDeadLetterQueue']?.Properties
      assert.deepEqual([letters?.['QueueName'], letters?.['FifoQueue']], ['ledger-dlq.fifo', true])
    }
  })
})

describe('a key of one’s own', () => {
  it('encrypts both queues in the place of SQS’s own encryption', () => {
    const resources = consumerResources({ ...orders, kmsKeyArn }, shop)
    for (const id of ['OrdersQueue', 'OrdersDeadLetterQueue']) {
      assert.equal(resources[id]?.Properties?.['KmsMasterKeyId'], kmsKeyArn)
      assert.equal(resources[id]?.Properties?.['SqsManagedSseEnabled'], undefined)
    }
  })
})

describe('a queue of one’s own', () => {
  it('is left alone: only its dead-letter queue is made', () => {
    const resources = consumerResources({ ...orders, queue: { arn: mine } }, shop)
    assert.deepEqual(typesOf(resources), { OrdersDeadLetterQueue: 'AWS::SQS::Queue' })
    assert.equal(resources['OrdersDeadLetterQueue']?.Properties?.['QueueName'], 'mine-dlq')
  })

  it('with its dead-letter queue makes nothing', () => {
    assert.deepEqual(consumerResources({ ...orders, queue: { arn: mine }, deadLetterQueue: { arn: `${mine}-dead` } }, shop), {})
  })

  it('in the same template is named through its resource', () => {
    const queue = { arn: { 'Fn::GetAtt': ['Mine', 'Arn'] } }
    const name = consumerResources({ ...orders, queue }, shop)['OrdersDeadLetterQueue']?.Properties?.['QueueName']
    assert.deepEqual(name, { 'Fn::Join': ['', [{ 'Fn::GetAtt': ['Mine', 'QueueName'] }, '-dlq']] })
  })
})

describe('without a table', () => {
  for (const [maxAttempts, receives] of [
    [undefined, 36],
    [5, 15],
    [1, 5],
    [1000, 1000],
  ] as const) {
    it(`${maxAttempts ?? 'the default of 12'} attempts are ${receives} receives, and no alarm looks at a table`, () => {
      const consumer = maxAttempts === undefined ? orders : { ...orders, maxAttempts }
      const resources = consumerResources(consumer, { ...watched, table: false })
      const policy = resources['OrdersQueue']?.Properties?.['RedrivePolicy']
      assert.deepEqual(Object(policy).maxReceiveCount, receives)
      assert.equal(resources['OrdersStalledByStoreAlarm'], undefined)
    })
  }
})

describe('batches and scaling', () => {
  it('a window lengthens the visibility timeout', () => {
    const consumer = { ...orders, batchSize: 100, batchWindow: 20 }
    assert.equal(consumerResources(consumer, shop)['OrdersQueue']?.Properties?.['VisibilityTimeout'], 200)
    assert.equal(mappingFor(consumer).MaximumBatchingWindowInSeconds, 20)
  })

  it('a batch above ten waits a second, for Lambda refuses it otherwise', () => {
    assert.equal(mappingFor({ ...orders, batchSize: 11 }).MaximumBatchingWindowInSeconds, 1)
    assert.equal(mappingFor({ ...orders, batchSize: 10 }).MaximumBatchingWindowInSeconds, undefined)
  })

  it('maximum concurrency and provisioned pollers have their own places', () => {
    assert.deepEqual(mappingFor({ ...orders, maximumConcurrency: 20 }).ScalingConfig, { MaximumConcurrency: 20 })
    const pollers = mappingFor({ ...orders, provisionedPollers: { minimum: 2, maximum: 50 } })
    assert.deepEqual(pollers.ProvisionedPollerConfig, { MinimumPollers: 2, MaximumPollers: 50 })
    assert.equal(pollers.ScalingConfig, undefined)
  })
})
