// The worker against a real emulator, with the real SDK.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import type { SqsSender } from '../../src/aws/sqs-receive.ts'
import type { SqsEvent } from '../../src/flow/event.ts'
import { type EmbeddedSqs, startEmbeddedSqs, startWorker, WorkerStartError } from '../../src/worker/index.ts'
import { stubLogger } from './stubs/stub-sqs.ts'

let sqs: EmbeddedSqs
let client: SQSClient
before(async () => {
  sqs = await startEmbeddedSqs({ region: 'eu-west-1' })
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
  client = new SQSClient({ endpoint: sqs.endpoint, region: sqs.region, credentials })
})
after(async () => {
  client.destroy()
  await sqs.stop()
})

/** The client, with a promise for the time when so many messages have been deleted. */
function watched(deletions: number): { sender: SqsSender; deleted: Promise<void> } {
  const done = Promise.withResolvers<void>()
  let count = 0
  const sender: SqsSender = {
    async send(command, options) {
      const answer: unknown = await client.send(command, options)
      count +=
        (command as object).constructor.name === 'DeleteMessageBatchCommand'
          ? (answer as { Successful: [] }).Successful.length
          : 0
      if (count >= deletions) done.resolve()
      return answer
    },
  }
  return { sender, deleted: done.promise }
}

async function work(url: string, sender: SqsSender, handler: (event: SqsEvent) => unknown) {
  const logger = stubLogger()
  return { logger, worker: await startWorker({ handler, queueUrl: url, sqs: sender, logger, waitSeconds: 1 }) }
}

async function send(url: string, body: string, more: object = {}): Promise<string> {
  return (await client.send(new SendMessageCommand({ QueueUrl: url, MessageBody: body, ...more }))).MessageId!
}

test('a message goes in with its attributes, through the handler, and out of the queue', async () => {
  const { url, arn } = await sqs.createQueue({ name: 'whole' })
  const id = await send(url, '{"id":1}', {
    MessageAttributes: {
      kind: { DataType: 'String', StringValue: 'order' },
      blob: { DataType: 'Binary', BinaryValue: new Uint8Array([0, 1, 2, 255]) },
    },
  })
  const { sender, deleted } = watched(1)
  const events: SqsEvent[] = []
  const { worker } = await work(url, sender, (event) => void events.push(event))
  await deleted
  await worker.stop()
  const record = events[0]!.Records[0]!
  assert.equal(record.messageId, id)
  assert.equal(record.eventSourceARN, arn)
  assert.equal(record.awsRegion, 'eu-west-1')
  assert.equal(record.attributes.ApproximateReceiveCount, '1')
  assert.match(record.attributes.SentTimestamp, /^\d{13}$/)
  const lists = { stringListValues: [], binaryListValues: [] }
  assert.deepEqual(record.messageAttributes['kind'], { stringValue: 'order', ...lists, dataType: 'String' })
  assert.deepEqual(record.messageAttributes['blob'], { binaryValue: 'AAEC/w==', ...lists, dataType: 'Binary' })
  assert.deepEqual(await sqs.inspect('whole'), { ready: [], delayed: [], inflight: [] })
})

test('of a batch only the reported messages stay, hidden for the rest of their visibility timeout', async () => {
  const { url } = await sqs.createQueue({ name: 'partial', visibilityTimeout: 300 })
  for (const body of ['good', 'bad', 'fine']) await send(url, body)
  const { sender, deleted } = watched(2)
  const { worker } = await work(url, sender, ({ Records }) => {
    const bad = Records.filter(({ body }) => body === 'bad')
    return { batchItemFailures: bad.map(({ messageId }) => ({ itemIdentifier: messageId })) }
  })
  await deleted
  await worker.stop()
  const { ready, inflight } = (await sqs.inspect('partial'))!
  assert.equal(ready.length, 0)
  assert.deepEqual(
    inflight.map(({ message }) => message.body),
    ['bad'],
  )
})

test('after a throw the message comes again, and is done the second time', async () => {
  const { url } = await sqs.createQueue({ name: 'again', visibilityTimeout: 1 })
  await send(url, 'x')
  const { sender, deleted } = watched(1)
  const counts: string[] = []
  const { worker } = await work(url, sender, async ({ Records }) => {
    counts.push(Records[0]!.attributes.ApproximateReceiveCount)
    if (counts.length === 1) throw new Error('not yet')
  })
  await deleted
  await worker.stop()
  assert.deepEqual(counts, ['1', '2'])
})

test('any thenable is awaited, and its answer read', async () => {
  const { url } = await sqs.createQueue({ name: 'thenable' })
  await send(url, 'x')
  const { sender, deleted } = watched(1)
  let awaited = false
  const { worker } = await work(url, sender, () => ({
    // biome-ignore lint/suspicious/noThenProperty: that is what is tested
    then(resolve: (value: unknown) => void) {
      awaited = true
      resolve({ batchItemFailures: [] })
    },
  }))
  await deleted
  await worker.stop()
  assert.equal(awaited, true)
})

test('FIFO: a group runs in order, one receive after another', async () => {
  const { url } = await sqs.createQueue({ name: 'ledger', fifo: true })
  for (let n = 1; n <= 4; n++) {
    for (const group of ['a', 'b'])
      await send(url, `${group}${n}`, { MessageGroupId: group, MessageDeduplicationId: `${group}${n}` })
  }
  const { sender, deleted } = watched(8)
  const seen: string[] = []
  const { worker } = await work(url, sender, ({ Records }) => {
    for (const { body, attributes } of Records) {
      assert.equal(attributes.MessageGroupId, body[0])
      assert.match(attributes.SequenceNumber!, /^\d{20}$/)
      seen.push(body)
    }
  })
  await deleted
  await worker.stop()
  for (const group of ['a', 'b']) {
    assert.deepEqual(
      seen.filter((body) => body.startsWith(group)),
      [1, 2, 3, 4].map((n) => `${group}${n}`),
    )
  }
})

test('a worker that stops while it waits takes no message along', async () => {
  const { url } = await sqs.createQueue({ name: 'stopping', visibilityTimeout: 300 })
  const polling = Promise.withResolvers<void>()
  const sender: SqsSender = {
    send(command, options) {
      if ((command as object).constructor.name === 'ReceiveMessageCommand') polling.resolve()
      return client.send(command, options)
    },
  }
  const { worker } = await work(url, sender, () => assert.fail('must not run'))
  await polling.promise
  const stopped = worker.stop()
  await send(url, 'late')
  await stopped
  const { ready, inflight } = (await sqs.inspect('stopping'))!
  assert.deepEqual([ready.length, inflight.length], [1, 0])
})

test('a queue that is not there is a clear error', async () => {
  const starting = work(`${sqs.endpoint}/000000000000/nowhere`, client, () => undefined)
  await assert.rejects(starting, (error) => error instanceof WorkerStartError && /nowhere does not exist/.test(error.message))
})
