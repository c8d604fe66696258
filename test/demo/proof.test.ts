// The proof holds for what must be, and each thing that may go wrong is seen and named.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Evidence } from 'redrive'
import { type Findings, prove } from './proof.ts'
import type { Fate, MovementSending, OrderSending } from './traffic.ts'

const done: Fate = { is: 'done' }
const order = (label: string, cents: number | undefined, fate: Fate = done): OrderSending => ({
  label,
  kind: 'an order',
  body: `body of ${label}`,
  fate,
  faults: [],
  cents,
})
const movement = (label: string, account: string): MovementSending => ({
  label,
  kind: 'a movement',
  body: `body of ${label}`,
  fate: done,
  faults: [],
  movement: { id: label, account, cents: 5 },
  deduplicationId: label,
})
const charge = (id: string, order: string, cents: number) => ({ id, order, cents, currency: 'EUR', idempotencyKey: `key ${id}` })
const posting = (movement: string, account: string) => ({ id: movement, account, movement, cents: 5, idempotencyKey: movement })
const letter = (messageId: string, body: string, more: Partial<Evidence> = {}) => ({
  queue: 'orders' as const,
  body,
  evidence: { messageId, reason: 'permanent', rule: 'message.schema', ...more } as Evidence,
})

/** Two orders charged (one of them sent twice), one dead, two movements of one account. */
function allIsWell(): Findings {
  const deadOrder = order('O-3', undefined, { is: 'dead', reason: 'permanent', because: /^message\.schema$/ })
  const script = [movement('A-1', 'A'), movement('A-2', 'A')]
  const orders = [order('O-1', 100), order('O-2', 200), order('O-2', 200), deadOrder]
  return {
    orders: orders.map((sending, position) => ({ sending, messageId: `m-${position + 1}` })),
    movements: script.map((sending) => ({ sending, messageId: sending.label })),
    script,
    charges: [charge('ch_1', 'O-1', 100), charge('ch_2', 'O-2', 200)],
    repeated: 3,
    postings: script.map(({ label }) => posting(label, 'A')),
    letters: [letter('m-4', 'body of O-3')],
    left: { orders: 0, 'ledger.fifo': 0 },
    faults: { planned: 9, notMet: 0, cut: 1, metOutage: 12, lostAnswers: 3 },
  }
}

const wrongIn = (findings: Findings): string[] => prove(findings).flatMap(({ wrong }) => [...wrong])

test('where all is well, nothing is wrong', () => {
  assert.deepEqual(wrongIn(allIsWell()), [])
})

const well = allIsWell()
const planted: readonly { readonly what: string; readonly findings: Partial<Findings>; readonly said: readonly RegExp[] }[] = [
  {
    what: 'an order that was charged twice',
    findings: { charges: [...well.charges, charge('ch_3', 'O-1', 100)] },
    said: [/O-1 was charged 2 times/, /charge ch_3 is the second for O-1, under the key key ch_3/],
  },
  {
    what: 'an order that was not charged',
    findings: { charges: well.charges.slice(1) },
    said: [/O-1 was charged 0 times/, /O-1 \(message m-1\) is nowhere/],
  },
  {
    what: 'another amount',
    findings: { charges: [charge('ch_1', 'O-1', 101), well.charges[1]!] },
    said: [/O-1 was charged 101 cents instead of 100/],
  },
  {
    what: 'a charge for an order that must not be charged',
    findings: { charges: [...well.charges, charge('ch_3', 'O-3', 100)] },
    said: [/charge ch_3 is for O-3, which must not be charged/],
  },
  {
    what: 'a dead letter that is missing',
    findings: { letters: [] },
    said: [/O-3 \(message m-4\) is nowhere/, /O-3 \(message m-4\) has 0 dead letters, not 1/],
  },
  {
    what: 'a dead letter that came twice',
    findings: { letters: [...well.letters, ...well.letters] },
    said: [/O-3 \(message m-4\) has 2 dead letters, not 1/],
  },
  {
    what: 'a dead letter of a good order',
    findings: { letters: [...well.letters, letter('m-1', 'body of O-1')] },
    said: [/O-1 \(message m-1\) has 1 dead letters, not 0/],
  },
  {
    what: 'a dead letter without evidence',
    findings: { letters: [{ ...well.letters[0]!, evidence: undefined }] },
    said: [/O-3 \(message m-4\) is nowhere/, /a dead letter belongs to no message/, /has 0 dead letters/],
  },
  {
    what: 'a dead letter for the wrong reason',
    findings: { letters: [letter('m-4', 'body of O-3', { rule: 'language.bug' })] },
    said: [/O-3 is dead for the wrong reason: permanent, language\.bug/],
  },
  {
    what: 'a body that was changed',
    findings: { letters: [letter('m-4', 'body of O-3 ')] },
    said: [/O-3: the body in the dead-letter queue is another one/],
  },
  {
    what: 'a group out of order',
    findings: { postings: well.postings.toReversed() },
    said: [/account A was posted A-2 A-1, not A-1 A-2/],
  },
  {
    what: 'a movement that was posted twice',
    findings: { postings: [...well.postings, well.postings[1]!] },
    said: [/account A was posted A-1 A-2 A-2, not A-1 A-2/],
  },
  {
    what: 'a queue that is not empty',
    findings: { left: { orders: 2, 'ledger.fifo': 0 } },
    said: [/orders still holds 2 messages/],
  },
  {
    what: 'faults that did not happen',
    findings: { repeated: 2, faults: { planned: 9, notMet: 1, cut: 0, metOutage: 0, lostAnswers: 3 } },
    said: [
      /1 planned faults .* met no request/,
      /3 answers were lost, and only 2/,
      /no attempt met the outage/,
      /no handler ran past/,
    ],
  },
]
for (const { what, findings, said } of planted) {
  test(`the proof fails for ${what}, and says so`, () => {
    const wrong = wrongIn({ ...allIsWell(), ...findings })
    for (const expected of said)
      assert.ok(
        wrong.some((sentence) => expected.test(sentence)),
        `${expected} in ${wrong.join('; ')}`,
      )
    assert.equal(wrong.length, said.length, wrong.join('; '))
  })
}
