import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs'
import { type EmbeddedSqs, startEmbeddedDynamoDb, startEmbeddedSqs } from '../../src/worker/index.ts'

const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }

async function attributes(sqs: EmbeddedSqs, url: string): Promise<Record<string, string>> {
  const client = new SQSClient({ endpoint: sqs.endpoint, region: sqs.region, credentials })
  try {
    const { Attributes } = await client.send(new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['All'] }))
    return Attributes ?? {}
  } finally {
    client.destroy()
  }
}

test('SQS listens on 127.0.0.1, and region, account and host of its queues fit together', async () => {
  const sqs = await startEmbeddedSqs({ region: 'eu-central-1' })
  try {
    assert.match(sqs.endpoint, /^http:\/\/127\.0\.0\.1:\d+$/)
    const queue = await sqs.createQueue({ name: 'orders' })
    assert.equal(queue.url, `${sqs.endpoint}/000000000000/orders`)
    assert.equal(queue.arn, 'arn:aws:sqs:eu-central-1:000000000000:orders')
    const own = await attributes(sqs, queue.url)
    assert.deepEqual(JSON.parse(own['RedrivePolicy']!), { deadLetterTargetArn: queue.deadLetterArn, maxReceiveCount: 1000 })
    assert.equal(own['MaximumMessageSize'], '1048576')
    assert.equal((await attributes(sqs, queue.deadLetterUrl))['MessageRetentionPeriod'], '1209600')
    assert.equal(await sqs.inspect('nowhere'), undefined)
  } finally {
    await sqs.stop()
  }
})

test('a FIFO queue gets its ending and a FIFO dead-letter queue; making it twice finds it', async () => {
  const sqs = await startEmbeddedSqs()
  try {
    const queue = await sqs.createQueue({ name: 'ledger', fifo: true })
    assert.match(queue.url, /\/ledger\.fifo$/)
    assert.match(queue.deadLetterUrl, /\/ledger-dlq\.fifo$/)
    assert.equal((await attributes(sqs, queue.deadLetterUrl))['FifoQueue'], 'true')
    assert.deepEqual(await sqs.createQueue({ name: 'ledger.fifo', visibilityTimeout: 77 }), queue)
  } finally {
    await sqs.stop()
  }
})

test('DynamoDB listens on 127.0.0.1 and makes the idempotency table, also when asked twice', async () => {
  const dynamoDb = await startEmbeddedDynamoDb()
  try {
    assert.match(dynamoDb.endpoint, /^http:\/\/127\.0\.0\.1:\d+$/)
    await dynamoDb.createTable('idempotency')
    await dynamoDb.createTable('idempotency')
  } finally {
    await dynamoDb.stop()
  }
})
