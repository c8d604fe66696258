// The example service on LocalStack: deployed with osls, fed through a real queue and the real event source mapping.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { CloudWatchClient, DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch'
import { until } from './beds/until.ts'
import { settingsFor } from './clients.ts'
import { deploy } from './deploy.ts'
import { TIMEOUT } from './service/config.ts'
import { skip } from './skip.ts'
import { bedFor, json, movement, order, World } from './world.ts'

/** How late a message may come beyond what was asked for: the poller looks twice a second, on a busy machine. */
const LATE_MS = 4_000
const VISIBILITY_MS = 6 * TIMEOUT * 1000

describe('the example service on LocalStack', { concurrency: true, skip, timeout: 240_000 }, () => {
  let bed: Awaited<ReturnType<typeof bedFor>>
  let world: World

  before(async () => {
    bed = await bedFor('localstack')
    const orders = { handler: 'orders' } as const
    // The same consumer three times: what ends a process must not end the messages of the other tests.
    const consumers = { orders, fragile: orders, stuck: orders, ledger: { handler: 'ledger' } } as const
    world = new World(bed.endpoint, await deploy(bed.endpoint, { consumers, alarms: true }))
  })
  after(() => bed?.stop())

  it('does good orders exactly once, by the books of the provider', async () => {
    const orders = Array.from({ length: 10 }, () => order())
    await world.send('orders', ...orders)
    const entries = await Promise.all(orders.map(({ id }) => world.done(id)))
    assert.deepEqual(
      entries.map(({ requests, works }) => [requests.length, works]),
      orders.map(() => [1, 1]),
    )
  })

  it('asks the provider once for an order that was sent twice', async () => {
    const twice = order()
    const later = order()
    await world.send('orders', twice, twice)
    await world.done(twice.id)
    await world.send('orders', twice, later)
    await world.done(later.id)
    assert.equal((await world.entries(twice.id)).requests.length, 1)
  })

  it('tries again after the visibility timeout that the backoff sets, not the queue', async () => {
    const { id, body } = order('tok_503x2')
    await world.send('orders', { body })
    const { requests, works } = await world.done(id, 60_000)
    assert.deepEqual([requests.length, works], [3, 1])
    // exponential({ base: 2, factor: 2, jitter: 0.2 }), whole seconds rounded at random.
    between(requests[1]! - requests[0]!, 1_000, 3_000 + LATE_MS)
    between(requests[2]! - requests[1]!, 3_000, 5_000 + LATE_MS)
  })

  it('waits at least as long as Retry-After asks', async () => {
    const { id, body } = order('tok_429x1after7')
    await world.send('orders', { body })
    const { requests } = await world.done(id, 60_000)
    assert.equal(requests.length, 2)
    between(requests[1]! - requests[0]!, 6_900, 9_000 + LATE_MS)
  })

  it('puts a declined order into the dead-letter queue, unchanged, with evidence', async () => {
    const { id, body } = order('tok_declined_stolen_card')
    await world.send('orders', { body })
    const { evidence } = await world.letter('ordersLetters', body)
    assert.deepEqual([evidence.reason, evidence.attempts, evidence.receives], ['permanent', 1, 1], JSON.stringify(evidence))
    assert.deepEqual([evidence.error.name, evidence.error.code], ['CardDeclined', 'stolen_card'])
    assert.match(evidence.queueArn, /:orders$/)
    const { requests, works } = await world.entries(id)
    assert.deepEqual([requests.length, works], [1, 0])
  })

  it('puts what is no order into the dead-letter queue without running the handler', async () => {
    const bodies = ['{  not JSON, Größe "✓"\n', json({ id: 'no order number' })]
    await world.send('orders', ...bodies.map((body) => ({ body })))
    const letters = await Promise.all(bodies.map((body) => world.letter('ordersLetters', body)))
    assert.deepEqual(
      letters.map(({ evidence }) => evidence.reason),
      ['permanent', 'permanent'],
    )
  })

  it('cuts an order whose request hangs before Lambda would end the process, and does it later', async () => {
    const { id, body } = order('tok_hang')
    await world.send('orders', { body })
    const { requests, works } = await world.done(id, 60_000)
    assert.deepEqual([requests.length, works], [2, 1])
    // The lease outlives the invocation by five seconds; the queue's own visibility timeout would take three times as long.
    between(requests[1]! - requests[0]!, (TIMEOUT + 4) * 1000, VISIBILITY_MS - 5_000)
  })

  it('survives the end of its process: everything of that batch is done, nothing twice', async () => {
    const crash = order('tok_crash')
    const neighbours = [order(), order()]
    await world.send('fragile', neighbours[0]!, crash, neighbours[1]!)
    await until('a second request', async () => (await world.entries(crash.id)).requests.length > 1, 60_000)
    await world.drained('fragile')
    const { requests, works } = await world.entries(crash.id)
    assert.deepEqual([requests.length, works], [2, 1])
    // Nobody could set a visibility timeout: the queue's own one held.
    between(requests[1]! - requests[0]!, VISIBILITY_MS - 3_000, VISIBILITY_MS + LATE_MS)
    for (const { id } of neighbours) assert.equal((await world.entries(id)).works, 1)
  })

  it("survives the function's timeout: the order comes again and is done", async () => {
    const { id, body } = order('tok_spin')
    await world.send('stuck', { body })
    const { requests, works } = await world.done(id, 90_000)
    await world.drained('stuck')
    assert.deepEqual([requests.length, works], [2, 1])
    between(requests[1]! - requests[0]!, VISIBILITY_MS - 3_000, VISIBILITY_MS + LATE_MS)
  })

  it('posts the movements of an account in order when the first one fails, and those of others meanwhile', async () => {
    const failing = movement('acc-1', '503x1')
    const behind = [movement('acc-1'), movement('acc-1')]
    const other = movement('acc-2')
    await world.send('ledger', failing, ...behind, other)
    const done = await Promise.all([failing, ...behind].map(({ id }) => world.done(id, 60_000)))
    assert.deepEqual(
      done.map(({ requests, works }) => [requests.length, works]),
      [
        [2, 1],
        [1, 1],
        [1, 1],
      ],
    )
    const times = done.map(({ doneAt }) => doneAt!)
    assert.deepEqual(times.toSorted(), times)
    assert.ok((await world.entries(other.id)).doneAt! < times[0]!)
  })

  it('raises the alarm for the first dead letter, and the notice arrives', async () => {
    const { body } = order('tok_declined_alarm')
    await world.send('orders', { body })
    await world.letter('ordersLetters', body)
    const name = 'redrive-e2e-test-orders-dead-letters'
    const cloudwatch = new CloudWatchClient(settingsFor(bed.endpoint))
    await until(
      `${name} is in ALARM`,
      async () => {
        const { MetricAlarms = [] } = await cloudwatch.send(new DescribeAlarmsCommand({ AlarmNames: [name] }))
        return MetricAlarms[0]?.StateValue === 'ALARM'
      },
      150_000,
      500,
    )
    // All alarms share the topic: those that go from "insufficient data" to OK are in the inbox as well.
    const isOurs = (notice: Notice) => notice.AlarmName === name && notice.NewStateValue === 'ALARM'
    const find = async () => (await world.take('inbox')).map(noticeIn).find(isOurs)
    const notice = await until('its notice in the inbox', find, 30_000)
    assert.match(notice.AlarmDescription, /Owner: team-shop\nDead-letter queue: .*orders-dlq/)
  })
})

function between(ms: number, least: number, most: number): void {
  assert.ok(ms >= least && ms <= most, `${ms} ms, expected ${least} to ${most}`)
}

interface Notice {
  readonly AlarmName: string
  readonly AlarmDescription: string
  readonly NewStateValue: string
}

/** What an alarm says, in what SNS puts into a queue. */
const noticeIn = (body: string): Notice => JSON.parse(JSON.parse(body).Message) as Notice
