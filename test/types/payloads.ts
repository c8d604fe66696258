/** The payload's type comes from the schema, else from the body. Compiled, never run. */
import { consumer, type Message, permanent, redrive, retryable, type Schema } from 'redrive'
import * as v from 'valibot'
import { z } from 'zod'
import * as mini from 'zod/mini'
import { z as z3 } from 'zod/v3'
import type { Equal } from './equal.ts'

interface Order {
  id: string
  total: number
}

consumer({ schema: z.object({ id: z.string(), total: z.number() }), key: (order) => order.id }, (order, message) => {
  const same: Equal<typeof order, Order> = true
  const inMessage: Equal<typeof message, Message<Order>> = true
  return [same, inMessage]
})

consumer({ schema: mini.object({ id: mini.string(), total: mini.number() }), key: (order) => order.id }, (order) => {
  const same: Equal<typeof order, Order> = true
  return same
})

consumer({ schema: z3.object({ id: z3.string(), total: z3.number() }), key: (order) => [order.id, order.total] }, (order) => {
  const same: Equal<typeof order, Order> = true
  return same
})

consumer({ schema: v.object({ id: v.string(), total: v.number() }), key: (order) => order.total }, (order) => {
  const same: Equal<typeof order, Order> = true
  return same
})

// What the schema puts out, not what it takes in.
consumer({ schema: z.object({ at: z.coerce.date(), size: z.number().default(1) }) }, (payload) => {
  const same: Equal<typeof payload, { at: Date; size: number }> = true
  return same
})

consumer(
  {
    schema: z.discriminatedUnion('type', [z.object({ type: z.literal('a'), n: z.number() }), z.object({ type: z.literal('b') })]),
  },
  (payload) => {
    const number: number = payload.type === 'a' ? payload.n : 0
    return number
  },
)

// A schema decides, whatever reads the body.
consumer({ body: 'text', schema: z.string().transform(Number), key: (number) => number }, (number) => {
  const same: Equal<typeof number, number> = true
  return same
})

consumer({ body: 'text' }, (text) => {
  const same: Equal<typeof text, string> = true
  return same
})

consumer({ body: (text) => text.split(','), key: (parts) => parts.length }, (parts) => {
  const same: Equal<typeof parts, string[]> = true
  return same
})

consumer({ body: async (text, record) => ({ text, id: record.messageId }) }, (payload) => {
  const same: Equal<typeof payload, { text: string; id: string }> = true
  return same
})

consumer({}, (payload) => {
  const same: Equal<typeof payload, unknown> = true
  return same
})

consumer({ body: 'json' }, (payload) => {
  const same: Equal<typeof payload, unknown> = true
  return same
})

// The same of the middleware: the handler's type can't differ from the schema.
const orders = redrive({ schema: z.object({ id: z.string(), total: z.number() }), key: (order) => order.id })
orders.eachMessage((order, message) => {
  const same: Equal<typeof order, Order> = true
  const inMessage: Equal<typeof message.payload, Order> = true
  return [same, inMessage]
})
redrive().eachMessage((payload) => {
  const same: Equal<typeof payload, unknown> = true
  return same
})

// A handler of one's own, written elsewhere.
const handle = async (_order: Order, message: Message<Order>): Promise<void> => message.log.info(message.idempotencyKey)
consumer({ schema: z.object({ id: z.string(), total: z.number() }) }, handle)
consumer({ schema: z.object({ id: z.string(), total: z.number(), more: z.boolean() }) }, (order, message) => {
  void message.record.messageAttributes['tenant']?.stringValue
  return handle(order, message)
})

// A generic helper of a user's own passes its schema on.
export const withDefaults = <S extends Schema>(schema: S, name: string) => redrive({ schema, name })
withDefaults(z.object({ id: z.string() }), 'orders').eachMessage((order) => {
  const same: Equal<typeof order, { id: string }> = true
  return same
})

// The wrappers give what the call gives.
export const answered: Promise<Response> = retryable(() => fetch('https://payments.example'))
export const parsed: { id: string } = permanent(() => z.object({ id: z.string() }).parse({}))
