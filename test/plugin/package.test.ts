// The plugin in the real frameworks: what they make of a service, resource by resource.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { FRAMEWORKS, granted, ids, type Packaged, packageWith, properties, service } from './package.ts'

const PLAIN = service(`
plugins: [redrive/plugin]
functions:
  orders:
    handler: src/handlers.handler
    events:
      - redrive: { queue: orders }
`)

for (const framework of FRAMEWORKS) {
  describe(`a plain consumer, packaged by ${framework}`, () => {
    let packaged: Packaged
    before(async () => {
      packaged = await packageWith(framework, PLAIN)
    })

    it('is these resources and no others', () => {
      assert.deepEqual(
        ids(packaged),
        [
          'IamRoleLambdaExecution',
          'OrdersDeadLetterQueue',
          'OrdersEventSourceMappingSQSOrdersQueue',
          'OrdersLambdaFunction',
          'OrdersPolicy',
          'OrdersQueue',
          'RedriveDashboard',
          'RedriveTable',
        ],
        packaged.printed,
      )
    })

    it('has a mapping that reports failures and waits for the permissions', () => {
      const id = 'OrdersEventSourceMappingSQSOrdersQueue'
      assert.deepEqual(packaged.resources[id]?.DependsOn, ['IamRoleLambdaExecution', 'OrdersPolicy'])
      assert.deepEqual(properties(packaged, id), {
        BatchSize: 10,
        EventSourceArn: { 'Fn::GetAtt': ['OrdersQueue', 'Arn'] },
        FunctionName: { 'Fn::GetAtt': ['OrdersLambdaFunction', 'Arn'] },
        Enabled: true,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
      })
    })

    it('has the environment that redrive reads', () => {
      assert.deepEqual(properties(packaged, 'OrdersLambdaFunction')['Environment'], {
        Variables: {
          REDRIVE_QUEUE_URL: { Ref: 'OrdersQueue' },
          REDRIVE_DLQ_URL: { Ref: 'OrdersDeadLetterQueue' },
          REDRIVE_TABLE: { Ref: 'RedriveTable' },
          REDRIVE_MAX_AGE: '259200',
          REDRIVE_PARTIAL: '1',
        },
      })
    })

    it('may do what the framework lets it, and what redrive needs beside that', () => {
      assert.deepEqual(properties(packaged, 'OrdersPolicy')['Roles'], [{ Ref: 'IamRoleLambdaExecution' }])
      assert.deepEqual(granted(packaged, 'OrdersPolicy'), [
        'sqs:ChangeMessageVisibility OrdersQueue.Arn',
        'sqs:SendMessage OrdersDeadLetterQueue.Arn',
        'dynamodb:UpdateItem RedriveTable.Arn',
        'dynamodb:GetItem RedriveTable.Arn',
      ])
    })

    it('gives the doctor nothing to warn of but that nobody is woken', () => {
      const warned = [...packaged.printed.matchAll(/redrive: (error|warning): .*\((.*?),/g)].map(([, , rule]) => rule)
      assert.deepEqual(warned, ['alarm.none', 'alarm.none-on-stalling'], packaged.printed)
    })

    it('has a queue whose visibility timeout is six times that of the function', () => {
      assert.equal(properties(packaged, 'OrdersQueue')['VisibilityTimeout'], 36)
    })
  })
}

const TABLE = 'arn:aws:dynamodb:eu-west-1:123456789012:table/done'
const KEY = 'arn:aws:kms:eu-west-1:123456789012:key/k'
const ALARMS = [
  'DeadLetterSendsAlarm',
  'DeadLettersAlarm',
  'DeadLettersGrowAlarm',
  'StalledByAgeAlarm',
  'StalledByStoreAlarm',
  'StalledUndoneAlarm',
]
const WITHOUT_ALARMS = [
  'HttpApi',
  'HttpApiIntegrationLedger',
  'HttpApiRouteGetLedger',
  'HttpApiStage',
  'IamRoleLambdaExecution',
  'LedgerDeadLetterQueue',
  'LedgerEventSourceMappingSQSLedgerQueue',
  'LedgerLambdaFunction',
  'LedgerLambdaPermissionHttpApi',
  'LedgerPolicy',
  'LedgerQueue',
  'MailQueue',
  'MailRole',
  'OutsideDeadLetterQueue',
  'OutsideEventSourceMappingSQSOutsideQueue',
  'OutsideLambdaFunction',
  'OutsideQueue',
  'RedriveAlarmEmail',
  'RedriveAlarmTopic',
  'RedriveDashboard',
  'SendDashmailEventSourceMappingSQSMailQueue',
  'SendDashmailLambdaFunction',
  'SendMailDeadLetterQueue',
  'SendMailPolicy',
  'TheirsEventSourceMappingSQSParcels',
  'TheirsLambdaFunction',
  'TheirsPolicy',
]

const ALL = service(`
plugins: [redrive/plugin]
custom:
  redrive:
    alarm: { email: oncall@shop.example, owner: team-shop }
    table: ${TABLE}
functions:
  ledger:
    handler: src/handlers.handler
    timeout: 30
    environment: { REDRIVE_MAX_AGE: 600, LEDGER: eu }
    events:
      - httpApi: 'GET /ledger'
      - redrive: { queue: ledger, fifo: true, provisionedPollers: { minimum: 2, maximum: 20 } }
  theirs:
    handler: src/handlers.handler
    events:
      - redrive:
          queue: arn:aws:sqs:eu-west-1:123456789012:parcels
          deadLetterQueue: arn:aws:sqs:eu-west-1:123456789012:parcels-dead
          batchSize: 100
          maximumConcurrency: 20
  send-mail:
    handler: src/handlers.handler
    role: MailRole
    events:
      - redrive: { queue: !GetAtt MailQueue.Arn, enabled: false }
  outside:
    handler: src/handlers.handler
    role: arn:aws:iam::123456789012:role/outside
    events:
      - redrive: { queue: outside, kmsKeyArn: ${KEY} }
resources:
  Resources:
    MailQueue: { Type: AWS::SQS::Queue, Properties: { QueueName: mail.fifo, FifoQueue: true } }
    MailRole:
      Type: AWS::IAM::Role
      Properties: { AssumeRolePolicyDocument: { Version: '2012-10-17', Statement: [] } }
  extensions:
    LedgerQueue: { Properties: { MaximumMessageSize: 1024 } }
`)

for (const framework of FRAMEWORKS) {
  describe(`four consumers of all kinds, packaged by ${framework}`, () => {
    let packaged: Packaged
    const mapping = (id: string) => packaged.resources[id]
    const variables = (id: string) =>
      (properties(packaged, id)['Environment'] as { Variables: Record<string, unknown> }).Variables
    before(async () => {
      packaged = await packageWith(framework, ALL)
    })

    it('are these resources and no others', () => {
      const alarms = ['Ledger', 'Outside', 'SendMail', 'Theirs'].flatMap((name) => ALARMS.map((alarm) => `${name}${alarm}`))
      assert.deepEqual(ids(packaged), [...WITHOUT_ALARMS, ...alarms].sort(), packaged.printed)
    })

    it('give FIFO queues to a FIFO consumer, and a fixed number of pollers', () => {
      assert.equal(properties(packaged, 'LedgerQueue')['QueueName'], 'ledger.fifo')
      assert.equal(properties(packaged, 'LedgerDeadLetterQueue')['QueueName'], 'ledger-dlq.fifo')
      const { ProvisionedPollerConfig, ScalingConfig } = properties(packaged, 'LedgerEventSourceMappingSQSLedgerQueue')
      assert.deepEqual(ProvisionedPollerConfig, { MinimumPollers: 2, MaximumPollers: 20 })
      assert.equal(ScalingConfig, undefined)
    })

    it('keep other events of a function', () => assert.ok(mapping('HttpApiRouteGetLedger')))

    it('leave variables that the service sets itself', () => {
      assert.deepEqual(variables('LedgerLambdaFunction'), {
        REDRIVE_QUEUE_URL: { Ref: 'LedgerQueue' },
        REDRIVE_DLQ_URL: { Ref: 'LedgerDeadLetterQueue' },
        REDRIVE_TABLE: 'done',
        REDRIVE_MAX_AGE: '600',
        REDRIVE_PARTIAL: '1',
        LEDGER: 'eu',
      })
    })

    it('let resources.extensions change a queue that redrive makes', () =>
      assert.equal(properties(packaged, 'LedgerQueue')['MaximumMessageSize'], 1024))

    it('make nothing of queues that are there already, and read them', () => {
      assert.deepEqual(properties(packaged, 'TheirsEventSourceMappingSQSParcels'), {
        BatchSize: 100,
        MaximumBatchingWindowInSeconds: 1,
        EventSourceArn: 'arn:aws:sqs:eu-west-1:123456789012:parcels',
        FunctionName: { 'Fn::GetAtt': ['TheirsLambdaFunction', 'Arn'] },
        Enabled: true,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        ScalingConfig: { MaximumConcurrency: 20 },
      })
      assert.deepEqual(granted(packaged, 'TheirsPolicy'), [
        'sqs:ChangeMessageVisibility arn:aws:sqs:eu-west-1:123456789012:parcels',
        'sqs:SendMessage arn:aws:sqs:eu-west-1:123456789012:parcels-dead',
        `dynamodb:UpdateItem ${TABLE}`,
        `dynamodb:GetItem ${TABLE}`,
      ])
    })

    it('change nothing of a queue in the same template, whose dead-letter queue is FIFO as it is', () => {
      assert.deepEqual(properties(packaged, 'MailQueue'), { QueueName: 'mail.fifo', FifoQueue: true })
      assert.equal(properties(packaged, 'SendMailDeadLetterQueue')['FifoQueue'], true)
      assert.equal(properties(packaged, 'SendDashmailEventSourceMappingSQSMailQueue')['Enabled'], false)
    })

    it('say what is wrong with a queue of which they change nothing', () => {
      const warned = [...packaged.printed.matchAll(/redrive: (error|warning): .*\((.*?), (\w+)/g)].map((found) => found.slice(1))
      assert.deepEqual(warned, [
        ['error', 'dead-letters.none', 'MailQueue'],
        ['warning', 'mapping.switched-off', 'SendDashmailEventSourceMappingSQSMailQueue'],
        ['warning', 'queue.visibility-short', 'MailQueue'],
      ])
    })

    it("put a policy on the service's own role, to which the framework gives nothing", () => {
      assert.deepEqual(mapping('SendDashmailEventSourceMappingSQSMailQueue')?.DependsOn, ['MailRole', 'SendMailPolicy'])
      assert.deepEqual(properties(packaged, 'SendMailPolicy')['Roles'], [{ Ref: 'MailRole' }])
      assert.deepEqual(granted(packaged, 'SendMailPolicy').slice(0, 3), [
        'sqs:ReceiveMessage MailQueue.Arn',
        'sqs:DeleteMessage MailQueue.Arn',
        'sqs:GetQueueAttributes MailQueue.Arn',
      ])
    })

    it('print what a role from elsewhere needs, in names that mean something there', () => {
      const [, role, text = ''] =
        /role of the function outside is not made here \((.*?)\).*?:\n(\[.*?\n\])/s.exec(packaged.printed) ?? []
      assert.equal(role, 'arn:aws:iam::123456789012:role/outside')
      const queue = (name: string) => ({ 'Fn::Sub': `arn:\${AWS::Partition}:sqs:\${AWS::Region}:\${AWS::AccountId}:${name}` })
      assert.deepEqual(JSON.parse(text), [
        allow([queue('outside')], 'sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'),
        allow([queue('outside')], 'sqs:ChangeMessageVisibility'),
        allow([queue('outside-dlq')], 'sqs:SendMessage'),
        allow([TABLE], 'dynamodb:UpdateItem', 'dynamodb:GetItem'),
        allow([KEY], 'kms:Decrypt', 'kms:GenerateDataKey'),
      ])
    })
  })
}

const allow = (Resource: unknown[], ...Action: string[]) => ({ Effect: 'Allow', Action, Resource })
