import { RetryableError } from 'redrive'
import * as z from 'zod'
import type { Movement } from './movement.ts'
import { CardDeclined, type Order, totalOf } from './order.ts'

/** What the provider says of work that is done. */
const Receipt = z.object({ id: z.string() })
export type Receipt = z.infer<typeof Receipt>

/** What a request takes over from its message; redrive's `message` fits. */
interface Call {
  /** The same for all attempts, duplicates and replays of a message: the provider does the work once for it. */
  readonly idempotencyKey: string
  /** Aborts at the deadline. */
  readonly signal: AbortSignal
}

/** The provider did not do what it was asked. redrive reads status and Retry-After off it, and decides whether to ask again. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError'
  readonly status: number
  readonly headers: Headers

  constructor({ status, statusText, headers }: Response) {
    super(`The payment provider answered ${status} ${statusText}.`)
    this.status = status
    this.headers = headers
  }
}

/** Charges the card of an order. Throws `CardDeclined` where the bank refuses. */
export const charge = (order: Order, call: Call): Promise<Receipt> =>
  send('charges', { order: order.id, card: order.card, cents: totalOf(order), currency: order.currency }, call)

/** Posts a movement on an account. */
export const post = ({ id, account, cents }: Movement, call: Call): Promise<Receipt> =>
  send(`accounts/${encodeURIComponent(account)}/movements`, { movement: id, cents }, call)

// Read when the module loads: a function without it must not start, or every single message would fail for it.
const provider = providerUrl(process.env['PAYMENTS_URL'])

async function send(path: string, body: object, { idempotencyKey, signal }: Call): Promise<Receipt> {
  const response = await fetch(new URL(path, provider), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
    body: JSON.stringify(body),
    signal,
  })
  // Read to its end whatever it says: the connection is free again only then.
  const text = await response.text()
  if (response.status === 402) throw new CardDeclined(declineCode(text))
  if (!response.ok) throw new ProviderError(response)
  return receiptOf(text)
}

/** An answer that makes no sense is the provider's fault, not the message's: without this, a ZodError would be permanent. */
function receiptOf(text: string): Receipt {
  try {
    return Receipt.parse(JSON.parse(text))
  } catch (cause) {
    throw new RetryableError('The payment provider said yes, and gave no receipt.', { cause })
  }
}

function declineCode(text: string): string {
  try {
    return z.object({ code: z.string() }).parse(JSON.parse(text)).code
  } catch {
    return 'no reason given'
  }
}

function providerUrl(text: string | undefined): URL {
  if (text === undefined || !URL.canParse(text)) throw new Error('PAYMENTS_URL must be the URL of the payment provider.')
  return new URL(text.endsWith('/') ? text : `${text}/`)
}
