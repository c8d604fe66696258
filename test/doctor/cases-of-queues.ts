import { att, type CasesOfRule, given, gone, of, one, onFifo } from './case.ts'

/** A way to break each rule about queues and what is between them and the function, and a way to come near and keep it. */
export const casesOfQueues: Readonly<Record<string, CasesOfRule>> = {
  'mapping.no-partial-batch': of(
    [given({ 'Mapping.FunctionResponseTypes': undefined }), given({ 'Mapping.FunctionResponseTypes': [] })],
    [given({ 'Mapping.FunctionResponseTypes': 'ReportBatchItemFailures' })],
  ),
  'mapping.filters-delete': one(
    { 'Mapping.FilterCriteria.Filters': [{ Pattern: '{}' }] },
    { 'Mapping.FilterCriteria.Filters': [] },
  ),
  'mapping.batch-size': of(
    [
      given({ 'Mapping.BatchSize': 11 }),
      given({ 'Mapping.BatchSize': 10_001, 'Mapping.MaximumBatchingWindowInSeconds': 1 }),
      given({ 'Mapping.MaximumBatchingWindowInSeconds': 301 }),
    ],
    [given({ 'Mapping.BatchSize': 10_000, 'Mapping.MaximumBatchingWindowInSeconds': 1, 'Queue.VisibilityTimeout': 181 })],
  ),
  'mapping.fifo-batch': of(
    [
      onFifo({ 'Mapping.BatchSize': 11 }),
      onFifo({ 'Mapping.MaximumBatchingWindowInSeconds': 1, 'Queue.VisibilityTimeout': 181 }),
    ],
    [onFifo({ 'Mapping.BatchSize': 10 })],
  ),
  'mapping.concurrency-and-pollers': one(
    { 'Mapping.ScalingConfig.MaximumConcurrency': 2, 'Mapping.ProvisionedPollerConfig.MinimumPollers': 2 },
    { 'Mapping.ProvisionedPollerConfig.MinimumPollers': 2 },
  ),
  'mapping.switched-off': one({ 'Mapping.Enabled': false }, { 'Mapping.Enabled': 'true' }),

  'queue.visibility-below-timeout': of(
    [given({ 'Queue.VisibilityTimeout': 29 }), given({ 'Queue.VisibilityTimeout': undefined, 'Function.Timeout': 31 })],
    [given({ 'Function.Timeout': undefined, 'Queue.VisibilityTimeout': 30 })],
  ),
  'queue.visibility-short': of(
    [
      given({ 'Queue.VisibilityTimeout': 30 }),
      given({ 'Queue.VisibilityTimeout': 179 }),
      given({ 'Mapping.MaximumBatchingWindowInSeconds': 1 }),
    ],
    [given({ 'Queue.VisibilityTimeout': 180 })],
  ),
  'queue.few-receives': one({ 'Queue.RedrivePolicy.maxReceiveCount': 4 }, { 'Queue.RedrivePolicy.maxReceiveCount': 37 }),
  'queue.receives-below-attempts': of(
    [
      given({ 'Queue.RedrivePolicy.maxReceiveCount': 12 }),
      given({ 'Queue.RedrivePolicy.maxReceiveCount': 36 }, { maxAttempts: 36 }),
      given({ 'Queue.RedrivePolicy.maxReceiveCount': undefined }),
    ],
    [
      given({ 'Queue.RedrivePolicy.maxReceiveCount': '13' }),
      given({ 'Queue.RedrivePolicy.maxReceiveCount': 5 }, { maxAttempts: 4 }),
    ],
  ),
  'queue.receives-outlive-retention': of(
    [given({ 'Queue.VisibilityTimeout': 346, 'Function.Environment.Variables.REDRIVE_MAX_AGE': undefined })],
    [
      given({ 'Queue.VisibilityTimeout': 346 }),
      given({ 'Queue.VisibilityTimeout': 346, 'Function.Environment.Variables.REDRIVE_MAX_AGE': '' }, { maxAge: 9 }),
    ],
  ),
  'queue.fifo-name': of(
    [given({ 'Queue.QueueName': 'orders.fifo' }), onFifo({ 'Queue.QueueName': 'orders' })],
    [onFifo({ 'Queue.QueueName': undefined })],
  ),

  'dead-letters.none': one({ 'Queue.RedrivePolicy': undefined }, { 'Letters.QueueName': undefined }),
  'dead-letters.gone': of(
    [
      gone('old-dlq', { 'Queue.RedrivePolicy.deadLetterTargetArn': 'arn:aws:sqs:eu-central-1:111122223333:old-dlq' }),
      gone('old-dlq', { 'Function.Environment.Variables.REDRIVE_DLQ_URL': 'https://sqs.eu-central-1.amazonaws.com/1/old-dlq' }),
    ],
    [gone('another')],
  ),
  'dead-letters.not-told': of(
    [given({ 'Function.Environment.Variables.REDRIVE_DLQ_URL': undefined })],
    [
      given(
        { 'Function.Environment.Variables.REDRIVE_DLQ_URL': '' },
        { deadLetterQueue: 'https://sqs.eu-central-1.amazonaws.com/1/orders-dlq' },
      ),
    ],
  ),
  'dead-letters.two-queues': one(
    {
      Other: { Type: 'AWS::SQS::Queue', Properties: { MessageRetentionPeriod: 1_209_600 } },
      'Function.Environment.Variables.REDRIVE_DLQ_URL': { Ref: 'Other' },
    },
    { 'Function.Environment.Variables.REDRIVE_DLQ_URL': { 'Fn::GetAtt': ['Letters', 'QueueUrl'] } },
  ),
  'dead-letters.itself': one(
    { 'Queue.RedrivePolicy.deadLetterTargetArn': 'arn:aws:sqs:eu-central-1:111122223333:orders' },
    { 'Queue.RedrivePolicy.deadLetterTargetArn': 'arn:aws:sqs:eu-central-1:111122223333:orders-dlq' },
  ),
  'dead-letters.wrong-type': of(
    [
      onFifo({ 'Letters.FifoQueue': false, 'Letters.QueueName': 'orders-dlq' }),
      given({ 'Letters.FifoQueue': true, 'Letters.QueueName': 'x.fifo' }),
    ],
    [onFifo({})],
  ),
  'dead-letters.kept-shorter': of(
    [given({ 'Letters.MessageRetentionPeriod': 345_600 }), given({ 'Letters.MessageRetentionPeriod': undefined })],
    [
      given({ 'Queue.MessageRetentionPeriod': 1_209_600 }),
      given({ 'Letters.MessageRetentionPeriod': 345_601 }),
      onFifo({ 'Letters.MessageRetentionPeriod': 60 }),
    ],
  ),
  'dead-letters.kept-short': one(
    { 'Letters.MessageRetentionPeriod': 1_209_599 },
    { 'Letters.MessageRetentionPeriod': '1209600' },
  ),
  'dead-letters.smaller-messages': one(
    { 'Letters.MaximumMessageSize': 262_144 },
    { 'Letters.MaximumMessageSize': 262_144, 'Queue.MaximumMessageSize': 262_144 },
  ),
  'dead-letters.moved-on': one(
    { 'Letters.RedrivePolicy': { deadLetterTargetArn: att('Queue'), maxReceiveCount: 3 } },
    { 'Letters.RedrivePolicy': '' },
  ),
  'dead-letters.not-allowed': of(
    [
      given({ 'Letters.RedriveAllowPolicy.redrivePermission': 'denyAll' }),
      given({ 'Letters.RedriveAllowPolicy': { redrivePermission: 'byQueue', sourceQueueArns: [att('Letters')] } }),
    ],
    [given({ 'Letters.RedriveAllowPolicy': { redrivePermission: 'byQueue', sourceQueueArns: [att('Queue')] } })],
  ),

  'options.no-max-age': of(
    [given({ 'Function.Environment.Variables.REDRIVE_MAX_AGE': undefined })],
    [given({ 'Function.Environment.Variables.REDRIVE_MAX_AGE': undefined }, { maxAge: 259_200 })],
  ),
  'options.max-age-past-retention': of(
    [given({ 'Function.Environment.Variables.REDRIVE_MAX_AGE': '345600' }), given({}, { maxAge: 400_000 })],
    [given({ 'Function.Environment.Variables.REDRIVE_MAX_AGE': '345599' })],
  ),
}
