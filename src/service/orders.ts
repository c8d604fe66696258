import { consumer, type Message } from 'redrive'
import { CardDeclined, Order } from './order.ts'
import { charge } from './payments.ts'

/** An order is charged once, however often its message comes. */
export const options = {
  schema: Order,
  key: (order: Order) => order.id,
  permanent: [CardDeclined],
}

/** Charges the card of one order. */
export async function chargeOrder(order: Order, message: Message<Order>): Promise<void> {
  const receipt = await charge(order, message)
  message.log.info('charged', { order: order.id, receipt: receipt.id })
}

/** The Lambda function behind the queue `orders`. */
export const handler = consumer(options, chargeOrder)
