/** Options that the tests start from. */
import type { ConsumerOptions, ServiceOptions } from '../../src/stack/options.ts'

export const shop: ServiceOptions = { service: 'shop', stage: 'prod' }

/** The same, with somebody to wake. */
export const watched: ServiceOptions = {
  ...shop,
  alarm: { email: 'oncall@shop.example', owner: 'team-shop', runbook: 'https://wiki.shop.example/orders' },
}

export const orders: ConsumerOptions = { logicalName: 'Orders', queue: { make: 'orders' }, functionTimeout: 30 }

export const ledger: ConsumerOptions = { logicalName: 'Ledger', queue: { make: 'ledger' }, fifo: true, functionTimeout: 60 }
