/** The service's consumers against a real provider, on a clock that stands still and an SQS that writes down what it is asked. */
import { consumer, type Evidence, type LeaseRecord, memoryStore, type SqsHandler } from 'redrive'
import { controlled, lambdaContext, type RecordParts, recordedQueue, sqsEvent, virtualClock } from 'redrive/testing'
import { startProvider } from '../demo/provider/provider.ts'

let onRequest = (_reference: string): void => {}
export const clock = virtualClock()
export const provider = await startProvider({ now: clock.now, onRequest: (reference) => onRequest(reference) })

// The service reads this when it is loaded.
process.env['PAYMENTS_URL'] = provider.url
const orders = await import('../../src/service/orders.ts')
const ledger = await import('../../src/service/ledger.ts')

/** Resolves when the provider has read the next request. */
export const nextRequest = (): Promise<string> =>
  new Promise((resolve) => {
    onRequest = resolve
  })

/** What a consumer of the service did. */
export interface Bench {
  readonly handler: SqsHandler
  /** Invokes it with such messages; gives the positions of those that stay in the queue. */
  invoke(messages: readonly RecordParts[]): Promise<number[]>
  /** Visibility timeouts, in order. */
  hidden(): number[]
  /** What came to the dead-letter queue. */
  letters(): { readonly body: string; readonly evidence: Evidence }[]
}

const silent = { debug() {}, info() {}, warn() {}, error() {} }

/** `orders` or `ledger` as deployed, but for where things are. */
export function bench(which: 'orders' | 'ledger'): Bench {
  const queue = recordedQueue()
  const surroundings = {
    store: memoryStore({ records: new Map<string, LeaseRecord>() }),
    deadLetterQueue: `https://sqs.eu-central-1.amazonaws.com/111122223333/${which}-dlq`,
    partialBatch: true,
    logger: silent,
    metrics: false,
  } as const
  const replaced = { clock, queue, random: () => 0.5 }
  const handler =
    which === 'orders'
      ? consumer(controlled({ ...orders.options, ...surroundings }, replaced), orders.chargeOrder)
      : consumer(controlled({ ...ledger.options, ...surroundings }, replaced), ledger.postMovement)
  return {
    handler,
    invoke: async (messages) => {
      const event = sqsEvent(messages.map((parts) => ({ queue: which === 'orders' ? 'orders' : 'ledger.fifo', ...parts })))
      const { batchItemFailures } = await handler(event, lambdaContext(30_000, clock))
      const ids = event.Records.map(({ messageId }) => messageId)
      return batchItemFailures.map(({ itemIdentifier }) => ids.indexOf(itemIdentifier))
    },
    hidden: () => queue.hidden.map(({ seconds }) => seconds),
    letters: () =>
      queue.letters.map(({ body, attributes }) => ({
        body,
        evidence: JSON.parse(attributes['redrive']?.StringValue ?? '{}') as Evidence,
      })),
  }
}
