/** What stands in the service's serverless.yml, as an object: the beds differ in what they can do. */

/** What a bed wants of the service. */
export interface Wants {
  /** MiniStack refuses alarms of metric math. */
  readonly alarms: boolean
  /** A role a function, of serverless-iam-roles-per-function. */
  readonly rolesAFunction: boolean
}

/** Long enough for a cold start on a busy machine; the queues' visibility timeout is six times that. */
export const TIMEOUT = 5

const ref = (Ref: string) => ({ Ref })
const arn = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] })

const consumer = (handler: string, queue: string) => ({
  handler: `handlers.${handler}`,
  timeout: TIMEOUT,
  events: [{ redrive: { queue, ...(handler === 'ledger' && { fifo: true }), maximumConcurrency: 2 } }],
})

/** The service: the example's two consumers, and `orders` twice again, for what ends processes. */
export function configFor({ alarms, rolesAFunction }: Wants): object {
  return {
    service: 'redrive-e2e',
    frameworkVersion: '4',
    plugins: ['redrive/plugin', ...(rolesAFunction ? ['serverless-iam-roles-per-function'] : [])],
    provider: { name: 'aws', runtime: 'nodejs24.x', region: 'us-east-1', stage: 'test', environment: { BOOKS: ref('Books') } },
    custom: { redrive: { removal: 'Delete', ...(alarms && { alarm: { email: 'oncall@shop.example', owner: 'team-shop' } }) } },
    package: { patterns: ['!**', 'handlers.mjs'] },
    functions: {
      orders: consumer('orders', 'orders'),
      fragile: consumer('orders', 'fragile'),
      stuck: consumer('orders', 'stuck'),
      ledger: consumer('ledger', 'ledger'),
    },
    resources: {
      Resources: { Books: books, ...(alarms && inbox) },
      Outputs: Object.fromEntries(Object.entries(outputs(alarms)).map(([name, Value]) => [name, { Value }])),
    },
  }
}

const outputs = (alarms: boolean) => ({
  orders: ref('OrdersQueue'),
  ordersLetters: ref('OrdersDeadLetterQueue'),
  fragile: ref('FragileQueue'),
  stuck: ref('StuckQueue'),
  ledger: ref('LedgerQueue'),
  books: ref('Books'),
  table: ref('RedriveTable'),
  ...(alarms && { inbox: ref('Inbox') }),
})

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
