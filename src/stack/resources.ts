/** The resources of CloudFormation: queues a consumer, and what all consumers of a service share. */
import { alarmsFor } from './alarms.ts'
import { checkConsumer, checkQueueNames, checkService } from './check.ts'
import { dashboardFor } from './dashboard.ts'
import { DEAD_LETTER_RETENTION, DEFAULT_RETENTION, maxReceiveCountOf, visibilityTimeoutOf } from './limits.ts'
import { DASHBOARD, deadLetterQueueOf, isFifo, prefixOf, queueOf, SUBSCRIPTION, TABLE, TOPIC } from './names.ts'
import type { ConsumerOptions, Resource, Resources, ServiceOptions } from './options.ts'
import { ref } from './values.ts'

/** Queue, dead-letter queue and alarms of one consumer; of queues of one's own nothing. Throws a `StackError`. */
export function consumerResources(consumer: ConsumerOptions, service: ServiceOptions): Resources {
  checkService(service)
  checkConsumer(consumer, service)
  return { ...queues(consumer, service), ...alarmsFor(consumer, service) }
}

/** Table, topic with its subscription, and dashboard. Throws a `StackError`, also where two consumers can't live together. */
export function serviceResources(service: ServiceOptions, consumers: readonly ConsumerOptions[]): Resources {
  checkService(service, consumers)
  checkQueueNames(consumers)
  const { alarm, removal = 'Retain' } = service
  return {
    ...(service.table === undefined && { [TABLE]: table(removal) }),
    ...(alarm !== undefined && alarm.topicArn === undefined && { [TOPIC]: topic(service) }),
    ...(alarm?.email !== undefined && { [SUBSCRIPTION]: subscription(alarm.email) }),
    ...(service.dashboard !== false && consumers.length > 0 && { [DASHBOARD]: dashboardFor(service, consumers) }),
  }
}

function queues(consumer: ConsumerOptions, service: ServiceOptions): Resources {
  const { retention = DEFAULT_RETENTION, removal = 'Retain' } = service
  const queue = queueOf(consumer)
  const deadLetters = deadLetterQueueOf(consumer)
  const shared = {
    ...(isFifo(consumer) && { FifoQueue: true }),
    ...(consumer.kmsKeyArn === undefined ? { SqsManagedSseEnabled: true } : { KmsMasterKeyId: consumer.kmsKeyArn }),
  }
  const source = (): Resource => ({
    Type: 'AWS::SQS::Queue',
    // Another name is another queue: the old one may still hold messages.
    DeletionPolicy: 'Delete',
    UpdateReplacePolicy: removal,
    Properties: {
      QueueName: queue.name,
      ...shared,
      VisibilityTimeout: visibilityTimeoutOf(consumer),
      MessageRetentionPeriod: retention,
      RedrivePolicy: { deadLetterTargetArn: deadLetters.arn, maxReceiveCount: maxReceiveCountOf(consumer, service) },
    },
  })
  const dead = (): Resource => ({
    Type: 'AWS::SQS::Queue',
    DeletionPolicy: removal,
    UpdateReplacePolicy: removal,
    Properties: { QueueName: deadLetters.name, ...shared, MessageRetentionPeriod: DEAD_LETTER_RETENTION },
  })
  return {
    ...(queue.logicalId !== undefined && { [queue.logicalId]: source() }),
    ...(deadLetters.logicalId !== undefined && { [deadLetters.logicalId]: dead() }),
  }
}

/** Its name is CloudFormation's: a table that was retained is in nobody's way when the stack is made again. */
const table = (removal: 'Retain' | 'Delete'): Resource => ({
  Type: 'AWS::DynamoDB::Table',
  DeletionPolicy: removal,
  UpdateReplacePolicy: removal,
  Properties: {
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
    SSESpecification: { SSEEnabled: true },
  },
})

/** Not encrypted with `alias/aws/sns`: CloudWatch may not use that key, and its notices would be lost without a word. */
const topic = (service: ServiceOptions): Resource => ({
  Type: 'AWS::SNS::Topic',
  Properties: { TopicName: `${prefixOf(service)}-alarms` },
})

const subscription = (email: string): Resource => ({
  Type: 'AWS::SNS::Subscription',
  Properties: { TopicArn: ref(TOPIC), Protocol: 'email', Endpoint: email },
})
