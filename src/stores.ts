import { OptionsError } from './flow/check-options.ts'
import { onDemand } from './flow/on-demand.ts'
import type { SdkClient, StoreMaker } from './flow/options.ts'
import { lazyStore } from './lazy.ts'

/**
 * The idempotency store on DynamoDB: one item a key, written under conditions, 2 writes a message. The table's partition key is
 * `id` (a string), its TTL attribute `expiresAt`.
 *
 * Throws an OptionsError when the consumer starts and no table is named, neither here nor in REDRIVE_TABLE.
 */
export function dynamoStore(
  options: {
    /** @default REDRIVE_TABLE */
    readonly table?: string
    /** @default made when first needed */
    readonly client?: SdkClient
  } = {},
): StoreMaker {
  return {
    kind: 'dynamodb',
    open: (environment) => {
      const table = options.table ?? environment.table
      const client = options.client ?? environment.client
      if (table === undefined) throw new OptionsError('redrive: dynamoStore() has no table: give { table } or set REDRIVE_TABLE.')
      return lazyStore(async () => {
        const { openDynamoStore } = await onDemand(() => import('./aws/dynamodb.ts'))
        return openDynamoStore({ table, ...(client !== undefined && { client }) })
      })
    },
  }
}
