// `redrive work` in a process of its own, on an emulator in this one.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { type EmbeddedSqs, startEmbeddedSqs } from '../../src/worker/index.ts'
import { startRedrive } from './redrive-process.ts'

const plain = fileURLToPath(new URL('./handlers/plain.ts', import.meta.url))
let sqs: EmbeddedSqs
let client: SQSClient
before(async () => {
  sqs = await startEmbeddedSqs()
  client = new SQSClient({ endpoint: sqs.endpoint, region: sqs.region, credentials: { accessKeyId: 'x', secretAccessKey: 'x' } })
})
after(async () => {
  client.destroy()
  await sqs.stop()
})

async function queueWith(name: string, ...bodies: string[]): Promise<string> {
  const { url } = await sqs.createQueue({ name, visibilityTimeout: 300 })
  for (const body of bodies) await client.send(new SendMessageCommand({ QueueUrl: url, MessageBody: body }))
  return url
}

test('SIGTERM: what runs is finished and deleted, exit 0', { timeout: 30_000 }, async () => {
  const url = await queueWith('terminate', 'slow')
  const redrive = startRedrive('work', '--handler', plain, '--queue', url, '--wait', '1')
  await redrive.prints(/started slow with table undefined, partial 1/)
  redrive.child.kill('SIGTERM')
  assert.equal(await redrive.exit, 0, redrive.printed())
  assert.match(redrive.printed(), /finished slow/)
  assert.match(redrive.printed(), /every batch was answered/)
  assert.deepEqual(await sqs.inspect('terminate'), { ready: [], delayed: [], inflight: [] })
})

test('SIGINT ends an idle worker, exit 0', { timeout: 30_000 }, async () => {
  const url = await queueWith('interrupt')
  const redrive = startRedrive('work', '--handler', plain, '--queue', url, '--wait', '0')
  await redrive.prints(/waiting for messages/)
  redrive.child.kill('SIGINT')
  assert.equal(await redrive.exit, 0)
})

test('a handler that never settles: exit 1 once its timeout and three seconds are over', { timeout: 30_000 }, async () => {
  const url = await queueWith('hang', 'hang')
  const redrive = startRedrive('work', '--handler', plain, '--queue', url, '--timeout', '1')
  assert.equal(await redrive.exit, 1)
  assert.match(redrive.printed(), /a handler still runs after its timeout/)
  assert.equal((await sqs.inspect('hang'))?.inflight.length, 1)
})

test('a queue that is not there: exit 2, one line', { timeout: 30_000 }, async () => {
  const redrive = startRedrive('work', '--handler', plain, '--queue', `${sqs.endpoint}/000000000000/nowhere`)
  assert.equal(await redrive.exit, 2)
  assert.match(redrive.printed(), /^redrive work: The queue .*nowhere does not exist\. Check .*\n$/)
})
