/** A template in which nothing is wrong, and ways to change one thing in it. */
import type { OwnOptions } from '../../src/stack/doctor.ts'

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }
export type Template = {
  Resources: { [id: string]: { Type: string; Properties: JsonObject; [more: string]: Json } }
  [more: string]: Json
}

const att = (id: string, name = 'Arn'): Json => ({ 'Fn::GetAtt': [id, name] })
const allow = (Resource: Json, ...Action: string[]): Json => ({ Effect: 'Allow', Action, Resource })
const queueAlarm = (more: JsonObject) => ({
  AlarmActions: [{ Ref: 'Topic' }],
  Threshold: 0,
  ComparisonOperator: 'GreaterThanThreshold',
  ...more,
})

const letters = (MetricName: string): JsonObject => ({
  Namespace: 'AWS/SQS',
  MetricName,
  Dimensions: [{ Name: 'QueueName', Value: att('Letters', 'QueueName') }],
})

/** What the consumer in it says in its own code. */
export const goodOptions: OwnOptions = { maxAttempts: 12, store: 'environment' }

const good: Template = {
  Resources: {
    Queue: {
      Type: 'AWS::SQS::Queue',
      Properties: {
        QueueName: 'orders',
        VisibilityTimeout: 180,
        MessageRetentionPeriod: 345_600,
        RedrivePolicy: { deadLetterTargetArn: att('Letters'), maxReceiveCount: 1000 },
      },
    },
    Letters: { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'orders-dlq', MessageRetentionPeriod: 1_209_600 } },
    Function: {
      Type: 'AWS::Lambda::Function',
      Properties: {
        Runtime: 'nodejs24.x',
        Timeout: 30,
        Role: att('Role'),
        Environment: {
          Variables: {
            REDRIVE_QUEUE_URL: { Ref: 'Queue' },
            REDRIVE_DLQ_URL: { Ref: 'Letters' },
            REDRIVE_TABLE: { Ref: 'Table' },
            REDRIVE_MAX_AGE: '259200',
            REDRIVE_PARTIAL: '1',
          },
        },
      },
    },
    Mapping: {
      Type: 'AWS::Lambda::EventSourceMapping',
      Properties: {
        EventSourceArn: att('Queue'),
        FunctionName: { Ref: 'Function' },
        FunctionResponseTypes: ['ReportBatchItemFailures'],
      },
    },
    Table: {
      Type: 'AWS::DynamoDB::Table',
      Properties: {
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
        AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
        TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
      },
    },
    Role: {
      Type: 'AWS::IAM::Role',
      Properties: {
        Policies: [
          {
            PolicyName: 'consumer',
            PolicyDocument: {
              Statement: [
                allow([att('Queue')], 'sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'),
                allow([att('Queue')], 'sqs:ChangeMessageVisibility'),
                allow(att('Letters'), 'sqs:SendMessage'),
                allow([att('Table')], 'dynamodb:UpdateItem', 'dynamodb:GetItem'),
              ],
            },
          },
        ],
      },
    },
    Topic: { Type: 'AWS::SNS::Topic', Properties: {} },
    Depth: {
      Type: 'AWS::CloudWatch::Alarm',
      Properties: queueAlarm({
        ...letters('ApproximateNumberOfMessagesVisible'),
        Statistic: 'Maximum',
        TreatMissingData: 'ignore',
      }),
    },
    Growth: {
      Type: 'AWS::CloudWatch::Alarm',
      Properties: queueAlarm({
        TreatMissingData: 'notBreaching',
        Metrics: [
          {
            Id: 'm',
            MetricStat: { Metric: letters('ApproximateNumberOfMessagesVisible'), Stat: 'Maximum', Period: 60 },
            ReturnData: false,
          },
          { Id: 'e', Expression: 'DIFF(m)' },
        ],
      }),
    },
    Stalled: {
      Type: 'AWS::CloudWatch::Alarm',
      Properties: queueAlarm({
        Namespace: 'redrive',
        MetricName: 'message_age',
        Dimensions: [{ Name: 'consumer', Value: att('Queue', 'QueueName') }],
        Statistic: 'Maximum',
        Threshold: 51_840,
        TreatMissingData: 'notBreaching',
      }),
    },
  },
}

export const goodTemplate = (): Template => structuredClone(good)

/**
 * The good template with some of it changed: `{ 'Queue.VisibilityTimeout': 29 }`. `undefined` takes a property away, and a whole
 * resource where only its id is named.
 */
export function changed(changes: Readonly<Record<string, unknown>>): Template {
  const template = goodTemplate()
  for (const [path, value] of Object.entries(changes)) {
    const [id = '', ...keys] = path.split('.')
    const last = keys.pop()
    if (last === undefined) set(template.Resources, id, value)
    else set(inner(template.Resources[id]?.Properties ?? {}, keys), last, value)
  }
  return template
}

function inner(properties: JsonObject, keys: readonly string[]): JsonObject {
  let at = properties
  for (const key of keys) {
    at[key] ??= {}
    at = at[key] as JsonObject
  }
  return at
}

function set(target: object, key: string, value: unknown): void {
  if (value === undefined) Reflect.deleteProperty(target, key)
  else Object.assign(target, { [key]: value })
}

/** What makes the good template one of FIFO queues. */
export const fifoChanges = {
  'Queue.QueueName': 'orders.fifo',
  'Queue.FifoQueue': true,
  'Letters.QueueName': 'orders-dlq.fifo',
  'Letters.FifoQueue': true,
}

/** The same consumer on FIFO queues. */
export const fifo = (changes: Readonly<Record<string, unknown>> = {}): Template => changed({ ...fifoChanges, ...changes })
