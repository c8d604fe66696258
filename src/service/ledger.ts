import { consumer, type Message } from 'redrive'
import { Movement } from './movement.ts'
import { post } from './payments.ts'

/** A movement is posted once. */
export const options = { schema: Movement, key: (movement: Movement) => movement.id }

/** Posts one movement on its account. */
export async function postMovement(movement: Movement, message: Message<Movement>): Promise<void> {
  await post(movement, message)
}

/** The Lambda function behind the queue `ledger.fifo`. Nothing here is for FIFO: redrive keeps each account's order. */
export const handler = consumer(options, postMovement)
