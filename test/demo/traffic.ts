/** What the demo sends: about 200 orders and 50 movements, some of them broken, and what must become of each. Pure. */
import { type Random, seededRandom } from 'redrive/testing'
import type { Movement } from '../../src/service/movement.ts'
import { type Order, totalOf } from '../../src/service/order.ts'
import type { Fault } from './provider/faults.ts'

/** What must become of a message. */
export type Fate =
  /** Its order is charged, or its movement posted, once; the message leaves the queue. */
  | { readonly is: 'done' }
  /** It ends in the dead-letter queue, for this reason, by this rule or error. */
  | { readonly is: 'dead'; readonly reason: string; readonly because: RegExp }

/** A message to send. */
export interface Sending {
  /** The order's or the movement's id, or a name where the body has none that can be read. */
  readonly label: string
  /** What is special about it, in words. */
  readonly kind: string
  readonly body: string
  readonly fate: Fate
  /** What the provider does to the first requests about it. */
  readonly faults: readonly Fault[]
}

export interface OrderSending extends Sending {
  /** What the books must show for it; `undefined` where there is nothing to charge. */
  readonly cents: number | undefined
}

export interface MovementSending extends Sending {
  readonly movement: Movement
  readonly deduplicationId: string
}

/** All that is sent to the queue `orders`. */
export interface OrderTraffic {
  readonly sendings: readonly OrderSending[]
  /** Sent last, once the orders whose ids they bear are charged: the same id with another amount. */
  readonly conflicts: readonly OrderSending[]
}

/** The bug of the demo's release meets orders without a phone number (see consumers.ts). */
export const PHONE_BUG = 'no phone number, which this release has a bug with'

/** Orders and movements that meet no fault but the outage. */
export const NOTHING_SPECIAL = 'nothing special'

const DONE: Fate = { is: 'done' }
const dead = (because: RegExp, reason = 'permanent'): Fate => ({ is: 'dead', reason, because })

/** The orders for a seed: the same seed, the same orders in the same order. */
export function orderTraffic(seed: number): OrderTraffic {
  const random = seededRandom(seed)
  const make = maker(random)
  const twice = times(15, () => make('sent twice', {}))
  // These take longest, so they go first: the demo ends sooner.
  const early = [
    make('the provider hangs, past the deadline', { faults: [{ is: 'hang' }] }),
    make('the provider says 403, always', {
      faults: [{ is: 'answer', status: 403, always: true }],
      fate: dead(/^http\.403$/, 'attempts-used-up'),
    }),
  ]
  const faulty = [
    ...times(5, () => make('throttled, Retry-After in seconds', { faults: [{ is: 'answer', status: 429, retryAfter: 1 }] })),
    ...times(3, () =>
      make('throttled, Retry-After as a date', { faults: [{ is: 'answer', status: 429, retryAfter: 2, as: 'date' }] }),
    ),
    ...[500, 502, 503, 503, 504].map((status) => make('the provider fails, once', { faults: [{ is: 'answer', status }] })),
    ...[500, 502, 503].map((status) => make('the provider fails, three times', { faults: answers(3, status) })),
    ...times(5, () => make('connection reset', { faults: [{ is: 'reset' }] })),
    ...times(8, () => make('charged, and the answer lost', { faults: [{ is: 'lost-answer' }] })),
    ...times(6, () => make('a slow answer', { faults: [{ is: 'slow', ms: 700 }] })),
  ]
  const hopeless = [
    ...notJson(make),
    ...misfits(make),
    ...['insufficient_funds', 'expired_card', 'stolen_card', 'insufficient_funds', 'do_not_honor', 'lost_card'].map((code) =>
      make('the card is declined', { order: { card: `tok_declined_${code}` }, fate: dead(/CardDeclined/) }),
    ),
    ...times(2, () => make(PHONE_BUG, { order: { phone: undefined }, fate: dead(/^language\.bug$/) })),
  ]
  const plain = times(113, () => make(NOTHING_SPECIAL, {}))
  const conflicts = plain.slice(0, 2).map((original) => conflictWith(original))
  const sendings = [...early, ...shuffled([...plain, ...twice, ...twice, ...faulty, ...hopeless], random)]
  return { sendings, conflicts }
}

type Make = (kind: string, parts: OrderParts) => OrderSending

interface OrderParts {
  readonly order?: { readonly [name in keyof Order]?: unknown }
  readonly faults?: readonly Fault[]
  readonly fate?: Fate
  /** Makes the text of the body; without it, JSON. */
  readonly write?: (order: Order) => string
}

function maker(random: Random): Make {
  let number = 1000
  return (kind, { order: parts, faults = [], fate = DONE, write = JSON.stringify }) => {
    const sound = someOrder(++number, random)
    const order = { ...sound, ...parts } as Order
    return { label: sound.id, kind, body: write(order), fate, faults, cents: fate.is === 'done' ? totalOf(order) : undefined }
  }
}

const SKUS = ['tea-assam', 'tea-sencha', 'cup-blue', 'pot-iron', 'scone-mix', 'honey-500']

function someOrder(number: number, random: Random): Order {
  const pick = <T>(list: readonly [T, ...T[]]): T => list[Math.floor(random() * list.length)] ?? list[0]
  const lines = times(1 + Math.floor(random() * 3), () => ({
    sku: pick(SKUS as [string, ...string[]]),
    quantity: 1 + Math.floor(random() * 4),
    cents: 250 + Math.floor(random() * 4000),
  }))
  return {
    id: `O-${number}`,
    email: `customer${number}@shop.example`,
    phone: `+49 30 ${100_000 + Math.floor(random() * 899_999)}`,
    card: `tok_${Math.floor(random() * 1e9).toString(36)}`,
    currency: pick(['EUR', 'GBP', 'USD']),
    lines,
  }
}

function notJson(make: Make): OrderSending[] {
  const writers: ((order: Order) => string)[] = [
    (order) => JSON.stringify(order).slice(0, -9),
    ({ id }) => `<order id="${id}"/>`,
    ({ id }) => `order=${id}&cents=1200`,
    () => '[object Object]',
  ]
  return writers.map((write) => make('not JSON', { write, fate: dead(/^message\.not-json$/) }))
}

function misfits(make: Make): OrderSending[] {
  const wrong: OrderParts['order'][] = [
    { email: 'nobody' },
    { lines: [] },
    { currency: 'DOGE' },
    { lines: [{ sku: 'tea-assam', quantity: 0.5, cents: 900 }] },
    { card: '4242 4242 4242 4242' },
    { id: '1042' },
  ]
  return wrong.map((order) => make('does not fit the schema', { order: order!, fate: dead(/^message\.schema$/) }))
}

/** As its original, but for one cent. */
function conflictWith(original: OrderSending): OrderSending {
  const order = JSON.parse(original.body) as Order
  const lines = order.lines.map((line, position) => (position === 0 ? { ...line, cents: line.cents + 1 } : line))
  return {
    label: order.id,
    kind: 'the id of another order',
    body: JSON.stringify({ ...order, lines }),
    fate: dead(/^message\.fingerprint$/),
    faults: [],
    cents: undefined,
  }
}

const ACCOUNTS = 8
const MOVEMENTS_EACH = 6

/** The movements for a seed, account after account, so that a batch holds several of one group. */
export function movementTraffic(seed: number): readonly MovementSending[] {
  const random = seededRandom(seed + 1)
  const faulty: Readonly<Record<string, readonly Fault[]>> = {
    'A1-2': answers(2, 503),
    'A2-1': [{ is: 'reset' }],
    'A3-3': [{ is: 'lost-answer' }],
    'A4-5': [{ is: 'answer', status: 429, retryAfter: 1 }],
    'A5-1': [{ is: 'lost-answer' }, { is: 'answer', status: 500 }],
    'A6-4': [{ is: 'slow', ms: 600 }],
  }
  const groups = times(ACCOUNTS, (account) => times(MOVEMENTS_EACH, (round) => ({ account: account + 1, round: round + 1 })))
  const once = groups.flat().map(({ account, round }): MovementSending => {
    const id = `A${account}-${round}`
    const movement: Movement = { id, account: `A${account}`, cents: Math.floor(random() * 20_000) - 8_000 }
    const parts = { movement, deduplicationId: id }
    // One that can never be posted, in the middle of its group: the rest of the group goes on.
    if (id === 'A7-3') {
      const body = JSON.stringify({ ...movement, cents: '12,50' })
      return { label: id, kind: 'does not fit the schema', body, fate: dead(/^message\.schema$/), faults: [], ...parts }
    }
    const faults = faulty[id] ?? []
    const kind = faults.length > 0 ? 'a fault in the middle of its group' : NOTHING_SPECIAL
    return { label: id, kind, body: JSON.stringify(movement), fate: DONE, faults, ...parts }
  })
  // With the same deduplication id SQS itself would swallow them: a producer that was restarted does not know it any more.
  const again = once.filter(({ label }) => label === 'A1-1' || label === 'A2-1')
  return [...once, ...again.map((sending) => ({ ...sending, kind: 'sent again', deduplicationId: `${sending.label}-again` }))]
}

const answers = (count: number, status: number): Fault[] => times(count, () => ({ is: 'answer', status }))

function times<T>(count: number, make: (position: number) => T): T[] {
  return Array.from({ length: count }, (_, position) => make(position))
}

function shuffled<T>(list: readonly T[], random: Random): T[] {
  const keyed = list.map((item) => ({ item, at: random() }))
  return keyed.sort((one, other) => one.at - other.at).map(({ item }) => item)
}
