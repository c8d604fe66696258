import { z } from 'zod'

/** What the blocks of README.md mean by an order. */
export const Order = z.object({ id: z.string(), cents: z.number().int().positive() })
export type Order = z.infer<typeof Order>
