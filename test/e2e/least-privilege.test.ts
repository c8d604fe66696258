// The example service on MiniStack, which holds functions to their roles: what the plugin grants is enough, and none of it too much.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { until } from './beds/until.ts'
import { deploy } from './deploy.ts'
import { type LossyProxy, startLossyProxy } from './lossy-proxy.ts'
import { pollAs } from './poll-as.ts'
import { actionsOf, Role } from './role.ts'
import { TIMEOUT } from './service/config.ts'
import { skip } from './skip.ts'
import { bedFor, movement, order, World } from './world.ts'

const POLLER = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes']
/** Each has its test below. */
const OURS = ['sqs:ChangeMessageVisibility', 'sqs:SendMessage', 'dynamodb:UpdateItem', 'dynamodb:GetItem']

/** When a lease ends that nobody gave back: with its invocation, and five seconds on. */
const LEASE_MS = (TIMEOUT + 5) * 1000
const VISIBILITY_MS = 6 * TIMEOUT * 1000

describe('the permissions of the example service on MiniStack', { concurrency: true, skip, timeout: 240_000 }, () => {
  let bed: Awaited<ReturnType<typeof bedFor>>
  let world: World
  let proxy: LossyProxy
  let roles: Record<string, Role>

  before(async () => {
    bed = await bedFor('ministack')
    proxy = await startLossyProxy(bed.endpoint)
    const orders = { handler: 'orders' } as const
    const lossy = { handler: 'orders', environment: { AWS_ENDPOINT_URL_DYNAMODB: proxy.url } } as const
    const consumers = {
      ...{ orders, ledger: { handler: 'ledger' as const }, lossy },
      // One a permission, so that all are taken away at the same time.
      ...{ noVisibility: orders, noSend: orders, noUpdate: orders, noRead: lossy },
    } as const
    world = new World(bed.endpoint, await deploy(bed.endpoint, { consumers, rolesAFunction: true }))
    roles = Object.fromEntries(
      await Promise.all(Object.keys(consumers).map(async (name) => [name, await Role.of(bed.endpoint, name)] as const)),
    )
    for (const name of ['orders', 'ledger', 'lossy']) roleOf(name).grantAllBut()
  })
  after(async () => {
    proxy?.stop()
    await bed?.stop()
  })

  const roleOf = (name: string): Role => roles[name]!

  async function without(action: string, name: string): Promise<Role> {
    const role = roleOf(name)
    assert.ok(actionsOf(role.policies).includes(action), `${action} is granted`)
    await role.grantAllBut(action)
    return role
  }

  it('are the ones that are tried here', () => {
    assert.deepEqual(actionsOf(roleOf('orders').policies).toSorted(), [...POLLER, ...OURS].toSorted())
  })

  it('are one role a function: none may do what belongs to another', () => {
    const [orders, ledger] = [roleOf('orders'), roleOf('ledger')]
    assert.notEqual(orders.name, ledger.name)
    assert.doesNotMatch(JSON.stringify(orders.policies), /ledger|:noSend|"\*"/)
  })

  it('are enough: done, tried again in time, dead with its letter, and in order', async () => {
    const [good, failing, declined] = [order(), order('tok_503x1'), order('tok_declined_expired')]
    const moved = movement('acc-1', '503x1')
    await world.send('orders', good, failing, declined)
    await world.send('ledger', moved)
    const entries = await Promise.all([good, failing, moved].map(({ id }) => world.done(id)))
    assert.deepEqual(
      entries.map(({ requests, works }) => [requests.length, works]),
      [
        [1, 1],
        [2, 1],
        [2, 1],
      ],
    )
    assert.equal((await world.letter('ordersLetters', declined.body)).evidence.reason, 'permanent')
    await Promise.all([world.drained('orders'), world.drained('ledger')])
    for (const name of ['orders', 'ledger']) {
      const refusals = (await world.logOf(name)).filter((line) => /AccessDenied|not authorized|out of reach|refused/.test(line))
      assert.deepEqual(refusals, [])
    }
  })

  it('sqs:ChangeMessageVisibility: without it a failed order waits for the timeout of the queue', async () => {
    await without('sqs:ChangeMessageVisibility', 'noVisibility')
    const { id, body } = order('tok_503x1')
    await world.send('noVisibility', { body })
    const { requests } = await world.done(id, 60_000)
    assert.ok(requests[1]! - requests[0]! >= VISIBILITY_MS - 3_000, `${requests[1]! - requests[0]!} ms`)
  })

  it('sqs:SendMessage: without it a dead order stays in the queue, and leaves it when the permission is back', async () => {
    const role = await without('sqs:SendMessage', 'noSend')
    const { id, body } = order('tok_declined_expired')
    await world.send('noSend', { body })
    await world.logged('noSend', 'dead-letter queue did not take')
    assert.deepEqual([await world.depth('noSend'), await world.depth('noSendLetters')], [1, 0])
    await role.grantAllBut()
    const { evidence } = await world.letter('noSendLetters', body, 60_000)
    assert.equal(evidence.reason, 'permanent')
    // The handler was not run again for the letter's sake.
    assert.equal((await world.entries(id)).requests.length, 1)
  })

  it('dynamodb:UpdateItem: without it nothing runs, and everything is done when the permission is back', async () => {
    const role = await without('dynamodb:UpdateItem', 'noUpdate')
    const { id, body } = order()
    await world.send('noUpdate', { body })
    await world.logged('noUpdate', 'The idempotency store is out of reach (begin)')
    assert.equal((await world.entries(id)).requests.length, 0)
    await role.grantAllBut()
    const { requests, works } = await world.done(id, 60_000)
    assert.deepEqual([requests.length, works], [1, 1])
  })

  it('dynamodb:GetItem: with it a lease whose answer was lost is given back at once', async () => {
    const took = await timeOfLostAnswer('lossy')
    assert.ok(took < LEASE_MS - 1_000, `${took} ms`)
  })

  it('dynamodb:GetItem: without it a lease whose answer was lost blocks its order until it ends', async () => {
    await without('dynamodb:GetItem', 'noRead')
    const took = await timeOfLostAnswer('noRead')
    assert.ok(took >= LEASE_MS - 1_000, `${took} ms`)
  })

  /** Sends an order of which the first run's lease is written, and no answer comes: ms until it is done. */
  async function timeOfLostAnswer(queue: string): Promise<number> {
    const { id, body } = order()
    proxy.lose(id)
    await world.send(queue, { body })
    const lostAt = await until('an answer is lost', async () => proxy.lost(id) > 0 && Date.now(), 30_000)
    const { requests, works } = await world.done(id, 60_000)
    assert.deepEqual([requests.length, works], [1, 1])
    return requests[0]! - lostAt
  }

  for (const action of POLLER) {
    // MiniStack's own poller does not ask; Lambda's does, under the function's role (F55).
    it(`${action}: without it Lambda's poller is refused`, async () => {
      const { policies } = roleOf('orders')
      const queue = world.outputs['orders']!
      assert.deepEqual(await pollAs(bed.endpoint, queue, policies), [])
      assert.deepEqual(await pollAs(bed.endpoint, queue, policies, action), [action])
    })
  }
})
