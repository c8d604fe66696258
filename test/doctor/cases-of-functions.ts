import { att, type CasesOfRule, given, gone, of, one } from './case.ts'

const STATEMENTS = 'Role.Policies.0.PolicyDocument.Statement'
const statement = (Resource: unknown, ...Action: string[]): object => ({ Effect: 'Allow', Action, Resource })
const KEY = 'arn:aws:kms:eu-central-1:111122223333:key/1'
const alarm = (MetricName: string, more: object = {}): object => ({
  Type: 'AWS::CloudWatch::Alarm',
  Properties: {
    Namespace: 'AWS/SQS',
    MetricName,
    Dimensions: [{ Name: 'QueueName', Value: 'orders-dlq' }],
    Statistic: 'Sum',
    Threshold: 0,
    ComparisonOperator: 'GreaterThanThreshold',
    AlarmActions: [{ Ref: 'Topic' }],
    ...more,
  },
})

/** A way to break each rule about functions, roles, tables and alarms, and a way to come near and keep it. */
export const casesOfFunctions: Readonly<Record<string, CasesOfRule>> = {
  'function.reserved-without-maximum': one(
    { 'Function.ReservedConcurrentExecutions': 10 },
    { 'Function.ReservedConcurrentExecutions': 10, 'Mapping.ScalingConfig.MaximumConcurrency': 10 },
  ),
  'function.reserved-below-maximum': of(
    [
      given({ 'Function.ReservedConcurrentExecutions': 9, 'Mapping.ScalingConfig.MaximumConcurrency': 10 }),
      given({ 'Function.ReservedConcurrentExecutions': 9, 'Mapping.ProvisionedPollerConfig.MaximumPollers': 2 }),
      // Two mappings share what is reserved.
      given({
        'Function.ReservedConcurrentExecutions': 10,
        'Mapping.ScalingConfig.MaximumConcurrency': 6,
        Second: {
          Type: 'AWS::Lambda::EventSourceMapping',
          Properties: { EventSourceArn: att('Letters'), FunctionName: att('Function'), ScalingConfig: { MaximumConcurrency: 6 } },
        },
      }),
    ],
    [given({ 'Function.ReservedConcurrentExecutions': 10, 'Mapping.ScalingConfig.MaximumConcurrency': 10 })],
  ),
  'function.dead-letter-config': one(
    { 'Function.DeadLetterConfig.TargetArn': att('Letters') },
    { 'Function.DeadLetterConfig': {} },
  ),
  'function.old-runtime': of(
    [given({ 'Function.Runtime': 'nodejs20.x' }), given({ 'Function.Runtime': 'nodejs' })],
    [
      given({ 'Function.Runtime': 'nodejs22.x' }),
      given({ 'Function.Runtime': 'provided.al2023' }),
      given({ 'Function.Runtime': undefined }),
    ],
  ),
  'function.several-at-a-time': of(
    [
      given({ 'Function.CapacityProviderConfig.LambdaManagedInstancesCapacityProviderConfig.CapacityProviderArn': 'arn:x' }),
      given({ 'Function.Environment.Variables.AWS_LAMBDA_MAX_CONCURRENCY': '8' }),
    ],
    [
      given({
        'Function.CapacityProviderConfig.LambdaManagedInstancesCapacityProviderConfig.PerExecutionEnvironmentMaxConcurrency': 1,
      }),
    ],
  ),
  'function.environment': of(
    [
      given({ 'Function.Environment.Variables.REDRIVE_MAX_AGE': '3 days' }),
      given({ 'Function.Environment.Variables.REDRIVE_QUEUE_URL': 'orders' }),
      given({ 'Function.Environment.Variables.REDRIVE_DLQ_URL': att('Letters') }),
    ],
    [given({ 'Function.Environment.Variables.REDRIVE_QUEUE_URL': undefined })],
  ),

  'role.receive': one(
    { [`${STATEMENTS}.0`]: statement(att('Queue'), 'sqs:ReceiveMessage') },
    { [`${STATEMENTS}.0`]: statement('arn:aws:sqs:*:*:ord*', 'sqs:*Message', 'SQS:GetQueueAttributes') },
  ),
  'role.visibility': of(
    [
      given({ [`${STATEMENTS}.1`]: statement(att('Letters'), 'sqs:ChangeMessageVisibility') }),
      // A Deny wins over all.
      given({ [`${STATEMENTS}.4`]: { Effect: 'Deny', Action: 'sqs:Change*', Resource: '*' } }),
    ],
    [given({ [`${STATEMENTS}.1`]: statement('*', 'sqs:ChangeMessageVisibility*') })],
  ),
  'role.send': one(
    { [`${STATEMENTS}.2`]: statement([att('Queue')], 'sqs:SendMessage') },
    { [`${STATEMENTS}.2`]: statement([att('Letters')], 'sqs:Send*') },
  ),
  'role.table': one(
    { [`${STATEMENTS}.3`]: statement(att('Table'), 'dynamodb:GetItem', 'dynamodb:PutItem') },
    { [`${STATEMENTS}.3`]: statement(att('Table'), 'dynamodb:*Item') },
  ),
  'role.queue-key': of(
    [given({ 'Queue.KmsMasterKeyId': KEY })],
    [
      given({ 'Queue.KmsMasterKeyId': KEY, [`${STATEMENTS}.4`]: statement(KEY, 'kms:Decrypt') }),
      given({ 'Queue.KmsMasterKeyId': 'alias/aws/sqs' }),
    ],
  ),
  'role.letters-key': of(
    [given({ 'Letters.KmsMasterKeyId': KEY, [`${STATEMENTS}.4`]: statement(KEY, 'kms:Decrypt') })],
    [given({ 'Letters.KmsMasterKeyId': KEY, [`${STATEMENTS}.4`]: statement(KEY, 'kms:Decrypt', 'kms:GenerateDataKey') })],
  ),

  'table.none': of(
    [given({ 'Function.Environment.Variables.REDRIVE_TABLE': undefined }), given({}, { store: 'none' })],
    [given({ 'Function.Environment.Variables.REDRIVE_TABLE': undefined }, { store: 'own' })],
  ),
  'table.gone': of([gone('records', { 'Function.Environment.Variables.REDRIVE_TABLE': 'records' })], [gone('another')]),
  'table.wrong-key': of(
    [
      given({ 'Table.AttributeDefinitions': [{ AttributeName: 'id', AttributeType: 'N' }] }),
      given({ 'Table.KeySchema': [{ AttributeName: 'pk', KeyType: 'HASH' }] }),
      given({ 'Table.KeySchema.1': { AttributeName: 'sort', KeyType: 'RANGE' } }),
    ],
    [given({ 'Table.AttributeDefinitions.1': { AttributeName: 'other', AttributeType: 'N' } })],
  ),
  'table.no-ttl': of(
    [
      given({ 'Table.TimeToLiveSpecification': undefined }),
      given({ 'Table.TimeToLiveSpecification.Enabled': false }),
      given({ 'Table.TimeToLiveSpecification.AttributeName': 'ttl' }),
    ],
    [given({ 'Table.TableName': 'records' })],
  ),

  'alarm.none': of(
    [given({ Depth: undefined }), given({ Depth: alarm('NumberOfMessagesSent') })],
    [given({ 'Depth.Dimensions': [{ Name: 'QueueName', Value: 'orders-dlq' }] })],
  ),
  'alarm.counts-sends': of(
    [given({ Sends: alarm('NumberOfMessagesSent') })],
    [
      given({
        'Growth.Metrics.2': {
          Id: 's',
          MetricStat: {
            Metric: {
              Namespace: 'AWS/SQS',
              MetricName: 'NumberOfMessagesSent',
              Dimensions: [{ Name: 'QueueName', Value: 'orders-dlq' }],
            },
            Stat: 'Sum',
          },
        },
      }),
      given({ Sends: alarm('NumberOfMessagesSent', { Dimensions: [{ Name: 'QueueName', Value: 'another' }] }) }),
    ],
  ),
  'alarm.counts-hidden': of(
    [given({ Hidden: alarm('ApproximateNumberOfMessagesNotVisible') })],
    [given({ Deleted: alarm('NumberOfMessagesDeleted') })],
  ),
  'alarm.missing-data': of(
    [
      given({ 'Depth.TreatMissingData': undefined }),
      given({ 'Depth.TreatMissingData': 'notBreaching' }),
      given({ 'Depth.TreatMissingData': 'breaching' }),
    ],
    [given({ 'Growth.TreatMissingData': 'missing' })],
  ),
  'alarm.not-at-one': of(
    [
      given({ 'Depth.Statistic': 'Average' }),
      given({ 'Depth.Threshold': 1 }),
      given({ 'Depth.ComparisonOperator': 'LessThanThreshold' }),
    ],
    [given({ 'Depth.Threshold': 1, 'Depth.ComparisonOperator': 'GreaterThanOrEqualToThreshold' })],
  ),
  'alarm.tells-nobody': of(
    [given({ 'Depth.AlarmActions': [] }), given({ 'Depth.ActionsEnabled': false })],
    [given({ 'Depth.AlarmActions': 'arn:aws:sns:x:1:t' })],
  ),
  'alarm.no-growth': one({ Growth: undefined }, { 'Growth.Metrics.1': { Id: 'e', Expression: 'IF(RATE(m) > 0, 1, 0)' } }),
  'alarm.none-on-stalling': of(
    [given({ Stalled: undefined }), given({}, { name: 'another' })],
    [given({ 'Stalled.Dimensions': [{ Name: 'consumer', Value: 'mine' }] }, { name: 'mine' })],
  ),
}
