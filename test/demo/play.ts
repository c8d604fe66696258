/** The play in three acts: the provider is moody; it is down; it is back, and everything comes to its end. */
import { setTimeout as wait } from 'node:timers/promises'
import { startWorker, type Worker } from 'redrive/worker'
import type { Arguments } from './arguments.ts'
import { ledgerConsumer, ordersConsumer } from './consumers.ts'
import { type Count, type Progress, type State, startProgress } from './progress.ts'
import type { Fault } from './provider/faults.ts'
import { type FifoParts, type Sent, send } from './send.ts'
import { messagesIn, QUEUES, type QueueName, type Stage, TABLE } from './stage.ts'
import { startTally, type Tally } from './tally.ts'
import { type MovementSending, NOTHING_SPECIAL, type OrderSending, type OrderTraffic, type Sending } from './traffic.ts'

/** What is played. */
export interface Script {
  readonly orders: OrderTraffic
  readonly movements: readonly MovementSending[]
  readonly asked: Arguments
  readonly elapsed: () => number
}

/** What the play leaves behind, beside books and queues. */
export interface Played {
  readonly orders: readonly Sent<OrderSending>[]
  readonly movements: readonly Sent<MovementSending>[]
  readonly tallies: Readonly<Record<QueueName, Tally>>
  readonly faults: { readonly planned: number; readonly cut: number; readonly metOutage: number; readonly lostAnswers: number }
}

/** The deadline of a handler, in seconds: short, since one of them is to hang past it. */
const TIMEOUT = 3
const OUTAGE_MS = 3_000
/** When the demo gives up waiting, in seconds since its start; the proof then says what is left. */
const LIMIT = 55

/** What the acts share. */
interface Scene extends Script {
  readonly stage: Stage
  readonly state: State
  readonly progress: Progress
  readonly count: Count
  readonly tallies: Played['tallies']
}

/** Sends everything, and resolves when the queues are empty and the workers have stopped, or after `LIMIT`. */
export async function play(stage: Stage, script: Script): Promise<Played> {
  const show = script.asked.log ? (line: string): void => void process.stderr.write(`${line}\n`) : (): void => {}
  const tallies = { orders: startTally(show), 'ledger.fifo': startTally(show) }
  const count: Count = (name) => QUEUES.reduce((sum, queue) => sum + tallies[queue].of(name), 0)
  const { orders, movements, elapsed } = script
  const everything: readonly Sending[] = [...orders.sendings, ...movements]
  for (const { label, faults } of new Map(everything.map((sending) => [sending.label, sending])).values()) {
    stage.provider.faults.add(label, faults)
  }
  const planned = stage.provider.faults.left
  const total = everything.length + orders.conflicts.length
  const state: State = { sent: 0, total, waiting: undefined, providerIsUp: true }
  const workers = await startWorkers(stage, tallies, script)
  const progress = startProgress(process.stdout, state, count, elapsed)
  const scene: Scene = { ...script, stage, state, progress, count, tallies }
  const over = new AbortController()
  const watching = watch(scene, over.signal)
  try {
    const [sentOrders, sentMovements] = await Promise.all([sendOrders(scene), sendMovements(scene)])
    await untilEmpty(scene)
    const lostAnswers = countFaults(everything, ['lost-answer'])
    const faults = { planned, cut: count('cut'), metOutage: metOutage(tallies, everything), lostAnswers }
    return { orders: sentOrders, movements: sentMovements, tallies, faults }
  } finally {
    over.abort()
    await Promise.all([...workers.map((worker) => worker.stop()), watching])
    progress.stop()
  }
}

async function startWorkers(stage: Stage, tallies: Played['tallies'], { orders, asked }: Script): Promise<Worker[]> {
  // The service reads this when it is loaded, as on Lambda.
  process.env['PAYMENTS_URL'] = stage.provider.url
  const [ordersService, ledgerService] = await Promise.all([
    import('../../src/service/orders.ts'),
    import('../../src/service/ledger.ts'),
  ])
  const surroundings = (name: QueueName) => ({
    deadLetterQueue: stage.queues[name].deadLetterUrl,
    table: TABLE,
    clients: { sqs: stage.sqs, dynamodb: stage.dynamodb },
    logger: tallies[name].logger,
    metrics: tallies[name].metrics,
  })
  const victims = victimsAmong(orders)
  const ordersHandler = ordersConsumer(ordersService, surroundings('orders'), asked.plants, victims)
  const ledgerHandler = ledgerConsumer(ledgerService, surroundings('ledger.fifo'))
  const worker = (name: QueueName, handler: typeof ordersHandler, concurrency: number): Promise<Worker> => {
    const { url: queueUrl } = stage.queues[name]
    const { logger } = tallies[name]
    return startWorker({ handler, queueUrl, sqs: stage.sqs, logger, concurrency, timeout: TIMEOUT, waitSeconds: 1 })
  }
  return await Promise.all([worker('orders', ordersHandler, 4), worker('ledger.fifo', ledgerHandler, 2)])
}

/** Half of the orders, then the outage, the other half during it, and at last those that bear the ids of others. */
async function sendOrders(scene: Scene): Promise<Sent<OrderSending>[]> {
  const { stage, orders, state, progress, count } = scene
  const { sqs, provider } = stage
  const post = (sendings: readonly OrderSending[]) =>
    send(sqs, stage.queues.orders.url, sendings, { pauseMs: 250, onSent: (sent) => (state.sent += sent) })
  const middle = Math.floor(orders.sendings.length / 20) * 10
  const first = await post(orders.sendings.slice(0, middle))
  // Not before the handler that hangs was cut at its deadline: the outage would end its request.
  await until(scene, () => count('cut') > 0)
  await provider.goDown()
  state.providerIsUp = false
  progress.say('the payment provider is down: connections are refused')
  const [second] = await Promise.all([post(orders.sendings.slice(middle)), wait(OUTAGE_MS)])
  await provider.comeUp()
  state.providerIsUp = true
  progress.say('the payment provider is back')
  const originals = new Set(orders.conflicts.map(({ label }) => label))
  await until(scene, () => provider.books.charges.filter(({ order }) => originals.has(order)).length >= originals.size)
  return [...first, ...second, ...(await post(orders.conflicts))]
}

async function sendMovements({ stage, movements, state, asked }: Scene): Promise<Sent<MovementSending>[]> {
  const list = asked.plants.has('disorder') ? disordered(movements) : movements
  const fifo = ({ movement, deduplicationId }: MovementSending): FifoParts => ({
    MessageGroupId: movement.account,
    MessageDeduplicationId: deduplicationId,
  })
  return await send(stage.sqs, stage.queues['ledger.fifo'].url, list, {
    pauseMs: 100,
    fifo,
    onSent: (sent) => (state.sent += sent),
  })
}

/** Orders that the plants strike: plain ones, and none whose id another one bears. */
function victimsAmong({ sendings, conflicts }: OrderTraffic): { readonly lost: string; readonly doubled: string } {
  const spared = new Set(conflicts.map(({ label }) => label))
  const plain = sendings.filter(({ kind, label }) => kind === NOTHING_SPECIAL && !spared.has(label))
  const [lost = '', doubled = ''] = plain.map(({ label }) => label)
  return { lost, doubled }
}

/** The first two movements of an account change places. */
function disordered(movements: readonly MovementSending[]): MovementSending[] {
  const list = [...movements]
  const [one, two] = ['A8-1', 'A8-2'].map((id) => list.findIndex(({ label }) => label === id)) as [number, number]
  ;[list[one], list[two]] = [list[two]!, list[one]!]
  return list
}

/** Retries for connections that failed, less those that the provider's own plan made. */
function metOutage(tallies: Played['tallies'], sendings: readonly Sending[]): number {
  const failed = QUEUES.reduce((sum, queue) => sum + (tallies[queue].retries.get('network.connection') ?? 0), 0)
  return Math.max(0, failed - countFaults(sendings, ['reset', 'lost-answer']))
}

const countFaults = (sendings: readonly Sending[], kinds: readonly Fault['is'][]): number =>
  sendings.flatMap(({ faults }) => faults).filter(({ is }) => kinds.includes(is)).length

async function untilEmpty({ stage, state, elapsed }: Scene): Promise<void> {
  do {
    await wait(100)
    state.waiting = await waitingIn(stage)
  } while (state.waiting > 0 && elapsed() < LIMIT)
}

async function until({ elapsed }: Scene, met: () => boolean): Promise<void> {
  while (!met() && elapsed() < LIMIT) await wait(50)
}

/** Asks the queues what they hold, for the progress. */
async function watch({ stage, state }: Scene, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    state.waiting = await waitingIn(stage)
    await wait(200)
  }
}

async function waitingIn({ sqs, queues }: Stage): Promise<number> {
  const counts = await Promise.all(QUEUES.map((name) => messagesIn(sqs, queues[name].url)))
  return counts.reduce((sum, count) => sum + count, 0)
}
