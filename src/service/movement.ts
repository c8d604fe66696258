import * as z from 'zod'

/** A movement on a customer's account. The account is the message group, so that movements are posted in order. */
export const Movement = z.object({
  id: z.string().min(1),
  account: z.string().min(1),
  /** Negative: taken off. */
  cents: z.int(),
})
export type Movement = z.infer<typeof Movement>
