import { onDemand } from '../flow/on-demand.ts'

/** The DynamoDB client: loaded when first needed, with bounded times, and with errors that say what to do. */

/** What the store needs of a DynamoDB client; the SDK's `DynamoDBClient` fits. */
export interface DynamoClient {
  send(command: never, options?: { abortSignal?: AbortSignal }): Promise<unknown>
}

/**
 * The SDK's package, as a module.
 * @internal Kept out of the declarations, which then compile without that optional package.
 */
export type Sdk = typeof import('@aws-sdk/client-dynamodb')

const packageName = '@aws-sdk/client-dynamodb'

/**
 * Loads the SDK's DynamoDB package, or says which one is missing.
 * @internal
 */
export async function loadSdk(load: () => Promise<Sdk> = () => onDemand(() => import('@aws-sdk/client-dynamodb'))): Promise<Sdk> {
  try {
    return await load()
  } catch (error) {
    if (
      error instanceof Error &&
      'code' in error &&
      String(error.code).endsWith('MODULE_NOT_FOUND') &&
      error.message.includes(packageName)
    ) {
      throw new Error(`The DynamoDB idempotency store needs the package ${packageName}. Install it: npm install ${packageName}`, {
        cause: error,
      })
    }
    throw error
  }
}

/**
 * A client that gives up on a dead connection early enough for the SDK's own retries to be of use.
 * @internal
 */
export function makeClient(sdk: Sdk): DynamoClient {
  return new sdk.DynamoDBClient({
    // Without the third setting the SDK only logs a warning when the second runs out.
    requestHandler: { connectionTimeout: 1000, requestTimeout: 3000, throwOnRequestTimeout: true },
  })
}

/** What to do about the errors that stay until somebody does something. */
const remedies: readonly { readonly name: RegExp; readonly message?: RegExp; readonly what: string; readonly remedy: string }[] =
  [
    {
      name: /^ResourceNotFoundException$/,
      what: 'does not exist in this account and region',
      remedy: "create it (the Serverless plugin and `redrive stack` do), or correct the store's `table`",
    },
    {
      name: /^AccessDenied(Exception)?$/,
      what: 'may not be used by this function',
      remedy: 'allow its role dynamodb:UpdateItem and dynamodb:GetItem on the table, and the use of its KMS key if it has one',
    },
    {
      name: /^ValidationException$/,
      message: /key element|missing the key/i,
      what: 'has another key than the store needs',
      remedy: 'its partition key must be `id`, a string, with no sort key',
    },
  ]

/** The same error with the table's name and a way out, where a person is needed; others pass as they are. */
export function explain(error: unknown, table: string): unknown {
  if (!(error instanceof Error)) return error
  const known = remedies.find(({ name, message }) => name.test(error.name) && (message?.test(error.message) ?? true))
  return known ? new Error(`The DynamoDB table "${table}" ${known.what}: ${known.remedy}`, { cause: error }) : error
}
