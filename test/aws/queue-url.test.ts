/** The source queue's URL from its ARN, without asking SQS. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { queueUrl } from '../../src/aws/queue-url.ts'

const arn = 'arn:aws:sqs:eu-central-1:111122223333:orders'

test('is built from region, partition, account and name', () => {
  for (const [partition, region, host] of [
    ['aws', 'eu-central-1', 'sqs.eu-central-1.amazonaws.com'],
    ['aws-us-gov', 'us-gov-west-1', 'sqs.us-gov-west-1.amazonaws.com'],
    ['aws-cn', 'cn-north-1', 'sqs.cn-north-1.amazonaws.com.cn'],
  ]) {
    assert.equal(
      queueUrl(`arn:${partition}:sqs:${region}:111122223333:orders.fifo`, undefined, undefined),
      `https://${host}/111122223333/orders.fifo`,
    )
  }
})

test('a known URL is taken if its queue has the same name, for any other queue it is not', () => {
  const known = 'http://localhost:4566/000000000000/orders'
  assert.equal(queueUrl(arn, known, undefined), known)
  for (const other of [
    'http://localhost:4566/0/orders2',
    'http://localhost:4566/0/my-orders',
    'http://localhost:4566/0/orders.fifo',
  ]) {
    assert.equal(queueUrl(arn, other, undefined), 'https://sqs.eu-central-1.amazonaws.com/111122223333/orders')
  }
})

test('an endpoint (an emulator, a VPC endpoint) is the base, with or without a slash at its end', () => {
  for (const endpoint of ['http://localhost:4566', 'http://localhost:4566/']) {
    assert.equal(queueUrl(arn, undefined, endpoint), 'http://localhost:4566/111122223333/orders')
  }
})
