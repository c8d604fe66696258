/**
 * The proof: what was sent, held against the provider's books, the dead-letter queues and the queues' own attributes. Nothing
 * that redrive says of itself is believed here, but for the counts that show that the faults happened. Pure.
 */
import type { Letter } from './letters.ts'
import type { Charge, Posting } from './provider/books.ts'
import type { Sent } from './send.ts'
import type { QueueName } from './stage.ts'
import type { MovementSending, OrderSending, Sending } from './traffic.ts'

/** What there is to be held against each other. */
export interface Findings {
  readonly orders: readonly Sent<OrderSending>[]
  readonly movements: readonly Sent<MovementSending>[]
  /** What was to be sent to the FIFO queue, each account's movements in their order. */
  readonly script: readonly MovementSending[]
  readonly charges: readonly Charge[]
  /** Requests that the provider recognised and did not carry out again. */
  readonly repeated: number
  readonly postings: readonly Posting[]
  readonly letters: readonly Letter[]
  readonly left: Readonly<Record<QueueName, number>>
  readonly faults: {
    readonly planned: number
    readonly notMet: number
    readonly cut: number
    readonly metOutage: number
    readonly lostAnswers: number
  }
}

/** One sentence of the proof. It holds when `wrong` is empty. */
export interface Claim {
  readonly sentence: string
  readonly numbers: string
  readonly wrong: readonly string[]
}

/** All claims, in the order in which a person asks for them. */
export function prove(findings: Findings): Claim[] {
  return [
    chargedOnce(findings),
    nothingElseCharged(findings),
    noneLost(findings),
    lettersAreRight(findings),
    groupsInOrder(findings),
    queuesEmpty(findings),
    faultsHappened(findings),
  ]
}

const isDone = ({ sending }: Sent<Sending>): boolean => sending.fate.is === 'done'

/** The orders that must be charged, by id: an order sent twice is one. */
const goodOrders = ({ orders }: Findings): ReadonlyMap<string, OrderSending> =>
  new Map(orders.filter(isDone).map(({ sending }) => [sending.label, sending]))

function chargedOnce(findings: Findings): Claim {
  const good = goodOrders(findings)
  const byOrder = Map.groupBy(findings.charges, ({ order }) => order)
  const wrong = [...good].flatMap(([id, { cents }]) => {
    const charges = byOrder.get(id) ?? []
    if (charges.length !== 1) return [`${id} was charged ${charges.length} times`]
    return charges[0]!.cents === cents ? [] : [`${id} was charged ${charges[0]!.cents} cents instead of ${cents}`]
  })
  const once = good.size - wrong.length
  return { sentence: 'Every good order is charged exactly once, its own amount', numbers: `${once} of ${good.size}`, wrong }
}

function nothingElseCharged(findings: Findings): Claim {
  const good = goodOrders(findings)
  const { charges, repeated } = findings
  const seen = new Set<string>()
  const wrong = charges.flatMap(({ id, order, idempotencyKey }) => {
    if (!good.has(order)) return [`charge ${id} is for ${order}, which must not be charged`]
    if (seen.has(order)) return [`charge ${id} is the second for ${order}, under the key ${idempotencyKey}`]
    seen.add(order)
    return []
  })
  return {
    sentence: 'Nothing is charged twice, and nothing that must not be',
    numbers: `${charges.length} charges, ${repeated} repeats`,
    wrong,
  }
}

function noneLost({ orders, movements, charges, postings, letters }: Findings): Claim {
  const booked = new Set([...charges.map(({ order }) => order), ...postings.map(({ movement }) => movement)])
  const dead = new Set(letters.map(({ evidence }) => evidence?.messageId))
  const all: readonly Sent<Sending>[] = [...orders, ...movements]
  const lost = all.filter((sent) => !dead.has(sent.messageId) && !(isDone(sent) && booked.has(sent.sending.label)))
  return {
    sentence: 'None is lost: in the books, or in a dead-letter queue with evidence',
    numbers: `${all.length - lost.length} of ${all.length} messages`,
    wrong: lost.map(({ sending, messageId }) => `${sending.label} (message ${messageId}) is nowhere`),
  }
}

function lettersAreRight({ orders, movements, letters }: Findings): Claim {
  const all: readonly Sent<Sending>[] = [...orders, ...movements]
  const byMessage = Map.groupBy(letters, ({ evidence }) => evidence?.messageId)
  const known = new Set<string | undefined>(all.map(({ messageId }) => messageId))
  const wrong = [
    ...letters.filter(({ evidence }) => !known.has(evidence?.messageId)).map(() => 'a dead letter belongs to no message'),
    ...all.flatMap((sent) => lettersOf(sent, byMessage.get(sent.messageId) ?? [])),
  ]
  const expected = all.length - all.filter(isDone).length
  const sentence = 'The dead letters are those that must be: right reason, body unchanged'
  return { sentence, numbers: `${letters.length} of ${expected}`, wrong }
}

function lettersOf({ sending, messageId }: Sent<Sending>, letters: readonly Letter[]): string[] {
  const { label, fate, body } = sending
  const expected = fate.is === 'dead' ? 1 : 0
  if (letters.length !== expected) return [`${label} (message ${messageId}) has ${letters.length} dead letters, not ${expected}`]
  return letters.flatMap((letter) => {
    const { reason, rule = '', error } = letter.evidence!
    const because = `${rule} ${error?.name ?? ''}`
    const right = fate.is === 'dead' && reason === fate.reason && (fate.because.test(rule) || fate.because.test(because))
    return [
      ...(right ? [] : [`${label} is dead for the wrong reason: ${reason}, ${because}`]),
      ...(letter.body === body ? [] : [`${label}: the body in the dead-letter queue is another one`]),
    ]
  })
}

function groupsInOrder({ script, postings }: Findings): Claim {
  const good = [
    ...new Map(script.filter(({ fate }) => fate.is === 'done').map(({ label, movement }) => [label, movement])).values(),
  ]
  const expected = Map.groupBy(good, ({ account }) => account)
  const posted = Map.groupBy(postings, ({ account }) => account)
  const wrong = [...new Set([...expected.keys(), ...posted.keys()])].flatMap((account) => {
    const should = (expected.get(account) ?? []).map(({ id }) => id).join(' ')
    const is = (posted.get(account) ?? []).map(({ movement }) => movement).join(' ')
    return should === is ? [] : [`account ${account} was posted ${is}, not ${should}`]
  })
  const numbers = `${expected.size - wrong.length} of ${expected.size} groups, ${postings.length} movements`
  return { sentence: 'FIFO: every group is posted in order, each movement once', numbers, wrong }
}

function queuesEmpty({ left }: Findings): Claim {
  const wrong = Object.entries(left).flatMap(([queue, count]) => (count === 0 ? [] : [`${queue} still holds ${count} messages`]))
  return { sentence: 'The source queues are empty', numbers: `${Object.keys(left).length} queues`, wrong }
}

/** Else the demo could hold because nothing went wrong. */
function faultsHappened({ repeated, faults: { planned, notMet, cut, metOutage, lostAnswers } }: Findings): Claim {
  const wrong = [
    ...(notMet > 0 ? [`${notMet} planned faults of the provider met no request`] : []),
    ...(metOutage > 0 ? [] : ['no attempt met the outage']),
    ...(repeated >= lostAnswers ? [] : [`${lostAnswers} answers were lost, and only ${repeated} requests came again`]),
    ...(cut > 0 ? [] : ['no handler ran past its deadline']),
  ]
  const numbers = `${planned - notMet}, and ${metOutage} by the outage`
  return { sentence: 'The faults were real, and all of them happened', numbers, wrong }
}
