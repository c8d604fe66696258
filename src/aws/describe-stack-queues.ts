/** Queues and tables, as they are. */
import type { DescribeTableOutput, DescribeTimeToLiveOutput } from '@aws-sdk/client-dynamodb'
import { type Ask, tell } from './describe-stack-ask.ts'
import { allNotSeen, type Gathered, notSeen } from './describe-stack-gathered.ts'
import { queueName } from './queue-url.ts'

/** Attributes of SQS that are properties of the same name in CloudFormation. */
const ATTRIBUTES = [
  'FifoQueue',
  'VisibilityTimeout',
  'MessageRetentionPeriod',
  'MaximumMessageSize',
  'RedrivePolicy',
  'RedriveAllowPolicy',
  'KmsMasterKeyId',
] as const

/** Adds a queue, by ARN or URL. Gives the ARN of the queue that it moves to. */
export async function describeQueue({ resources, missing }: Gathered, arnOrUrl: string, ask: Ask): Promise<string | undefined> {
  const name = queueName(arnOrUrl)
  const add = (Properties: Readonly<Record<string, unknown>>): void => {
    resources.set(`queue ${name}`, { Type: 'AWS::SQS::Queue', Properties: { QueueName: name, ...Properties } })
  }
  const arn = arnOrUrl.startsWith('arn:') ? { Arn: arnOrUrl } : {}
  const told = await attributesOf(arnOrUrl, name, ask)
  if (told.is === 'missing') {
    missing.add(name)
    return undefined
  }
  if (told.is === 'not told') {
    add({ ...arn, ...allNotSeen(told.why, ...ATTRIBUTES) })
    addPolicy({ resources, missing }, name, notSeen(told.why))
    return undefined
  }
  const { Attributes: attributes = {} } = told.answer
  const properties = ATTRIBUTES.flatMap((key) => (attributes[key] === undefined ? [] : [[key, attributes[key]] as const]))
  add({ ...(attributes['QueueArn'] === undefined ? arn : { Arn: attributes['QueueArn'] }), ...Object.fromEntries(properties) })
  if (attributes['Policy']) addPolicy({ resources, missing }, name, parsed(attributes['Policy'], `the policy of ${name}`))
  const redrive = parsed(attributes['RedrivePolicy'] ?? '{}', '') as { readonly deadLetterTargetArn?: unknown }
  return typeof redrive.deadLetterTargetArn === 'string' ? redrive.deadLetterTargetArn : undefined
}

async function attributesOf(arnOrUrl: string, name: string, ask: Ask) {
  const account = arnOrUrl.startsWith('arn:') ? arnOrUrl.split(':')[4] : undefined
  const owner = account ? { QueueOwnerAWSAccountId: account } : {}
  const url = arnOrUrl.startsWith('arn:')
    ? await tell<{ QueueUrl?: string }>(ask, 'sqs', 'GetQueueUrl', { QueueName: name, ...owner })
    : { is: 'told' as const, answer: { QueueUrl: arnOrUrl } }
  if (url.is !== 'told') return url
  const input = { QueueUrl: url.answer.QueueUrl, AttributeNames: ['All'] }
  return await tell<{ Attributes?: Record<string, string> }>(ask, 'sqs', 'GetQueueAttributes', input)
}

function addPolicy({ resources }: Gathered, name: string, PolicyDocument: unknown): void {
  resources.set(`policy of queue ${name}`, { Type: 'AWS::SQS::QueuePolicy', Properties: { Queues: [name], PolicyDocument } })
}

/** Adds a table, by name or ARN. */
export async function describeTable({ resources, missing }: Gathered, nameOrArn: string, ask: Ask): Promise<void> {
  const name = nameOrArn.slice(nameOrArn.lastIndexOf('/') + 1)
  const table = await tell<DescribeTableOutput>(ask, 'dynamodb', 'DescribeTable', { TableName: nameOrArn })
  if (table.is === 'missing') {
    missing.add(name)
    return
  }
  const ttl = await tell<DescribeTimeToLiveOutput>(ask, 'dynamodb', 'DescribeTimeToLive', { TableName: nameOrArn })
  const { AttributeName, TimeToLiveStatus = '' } = ttl.is === 'told' ? (ttl.answer.TimeToLiveDescription ?? {}) : {}
  resources.set(`table ${name}`, {
    Type: 'AWS::DynamoDB::Table',
    Properties: {
      TableName: name,
      ...(table.is === 'told'
        ? {
            Arn: table.answer.Table?.TableArn,
            KeySchema: table.answer.Table?.KeySchema ?? [],
            AttributeDefinitions: table.answer.Table?.AttributeDefinitions ?? [],
          }
        : allNotSeen(table.why, 'KeySchema', 'AttributeDefinitions')),
      TimeToLiveSpecification:
        ttl.is === 'not told' ? notSeen(ttl.why) : { AttributeName, Enabled: /^ENABL/.test(TimeToLiveStatus) },
    },
  })
}

function parsed(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return notSeen(`${what}, which is no JSON`)
  }
}
