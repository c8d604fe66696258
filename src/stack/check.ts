/** Refuses options that have no sense, by name, before anything is made of them. */
import { nearestOf } from '../flow/check-options.ts'
import { type Check, check, isFilled, isObject, isText, within } from './check-value.ts'
import { DEFAULT_RETENTION, largestBatch } from './limits.ts'
import { deadLetterQueueOf, isFifo, labelOf, madeName, queueOf } from './names.ts'
import type { ConsumerOptions, ServiceOptions, Value } from './options.ts'
import { StackError } from './stack-error.ts'

/** The longest logical id, of which some is for what comes behind the name. */
const LONGEST_NAME = 200
/** https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-queues.html, F12. */
const LONGEST_QUEUE_NAME = 80
/** Two of them, a consumer of 128 and the alarm's own name stay below CloudWatch's 255 characters (F99). */
const LONGEST_SERVICE = 48

const isArnOf = (service: string) => (value: unknown) =>
  isObject(value) || (typeof value === 'string' && new RegExp(`^arn:[^:]+:${service}:[^:]*:\\d{12}:.+`).test(value))
const queueArn: Check = ['the ARN of an SQS queue', isArnOf('sqs')]
const arnOf = (what: string, service: string): Check => [
  `{ arn: the ARN of ${what} }`,
  (value) => isObject(value) && Object.keys(value).join() === 'arn' && isArnOf(service)(value['arn']),
]
const trueOrFalse: Check = ['true or false', (value) => typeof value === 'boolean']
const valueOfText: Check = ['a text or an intrinsic function', (value) => isFilled(value) || isObject(value)]

const CONSUMER: Readonly<Record<keyof ConsumerOptions, Check>> = {
  logicalName: [
    `letters and digits, the first one upper case, at most ${LONGEST_NAME}`,
    (value) => isText(value, LONGEST_NAME) && /^[A-Z][A-Za-z0-9]*$/.test(String(value)),
  ],
  name: ['the consumer\'s own option "name": 1 to 128 characters', (value) => isText(value, 128)],
  functionName: valueOfText,
  queue: ['{ make: a name } or { arn: the ARN of a queue }', (value) => isObject(value) && 'make' in value !== 'arn' in value],
  deadLetterQueue: arnOf('an SQS queue', 'sqs'),
  fifo: trueOrFalse,
  functionTimeout: within(1, 900),
  batchSize: within(1, 10_000),
  batchWindow: within(0, 300),
  maximumConcurrency: within(2, 1000),
  provisionedPollers: ['{ minimum, maximum }', isObject],
  kmsKeyArn: ['the ARN of a KMS key', isArnOf('kms')],
  maxAttempts: within(1, 1000),
  maxAge: within(1, 1_209_600),
}

const SERVICE: Readonly<Record<keyof ServiceOptions, Check>> = {
  service: namePart(),
  stage: namePart(),
  alarm: ['an object', isObject],
  table: [
    'false or { arn: the ARN of a DynamoDB table }',
    (value) => value === false || arnOf('a DynamoDB table', 'dynamodb')[1](value),
  ],
  retention: within(60, 1_209_600),
  removal: ["'Retain' or 'Delete'", (value) => value === 'Retain' || value === 'Delete'],
  dashboard: trueOrFalse,
}

const ALARM: Readonly<Record<keyof NonNullable<ServiceOptions['alarm']>, Check>> = {
  email: ['an address of mail', (value) => isText(value, 320) && /^[^\s@]+@[^\s@]+$/.test(String(value))],
  topicArn: ['the ARN of an SNS topic', isArnOf('sns')],
  owner: ['a text of 1 to 100 characters', (value) => isText(value, 100)],
  runbook: ['a text of 1 to 200 characters', (value) => isText(value, 200)],
}

function namePart(): Check {
  return [
    `letters, digits, hyphens and underscores, at most ${LONGEST_SERVICE}`,
    (value) => isText(value, LONGEST_SERVICE) && /^[\w-]+$/.test(String(value)),
  ]
}

/** What the service's own settings say, and whether its consumers can live together. Throws a {@link StackError}. */
export function checkService(service: ServiceOptions, consumers: readonly ConsumerOptions[] = []): void {
  check('service', service, SERVICE, ['service', 'stage'], nearestOf)
  if (service.alarm !== undefined) {
    check('service', service.alarm, ALARM, [], nearestOf, 'alarm.')
    if (service.alarm.email !== undefined && service.alarm.topicArn !== undefined) {
      throw new StackError('service', 'alarm.email', 'can\'t stand beside "alarm.topicArn": subscribe it to that topic yourself')
    }
  }
  for (const consumer of consumers) checkConsumer(consumer, service)
  unique(consumers, 'logicalName', ({ logicalName }) => logicalName)
  unique(consumers, 'queue', queueName)
  unique(consumers, 'name', labelOf)
  // OrdersDeadLetter + Queue is Orders + DeadLetterQueue.
  const ids = new Set(consumers.map(({ logicalName }) => `${logicalName}DeadLetter`))
  for (const { logicalName } of consumers) {
    if (ids.has(logicalName))
      throw new StackError(
        `consumer ${logicalName}`,
        'logicalName',
        'must not end with DeadLetter here: that is what the dead-letter queue of another consumer is called',
      )
  }
}

/** The queue of one can be the dead-letter queue of another: `orders` and `orders-dlq`. Throws a {@link StackError}. */
export function checkQueueNames(consumers: readonly ConsumerOptions[]): void {
  for (const consumer of consumers) {
    const { logicalId, name } = deadLetterQueueOf(consumer)
    const other = consumers.find((one) => queueName(one) === nameText(name))
    if (logicalId !== undefined && other !== undefined) {
      throw new StackError(
        `consumer ${other.logicalName}`,
        'queue',
        `is ${nameText(name)}, and so would the dead-letter queue of consumer ${consumer.logicalName} be called`,
      )
    }
  }
}

const nameText = (name: Value): string => (typeof name === 'string' ? name : JSON.stringify(name))
const queueName = (consumer: ConsumerOptions): string => nameText(queueOf(consumer).name)

function unique(consumers: readonly ConsumerOptions[], setting: string, of: (consumer: ConsumerOptions) => string): void {
  const seen = new Map<string, string>()
  for (const consumer of consumers) {
    const value = of(consumer)
    const other = seen.get(value)
    if (other !== undefined) {
      throw new StackError(
        `consumer ${consumer.logicalName}`,
        setting,
        `is "${value}", as that of consumer ${other}: two consumers must differ in it`,
      )
    }
    seen.set(value, consumer.logicalName)
  }
}

/** Throws a {@link StackError}. */
export function checkConsumer(consumer: ConsumerOptions, service: ServiceOptions): void {
  const where = `consumer ${Object(consumer).logicalName ?? '(without a logicalName)'}`
  check(where, consumer, CONSUMER, ['logicalName', 'queue', 'functionTimeout'], nearestOf)
  const refuse = (setting: string, expected: string): never => {
    throw new StackError(where, setting, expected)
  }
  checkQueues(consumer, refuse)
  checkBatches(consumer, refuse)
  checkScaling(where, consumer, refuse)
  const { retention = DEFAULT_RETENTION } = service
  if ('make' in consumer.queue && consumer.maxAge !== undefined && consumer.maxAge >= retention) {
    refuse('maxAge', `must be below the queue's retention of ${retention} seconds: SQS deletes what is older`)
  }
}

type Refuse = (setting: string, expected: string) => never

function checkQueues(consumer: ConsumerOptions, refuse: Refuse): void {
  const { queue, deadLetterQueue, fifo } = consumer
  const isFifoQueue = isFifo(consumer)
  if ('arn' in queue) {
    if (!queueArn[1](queue.arn)) refuse('queue.arn', `must be ${queueArn[0]}`)
    if (typeof queue.arn === 'string' && queue.arn.endsWith('.fifo') !== isFifoQueue) {
      refuse('fifo', `must be ${!isFifoQueue} for the queue ${queue.arn}: a queue is FIFO if its name ends with .fifo`)
    }
  } else checkMade(consumer, queue.make, fifo, isFifoQueue, refuse)
  const theirs = deadLetterQueue?.arn
  if (typeof theirs === 'string' && theirs.endsWith('.fifo') !== isFifoQueue) {
    refuse('deadLetterQueue', `must be ${isFifoQueue ? 'a FIFO queue' : 'a standard queue'}, as the queue is: SQS takes no other`)
  }
}

function checkMade(
  consumer: ConsumerOptions,
  make: unknown,
  fifo: boolean | undefined,
  isFifoQueue: boolean,
  refuse: Refuse,
): void {
  if (typeof make !== 'string' || !/^[\w-]+(\.fifo)?$/.test(make)) {
    refuse(
      'queue.make',
      'must be the name of a queue: letters, digits, hyphens and underscores, and .fifo at the end of a FIFO queue',
    )
  }
  const name = String(make)
  if (fifo === false && name.endsWith('.fifo'))
    refuse('fifo', `must not be false for the queue ${name}: SQS keeps .fifo for FIFO queues`)
  const names = [madeName(name, isFifoQueue)]
  const letters = deadLetterQueueOf(consumer)
  if (letters.logicalId !== undefined) names.push(String(letters.name))
  const long = names.find((one) => one.length > LONGEST_QUEUE_NAME)
  if (long !== undefined) {
    refuse(
      'queue.make',
      `is too long: "${long}" has ${long.length} characters, and SQS takes ${LONGEST_QUEUE_NAME}, .fifo included`,
    )
  }
}

function checkBatches(consumer: ConsumerOptions, refuse: Refuse): void {
  const { batchSize = 10, batchWindow } = consumer
  const most = largestBatch(consumer)
  if (batchSize > most) refuse('batchSize', `must be at most ${most} on a FIFO queue`)
  if (batchWindow !== undefined && isFifo(consumer)) refuse('batchWindow', "can't be set on a FIFO queue: Lambda has none there")
  if (batchSize > 10 && batchWindow === 0) refuse('batchWindow', 'must be at least 1 where "batchSize" is above 10')
}

function checkScaling(where: string, consumer: ConsumerOptions, refuse: Refuse): void {
  const { provisionedPollers, maximumConcurrency } = consumer
  if (provisionedPollers === undefined) return
  if (maximumConcurrency !== undefined) {
    refuse('maximumConcurrency', 'can\'t stand beside "provisionedPollers": Lambda takes one of them (ten invocations a poller)')
  }
  const pollers = { minimum: within(2, 200), maximum: within(2, 10_000) }
  check(where, provisionedPollers, pollers, [], nearestOf, 'provisionedPollers.')
  const { minimum = 2, maximum = 200 } = provisionedPollers
  if (minimum > maximum) refuse('provisionedPollers.minimum', `must not be above the maximum, ${maximum}`)
}
