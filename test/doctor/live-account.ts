/** An account of AWS with one consumer in which nothing is wrong, as the SDK's clients would answer. */
import type { Ask } from '../../src/aws/describe-stack-ask.ts'

const ARN = 'arn:aws:lambda:eu-central-1:111122223333:function:shop-orders'
const queueArn = (name: string): string => `arn:aws:sqs:eu-central-1:111122223333:${name}`
const queueUrl = (name: string): string => `https://sqs.eu-central-1.amazonaws.com/111122223333/${name}`
const TABLE = 'arn:aws:dynamodb:eu-central-1:111122223333:table/records'
const allow = (Resource: string, ...Action: string[]): object => ({ Effect: 'Allow', Action, Resource })
const document = (...Statement: object[]): string => encodeURIComponent(JSON.stringify({ Version: '2012-10-17', Statement }))

/** An error as the SDK throws it. */
export const sdkError = (name: string, message = name): Error => Object.assign(new Error(message), { name })

export type Answers = Readonly<Record<string, (input: Readonly<Record<string, unknown>>) => unknown>>

const DEPTH = {
  AlarmName: 'letters',
  Namespace: 'AWS/SQS',
  MetricName: 'ApproximateNumberOfMessagesVisible',
  Dimensions: [{ Name: 'QueueName', Value: 'orders-dlq' }],
  Statistic: 'Maximum',
  Threshold: 1,
  ComparisonOperator: 'GreaterThanOrEqualToThreshold',
  TreatMissingData: 'ignore',
  ActionsEnabled: true,
  AlarmActions: ['arn:aws:sns:eu-central-1:111122223333:oncall'],
}
const ofMath = {
  ...DEPTH,
  AlarmName: 'growth',
  Namespace: undefined,
  MetricName: undefined,
  Dimensions: [],
  Statistic: undefined,
}

const QUEUES: Readonly<Record<string, object>> = {
  orders: {
    QueueArn: queueArn('orders'),
    VisibilityTimeout: '180',
    MessageRetentionPeriod: '345600',
    MaximumMessageSize: '1048576',
    RedrivePolicy: JSON.stringify({ deadLetterTargetArn: queueArn('orders-dlq'), maxReceiveCount: 1000 }),
    SqsManagedSseEnabled: 'true',
  },
  'orders-dlq': {
    QueueArn: queueArn('orders-dlq'),
    MessageRetentionPeriod: '1209600',
    MaximumMessageSize: '1048576',
    VisibilityTimeout: '30',
  },
}

const mapping = {
  UUID: 'm-1',
  EventSourceArn: queueArn('orders'),
  FunctionArn: ARN,
  FunctionResponseTypes: ['ReportBatchItemFailures'],
  BatchSize: 10,
  MaximumBatchingWindowInSeconds: 0,
  State: 'Enabled',
}

/** By `service.Operation`. */
export const account: Answers = {
  'cloudformation.ListStackResources': ({ NextToken }) =>
    NextToken === undefined
      ? { StackResourceSummaries: [{ ResourceType: 'AWS::Lambda::Function', PhysicalResourceId: 'shop-orders' }], NextToken: '2' }
      : { StackResourceSummaries: [{ ResourceType: 'AWS::Lambda::EventSourceMapping', PhysicalResourceId: 'm-1' }] },
  'lambda.ListEventSourceMappings': () => ({
    EventSourceMappings: [mapping, { ...mapping, UUID: 'm-2', EventSourceArn: 'arn:aws:kinesis:eu-central-1:1:stream/x' }],
  }),
  'lambda.GetEventSourceMapping': () => mapping,
  'lambda.GetFunctionConfiguration': () => ({
    FunctionName: 'shop-orders',
    Timeout: 30,
    Runtime: 'nodejs24.x',
    Role: 'arn:aws:iam::111122223333:role/service-role/shop',
    Environment: { Variables: { REDRIVE_DLQ_URL: queueUrl('orders-dlq'), REDRIVE_TABLE: 'records', REDRIVE_MAX_AGE: '259200' } },
  }),
  'lambda.GetFunctionConcurrency': () => ({}),
  'sqs.GetQueueUrl': ({ QueueName }) => {
    if (QUEUES[String(QueueName)] === undefined) throw sdkError('QueueDoesNotExist')
    return { QueueUrl: queueUrl(String(QueueName)) }
  },
  'sqs.GetQueueAttributes': ({ QueueUrl }) => {
    const attributes = QUEUES[String(QueueUrl).split('/').at(-1) ?? '']
    if (attributes === undefined) throw sdkError('QueueDoesNotExist')
    return { Attributes: attributes }
  },
  'dynamodb.DescribeTable': () => ({
    Table: {
      TableArn: TABLE,
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    },
  }),
  'dynamodb.DescribeTimeToLive': () => ({ TimeToLiveDescription: { AttributeName: 'expiresAt', TimeToLiveStatus: 'ENABLED' } }),
  'cloudwatch.DescribeAlarms': ({ NextToken }) => {
    if (NextToken === undefined) return { MetricAlarms: [DEPTH], NextToken: 'more' }
    const { Namespace, MetricName, Dimensions } = DEPTH
    const stalled = {
      ...DEPTH,
      AlarmName: 'stalled',
      Namespace: 'redrive',
      MetricName: 'message_age',
      Dimensions: [{ Name: 'consumer', Value: 'orders' }],
    }
    const Metrics = [
      { Id: 'm', MetricStat: { Metric: { Namespace, MetricName, Dimensions }, Stat: 'Maximum', Period: 60 } },
      { Id: 'e', Expression: 'RATE(m)' },
    ]
    return { MetricAlarms: [{ ...ofMath, Metrics }, stalled] }
  },
  'iam.GetRole': () => ({ Role: {} }),
  'iam.ListRolePolicies': () => ({ PolicyNames: ['redrive'] }),
  'iam.GetRolePolicy': () => ({
    PolicyDocument: document(
      allow(queueArn('orders'), 'sqs:ChangeMessageVisibility'),
      allow(queueArn('orders-dlq'), 'sqs:SendMessage'),
      allow(TABLE, 'dynamodb:GetItem', 'dynamodb:UpdateItem'),
    ),
  }),
  'iam.ListAttachedRolePolicies': () => ({ AttachedPolicies: [{ PolicyArn: 'arn:aws:iam::aws:policy/Poll' }] }),
  'iam.GetPolicy': () => ({ Policy: { DefaultVersionId: 'v3' } }),
  'iam.GetPolicyVersion': ({ VersionId }) => ({
    PolicyVersion: {
      Document:
        VersionId === 'v3' ? document(allow('*', 'sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes')) : '{}',
    },
  }),
}

/** What AWS is asked through, with some answers replaced. Asking for anything else fails the test. */
export const asking =
  (replaced: Answers = {}): Ask =>
  async (service, operation, input) => {
    const answer = { ...account, ...replaced }[`${service}.${operation}`]
    if (answer === undefined) throw new Error(`nobody is to ask ${service}.${operation}`)
    return answer(input as Readonly<Record<string, unknown>>)
  }
