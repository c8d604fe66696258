import { createHash } from 'node:crypto'

/** A charge that was made. */
export interface Charge {
  readonly id: string
  readonly order: string
  readonly cents: number
  readonly currency: string
  readonly idempotencyKey: string
}

/** A movement that was posted. */
export interface Posting {
  readonly id: string
  readonly account: string
  readonly movement: string
  readonly cents: number
  readonly idempotencyKey: string
}

/** What the provider says. */
export interface Answer {
  readonly status: number
  readonly body: object
}

/** What a request asks for. */
export type Work =
  | { readonly is: 'charge'; readonly order: string; readonly card: string; readonly cents: number; readonly currency: string }
  | { readonly is: 'posting'; readonly account: string; readonly movement: string; readonly cents: number }

/** Cards that the bank declines end in its reason: `tok_declined_insufficient_funds`. */
const DECLINED = 'tok_declined_'

/** The provider's own record of what it did, in order. Work under one idempotency key is done once. */
export class Books {
  readonly charges: Charge[] = []
  readonly postings: Posting[] = []
  /** Requests that were recognised by their key, and answered as the first time. */
  repeated = 0
  readonly #answers = new Map<string, { readonly print: string; readonly answer: Answer }>()

  /**
   * Does the work, unless the key is known: then the answer of the first time, or 422 where the work is another one. A decline
   * is an answer as well.
   */
  do(work: Work, idempotencyKey: string | undefined): Answer {
    if (!idempotencyKey) return { status: 400, body: { error: 'The header Idempotency-Key is missing.' } }
    const print = createHash('sha256').update(JSON.stringify(work)).digest('hex')
    const known = this.#answers.get(idempotencyKey)
    if (known !== undefined) {
      if (known.print === print) {
        this.repeated++
        return known.answer
      }
      return { status: 422, body: { error: 'This Idempotency-Key belongs to another request.' } }
    }
    const answer = work.is === 'charge' ? this.#charge(work, idempotencyKey) : this.#post(work, idempotencyKey)
    this.#answers.set(idempotencyKey, { print, answer })
    return answer
  }

  #charge({ order, card, cents, currency }: Work & { is: 'charge' }, idempotencyKey: string): Answer {
    if (card.startsWith(DECLINED)) return { status: 402, body: { code: card.slice(DECLINED.length) } }
    const id = `ch_${this.charges.length + 1}`
    this.charges.push({ id, order, cents, currency, idempotencyKey })
    return { status: 201, body: { id } }
  }

  #post({ account, movement, cents }: Work & { is: 'posting' }, idempotencyKey: string): Answer {
    const id = `mv_${this.postings.length + 1}`
    this.postings.push({ id, account, movement, cents, idempotencyKey })
    return { status: 201, body: { id } }
  }
}
