/** What the compiler must refuse: each line below `@ts-expect-error` is a mistake. Compiled, never run. */
import { consumer, exponential, memoryStore, type Options, PermanentError, RetryableError, redrive, schedule } from 'redrive'
import { z } from 'zod'

const Order = z.object({ id: z.string(), total: z.number(), address: z.object({ city: z.string() }) })
const nothing = (): void => {}
class CardDeclined extends Error {}

// @ts-expect-error a typo in an option
consumer({ shema: Order }, nothing)
// @ts-expect-error a typo in an option beside a right one
consumer({ schema: Order, maxAtempts: 3 }, nothing)
// @ts-expect-error a typo within an option
consumer({ maxAttempts: { retriable: 3 } }, nothing)
// @ts-expect-error a typo in an option of the middleware
redrive({ deadletterQueue: 'https://sqs.eu-central-1.amazonaws.com/111122223333/dlq' })
// @ts-expect-error an option that is not there yet
consumer({ envelope: 'sns' }, nothing)
// @ts-expect-error an option that is not there yet
consumer({ circuit: false }, nothing)
// @ts-expect-error a value of an option that is not there yet
consumer({ fifo: { onDead: 'park' } }, nothing)
// @ts-expect-error something that is no schema
consumer({ schema: { id: 'string' } }, nothing)
// @ts-expect-error a body reader that does not exist
consumer({ body: 'xml' }, nothing)

// @ts-expect-error a key over a field that does not exist
consumer({ schema: Order, key: (order) => order.orderId }, nothing)
// @ts-expect-error a key over a field of a payload that nobody described
consumer({ key: (order) => order.id }, nothing)
// @ts-expect-error a key that is an object
consumer({ schema: Order, key: (order) => order.address }, nothing)
// @ts-expect-error a key that may be undefined
consumer({ schema: Order, key: (order) => (order.total > 0 ? order.id : undefined) }, nothing)
// @ts-expect-error a key that is a promise
consumer({ schema: Order, key: async (order) => order.id }, nothing)
// @ts-expect-error a key of which one part may be an object
consumer({ schema: Order, key: (order) => [order.id, order.address] }, nothing)
// @ts-expect-error `true` is no key
consumer({ schema: Order, key: true }, nothing)

// @ts-expect-error a field that the payload does not have
consumer({ schema: Order }, (order) => order.orderId)
// @ts-expect-error a payload that nobody described, used without a look
consumer({}, (order) => order.id)
// @ts-expect-error a handler for another payload
consumer({ schema: Order }, (order: { id: number }) => order.id)
// @ts-expect-error a callback
consumer({ schema: Order }, (_order, _message, callback: () => void) => callback())
// @ts-expect-error a callback, with the middleware
redrive({ schema: Order }).eachMessage((_order, _message, callback: () => void) => callback())
// @ts-expect-error no handler
consumer({ schema: Order })
// @ts-expect-error no options
consumer(nothing)
// @ts-expect-error a message has no such thing
consumer({}, (_payload, message) => message.receiptHandle)
consumer({}, (_payload, message) => {
  // @ts-expect-error a message is not there to be changed
  message.attempt = 1
})

// @ts-expect-error a word that is no verdict
consumer({ classify: () => 'retry' }, nothing)
// @ts-expect-error `unknown` is what `undefined` says
consumer({ classify: () => 'unknown' }, nothing)
// @ts-expect-error a verdict in an object, misspelt
consumer({ classify: () => ({ verdict: 'retriable' }) }, nothing)
// @ts-expect-error a promise of a verdict
consumer({ classify: async () => 'retryable' as const }, nothing)
// @ts-expect-error an error, where its class is meant
consumer({ permanent: [new CardDeclined()] }, nothing)
// @ts-expect-error one class, where a list is meant
consumer({ permanent: CardDeclined }, nothing)
// @ts-expect-error a backoff as a plain list
consumer({ backoff: [1, 2, 3] }, nothing)
// @ts-expect-error a backoff function that gives text
consumer({ backoff: () => '5s' }, nothing)
// @ts-expect-error a duration with a unit
consumer({ maxAge: '1h' }, nothing)
// @ts-expect-error a store that is none
consumer({ store: new Map() }, nothing)
// @ts-expect-error a number, where an error is meant
consumer({ permanent: [404] }, nothing)

// @ts-expect-error a typo in a backoff's setting
exponential({ bse: 2 })
// @ts-expect-error a jitter that does not exist
exponential({ jitter: 'half' })
// @ts-expect-error a schedule needs a list
schedule(5)
// @ts-expect-error a typo in a store's setting
memoryStore({ size: 5 })
// @ts-expect-error a time in words
new RetryableError('later', { retryAfter: '1 minute' })
// @ts-expect-error a permanent failure has no time
new PermanentError('never', { retryAfter: 5 })

const shared: Options = { maxAge: 3600 }
// @ts-expect-error options are read only
shared.maxAge = 60
