/**
 * The service's own consumers, on the demo's queues. Schema, key, permanent errors and the handler are the service's. What is
 * the demo's: where queues and table are (a deployment has that in environment variables), shorter waits, and the faults that
 * no network makes.
 */
import { consumer, dynamoStore, exponential, type Logger, type Message, type Metrics, type SdkClient } from 'redrive'
import type * as ledger from '../../src/service/ledger.ts'
import type { Order } from '../../src/service/order.ts'
import type * as orders from '../../src/service/orders.ts'
import type { Plant } from './arguments.ts'

/** Where a consumer of the demo lives. */
export interface Surroundings {
  readonly deadLetterQueue: string
  readonly table: string
  readonly clients: { readonly sqs: SdkClient; readonly dynamodb: SdkClient }
  readonly logger: Logger
  readonly metrics: Metrics
}

/** Only here: nobody wants to watch a demo for the 47 minutes that the default gives an outage. */
const shortBackoff = exponential({ base: 1, factor: 1.5, cap: 3 })

function settings({ table, clients, ...surroundings }: Surroundings) {
  const store = dynamoStore({ table, client: clients.dynamodb })
  return { ...surroundings, clients, store, partialBatch: true, backoff: shortBackoff } as const
}

/** The consumer of the queue `orders`. `victims`: the orders that the plants strike. */
export function ordersConsumer(
  service: typeof orders,
  surroundings: Surroundings,
  plants: ReadonlySet<Plant>,
  victims: { readonly lost: string; readonly doubled: string },
) {
  return consumer({ ...service.options, ...settings(surroundings) }, async (order, message) => {
    textMessageTo(order)
    if (order.id === victims.lost && plants.has('lose-one')) return
    await service.chargeOrder(order, message)
    if (order.id === victims.doubled && plants.has('double-charge')) await service.chargeOrder(order, anotherKey(message))
  })
}

/** The consumer of the queue `ledger.fifo`. */
export function ledgerConsumer(service: typeof ledger, surroundings: Surroundings) {
  return consumer({ ...service.options, ...settings(surroundings) }, service.postMovement)
}

/** The demo's bug, of the most common kind: "it is always there". The compiler was told so, too. */
function textMessageTo(order: Order): string {
  return `sms:${order.phone!.replace(/\D/g, '')}`
}

function anotherKey(message: Message<Order>): Message<Order> {
  return { ...message, idempotencyKey: `${message.idempotencyKey}-again` }
}
