/** What stands in the service's serverless.yml, as an object: the beds differ in what they can do. */

/** A consumer of the example service, under a name of its own. */
export interface ConsumerWanted {
  readonly handler: 'orders' | 'ledger'
  readonly environment?: Readonly<Record<string, string>>
}

/** What a test wants of the service. */
export interface Wants {
  /** By the name of function and queue. */
  readonly consumers: Readonly<Record<string, ConsumerWanted>>
  /** MiniStack refuses alarms of metric math. */
  readonly alarms?: boolean
  /** A role a function, of serverless-iam-roles-per-function. */
  readonly rolesAFunction?: boolean
}

/** Long enough for a cold start on a busy machine; the queues' visibility timeout is six times that. */
export const TIMEOUT = 5

const ref = (Ref: string) => ({ Ref })
const arn = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] })

const functionFor = (queue: string, { handler, environment }: ConsumerWanted, rolesAFunction: boolean) => ({
  handler: `handlers.${handler}`,
  timeout: TIMEOUT,
  ...(environment !== undefined && { environment }),
  // Without statements of its own a function keeps the role of all.
  ...(rolesAFunction && { iamRoleStatements: [] }),
  events: [{ redrive: { queue, ...(handler === 'ledger' && { fifo: true }), maximumConcurrency: 2 } }],
})

/** The service. */
export function configFor({ consumers, alarms = false, rolesAFunction = false }: Wants): object {
  return {
    service: 'redrive-e2e',
    frameworkVersion: '4',
    plugins: ['redrive/plugin', ...(rolesAFunction ? ['serverless-iam-roles-per-function'] : [])],
    provider: { name: 'aws', runtime: 'nodejs24.x', region: 'us-east-1', stage: 'test', environment: { BOOKS: ref('Books') } },
    custom: { redrive: { removal: 'Delete', ...(alarms && { alarm: { email: 'oncall@shop.example', owner: 'team-shop' } }) } },
    package: { patterns: ['!**', 'handlers.mjs'] },
    functions: Object.fromEntries(
      Object.entries(consumers).map(([name, wanted]) => [name, functionFor(name, wanted, rolesAFunction)]),
    ),
    resources: {
      Resources: { Books: books, ...(alarms && inbox) },
      Outputs: {
        books: { Value: ref('Books') },
        table: { Value: ref('RedriveTable') },
        ...(alarms && { inbox: { Value: ref('Inbox') } }),
        ...Object.assign({}, ...Object.keys(consumers).map(queuesOf)),
      },
    },
  }
}

function queuesOf(name: string) {
  const id = name.charAt(0).toUpperCase() + name.slice(1)
  return { [name]: { Value: ref(`${id}Queue`) }, [`${name}Letters`]: { Value: ref(`${id}DeadLetterQueue`) } }
}

const books = {
  Type: 'AWS::DynamoDB::Table',
  Properties: {
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [
      { AttributeName: 'about', AttributeType: 'S' },
      { AttributeName: 'entry', AttributeType: 'S' },
    ],
    KeySchema: [
      { AttributeName: 'about', KeyType: 'HASH' },
      { AttributeName: 'entry', KeyType: 'RANGE' },
    ],
  },
}

/** Where the notices of the alarms arrive. */
const inbox = {
  Inbox: { Type: 'AWS::SQS::Queue' },
  InboxSubscription: {
    Type: 'AWS::SNS::Subscription',
    Properties: { Protocol: 'sqs', TopicArn: ref('RedriveAlarmTopic'), Endpoint: arn('Inbox') },
  },
  InboxPolicy: {
    Type: 'AWS::SQS::QueuePolicy',
    Properties: {
      Queues: [ref('Inbox')],
      PolicyDocument: {
        Version: '2012-10-17',
        Statement: [
          { Effect: 'Allow', Principal: { Service: 'sns.amazonaws.com' }, Action: 'sqs:SendMessage', Resource: arn('Inbox') },
        ],
      },
    },
  },
}
