import type { Order } from './order.ts'

/** What the blocks of README.md mean by payments. */
export class CardDeclined extends Error {}
export declare function charge(order: Order, idempotencyKey: string): Promise<void>
export declare function stockOf(order: Order): Promise<number>
