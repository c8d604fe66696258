// The repository's own serverless.yml on LocalStack, as `npm run deploy` deploys it; the provider is the demo's.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { GetQueueUrlCommand, SQSClient } from '@aws-sdk/client-sqs'
import { type Provider, startProvider } from '../demo/provider/provider.ts'
import { localstackWay } from './beds/localstack.ts'
import { until } from './beds/until.ts'
import { settingsFor } from './clients.ts'
import { deployExample } from './deploy.ts'
import { skip } from './skip.ts'
import { bedFor, movement, order, World } from './world.ts'

// Beside the other stacks on the bed, whose queues have the same names.
const region = 'eu-west-1'

const inDocker = skip === false && (await localstackWay()) === 'docker'
const skipHere = skip || (inDocker && 'functions in containers do not reach the provider on 127.0.0.1')

describe("the repository's own serverless.yml on LocalStack", { concurrency: true, skip: skipHere, timeout: 240_000 }, () => {
  let bed: Awaited<ReturnType<typeof bedFor>>
  let provider: Provider
  let world: World

  before(async () => {
    ;[bed, provider] = await Promise.all([bedFor('localstack'), startProvider()])
    await deployExample(bed.endpoint, { AWS_REGION: region, PAYMENTS_URL: provider.url })
    const sqs = new SQSClient({ ...settingsFor(bed.endpoint), region })
    const urlOf = async (QueueName: string) => (await sqs.send(new GetQueueUrlCommand({ QueueName }))).QueueUrl!
    const urls = { orders: urlOf('orders'), ordersLetters: urlOf('orders-dlq'), ledger: urlOf('ledger.fifo') }
    const outputs = await Promise.all(Object.entries(urls).map(async ([name, url]) => [name, await url] as const))
    world = new World(bed.endpoint, Object.fromEntries(outputs), region)
  })
  after(async () => {
    await provider?.stop()
    await bed?.stop()
  })

  it('charges orders once, with one that failed at first among them, and keeps a declined one for a person', async () => {
    const [good, failing, declined] = [order(), order(), order('tok_declined_lost_card')]
    provider.faults.add(failing.id, [{ is: 'answer', status: 503 }])
    await world.send('orders', good, failing, declined)
    const { evidence } = await world.letter('ordersLetters', declined.body)
    assert.equal(evidence.error.code, 'lost_card')
    await world.drained('orders')
    const charged = provider.books.charges.map((charge) => charge.order)
    assert.deepEqual(charged.toSorted(), [good.id, failing.id].toSorted())
  })

  it('posts movements', async () => {
    const { id, body, group } = movement('acc-1')
    await world.send('ledger', { body, group })
    await until('the movement is posted', async () => provider.books.postings.some((posting) => posting.movement === id), 30_000)
    await world.drained('ledger')
  })
})
