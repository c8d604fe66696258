import * as z from 'zod'

/** What the shop puts into the queue when somebody orders. */
export const Order = z.object({
  id: z.string().regex(/^O-\d+$/, 'an order number such as O-1042'),
  email: z.email(),
  phone: z.string().optional(),
  /** The provider's token: no card number ever comes near a queue. */
  card: z.string().startsWith('tok_'),
  currency: z.enum(['EUR', 'GBP', 'USD']),
  lines: z.array(z.object({ sku: z.string().min(1), quantity: z.int().positive(), cents: z.int().nonnegative() })).min(1),
})
export type Order = z.infer<typeof Order>

/** What an order costs, in cents. */
export const totalOf = (order: Order): number => order.lines.reduce((sum, { quantity, cents }) => sum + quantity * cents, 0)

/** The bank says no. Asking again would not change its mind. */
export class CardDeclined extends Error {
  override readonly name = 'CardDeclined'
  /** The bank's reason, e.g. `insufficient_funds`. */
  readonly code: string

  constructor(code: string) {
    super(`The card was declined: ${code}.`)
    this.code = code
  }
}
