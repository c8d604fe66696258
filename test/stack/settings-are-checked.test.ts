import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ConsumerOptions, ServiceOptions } from '../../src/stack/options.ts'
import { consumerResources, serviceResources } from '../../src/stack/resources.ts'
import { StackError } from '../../src/stack/stack-error.ts'
import { ledger, orders, shop } from './options.ts'

const arn = (name: string) => `arn:aws:sqs:eu-central-1:111122223333:${name}`

const consumers: readonly (readonly [what: string, options: object, message: RegExp])[] = [
  ['a window on FIFO', { ...ledger, batchWindow: 5 }, /"batchWindow" can't be set on a FIFO queue/],
  ['a batch above ten on FIFO', { ...ledger, batchSize: 11 }, /"batchSize" must be at most 10 on a FIFO queue/],
  ['a batch above ten without a window', { ...orders, batchSize: 11, batchWindow: 0 }, /"batchWindow" must be at least 1/],
  ['a batch above 10,000', { ...orders, batchSize: 10_001 }, /"batchSize" must be a whole number from 1 to 10000, not 10001/],
  ['a window above 300', { ...orders, batchWindow: 301 }, /"batchWindow" must be a whole number from 0 to 300/],
  ['a concurrency of one', { ...orders, maximumConcurrency: 1 }, /"maximumConcurrency" must be a whole number from 2 to 1000/],
  [
    'concurrency beside pollers',
    { ...orders, maximumConcurrency: 2, provisionedPollers: {} },
    /"maximumConcurrency" can't stand beside "provisionedPollers"/,
  ],
  [
    'too few pollers',
    { ...orders, provisionedPollers: { minimum: 1 } },
    /"provisionedPollers\.minimum" must be a whole number from 2/,
  ],
  [
    'fewer pollers at most than at least',
    { ...orders, provisionedPollers: { minimum: 100, maximum: 50 } },
    /"provisionedPollers\.minimum" must not be above the maximum, 50/,
  ],
  ['a setting of pollers that is none', { ...orders, provisionedPollers: { min: 2 } }, /"provisionedPollers\.min" is no setting/],
  ['a timeout beyond Lambda’s', { ...orders, functionTimeout: 901 }, /"functionTimeout" must be a whole number from 1 to 900/],
  ['no timeout', { logicalName: 'Orders', queue: { make: 'orders' } }, /"functionTimeout" is missing/],
  ['an unknown setting', { ...orders, batchsize: 5 }, /"batchsize" is no setting\. Did you mean "batchSize"\?$/],
  ['a logical name with a hyphen', { ...orders, logicalName: 'my-orders' }, /consumer my-orders: "logicalName" must be letters/],
  ['a queue both made and there', { ...orders, queue: { make: 'x', arn: arn('x') } }, /"queue" must be \{ make: a name \} or/],
  ['a queue’s URL in the place of its ARN', { ...orders, queue: { arn: 'https://sqs/1/x' } }, /"queue\.arn" must be the ARN/],
  ['a name that SQS refuses', { ...orders, queue: { make: 'my.orders' } }, /"queue\.make" must be the name of a queue/],
  ['fifo: false for a .fifo name', { ...orders, fifo: false, queue: { make: 'a.fifo' } }, /"fifo" must not be false/],
  ['fifo: true for a standard queue', { ...orders, fifo: true, queue: { arn: arn('x') } }, /"fifo" must be false for the queue/],
  [
    'fifo: false for a FIFO queue',
    { ...orders, fifo: false, queue: { arn: arn('x.fifo') } },
    /"fifo" must be true for the queue/,
  ],
  ['a standard dead-letter queue of FIFO', { ...ledger, deadLetterQueue: { arn: arn('x') } }, /"deadLetterQueue" must be a FIFO/],
  ['a FIFO dead-letter queue', { ...orders, deadLetterQueue: { arn: arn('x.fifo') } }, /"deadLetterQueue" must be a standard/],
  ['an age beyond the retention', { ...orders, maxAge: 345_600 }, /"maxAge" must be below the queue's retention of 345600/],
  ['a key that is no ARN', { ...orders, kmsKeyArn: 'alias/mine' }, /"kmsKeyArn" must be the ARN of a KMS key, not "alias\/mine"/],
  ['no consumer at all', null as unknown as object, /options/],
]

const services: readonly (readonly [what: string, options: object, message: RegExp])[] = [
  ['no stage', { service: 'shop' }, /service: "stage" is missing/],
  ['a service with a blank', { service: 'my shop', stage: 'x' }, /"service" must be letters/],
  [
    'a mail without an address',
    { ...shop, alarm: { email: 'oncall' } },
    /"alarm\.email" must be an address of mail, not "oncall"/,
  ],
  [
    'mail beside a topic',
    { ...shop, alarm: { email: 'a@b', topicArn: 'arn:aws:sns:eu-central-1:111122223333:t' } },
    /"alarm\.email" can't stand beside "alarm\.topicArn"/,
  ],
  [
    'an owner that fills the description',
    { ...shop, alarm: { owner: 'x'.repeat(101) } },
    /"alarm\.owner" must be a text of 1 to 100/,
  ],
  [
    'a setting of alarms that is none',
    { ...shop, alarm: { mail: 'a@b' } },
    /"alarm\.mail" is no setting\. Did you mean "email"\?$/,
  ],
  ['a table by its name', { ...shop, table: 'idempotency' }, /"table" must be false or/],
  ['a retention beyond SQS’s', { ...shop, retention: 1_209_601 }, /"retention" must be a whole number from 60 to 1209600/],
  ['a removal that is none', { ...shop, removal: 'keep' }, /"removal" must be 'Retain' or 'Delete', not "keep"/],
]

describe('a setting that has no sense is refused, with its name, its place and what was expected:', () => {
  for (const [what, options, message] of consumers) {
    it(what, () => assert.throws(() => consumerResources(options as ConsumerOptions, shop), refusal(message)))
  }
  for (const [what, options, message] of services) {
    it(what, () => assert.throws(() => serviceResources(options as ServiceOptions, [orders]), refusal(message)))
  }
})

const refusal = (message: RegExp) => (error: unknown) => error instanceof StackError && message.test(error.message)

describe('names that are too long', () => {
  it('80 characters are for the dead-letter queue’s name too', () => {
    const make = (length: number) => ({ ...orders, queue: { make: 'x'.repeat(length) } })
    assert.doesNotThrow(() => consumerResources(make(76), shop))
    assert.throws(() => consumerResources(make(77), shop), /"x+-dlq" has 81 characters, and SQS takes 80, \.fifo included/)
  })

  it('.fifo counts', () => {
    const make = (length: number) => ({ ...ledger, queue: { make: 'x'.repeat(length) } })
    assert.doesNotThrow(() => consumerResources(make(71), shop))
    assert.throws(() => consumerResources(make(72), shop), /has 81 characters/)
  })

  it('a queue with a dead-letter queue of one’s own has all 80', () => {
    const deadLetterQueue = { arn: arn('dead') }
    assert.doesNotThrow(() => consumerResources({ ...orders, deadLetterQueue, queue: { make: 'x'.repeat(80) } }, shop))
  })
})

describe('consumers that can’t live together', () => {
  for (const [what, other, message] of [
    [
      'the same logical name',
      { queue: { make: 'other' } },
      /consumer Orders: "logicalName" is "Orders", as that of consumer Orders/,
    ],
    ['the same queue', { logicalName: 'Other' }, /consumer Other: "queue" is "orders", as that of consumer Orders/],
    [
      'a queue that is another’s dead-letter queue',
      { logicalName: 'Other', queue: { make: 'orders-dlq' } },
      /consumer Other: "queue" is orders-dlq, and so would the dead-letter queue of consumer Orders be called/,
    ],
    [
      'a name that is another’s dead-letter queue',
      { logicalName: 'OrdersDeadLetter', queue: { make: 'other' } },
      /consumer OrdersDeadLetter: "logicalName" must not end with DeadLetter/,
    ],
  ] as const) {
    it(what, () => assert.throws(() => serviceResources(shop, [orders, { ...orders, ...other }]), refusal(message)))
  }
})
