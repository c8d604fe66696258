/** Queues, their dead-letter queues and a table on this machine: embedded, or on an emulator that runs already. */
import { type CreatedQueue, createQueue, createTable, dummyCredentials, makeSqsClient } from '../aws/create.ts'
import { startEmbeddedDynamoDb, startEmbeddedSqs } from '../worker/embedded.ts'
import { UsageError } from './command.ts'

/** A queue to make. */
export interface WantedQueue {
  readonly name: string
  readonly fifo: boolean
}

/** What `redrive dev` works on. */
export interface LocalAws {
  /** In the order of what was wanted. */
  readonly queues: readonly CreatedQueue[]
  readonly region: string
  readonly table: string
  readonly sqsEndpoint: string
  readonly dynamoDbEndpoint: string
  /** Something the person at the terminal wants to know. */
  readonly note: string | undefined
  stop(): Promise<void>
}

/** What `startLocalAws` is given. With an `endpoint` the emulator there is used instead of an embedded one. */
export interface LocalAwsOptions {
  readonly queues: readonly WantedQueue[]
  readonly region: string
  readonly port: number | undefined
  readonly endpoint: string | undefined
}

const TABLE = 'redrive-dev'

/** Makes the queues and the table. Rejects with a `UsageError` when the port is taken or the endpoint does not answer. */
export function startLocalAws(options: LocalAwsOptions): Promise<LocalAws> {
  return options.endpoint === undefined ? embedded(options) : emulator(options, options.endpoint)
}

async function embedded({ queues, port = 0, region }: LocalAwsOptions): Promise<LocalAws> {
  const sqs = await startEmbeddedSqs({ region, port }).catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== 'EADDRINUSE') throw error
    throw new UsageError(`--port: ${port} is taken on 127.0.0.1. Leave --port away, or give another.`)
  })
  const dynamoDb = await startEmbeddedDynamoDb({ region })
  await dynamoDb.createTable(TABLE)
  return {
    queues: await Promise.all(queues.map((queue) => sqs.createQueue(queue))),
    region,
    table: TABLE,
    sqsEndpoint: sqs.endpoint,
    dynamoDbEndpoint: dynamoDb.endpoint,
    note: undefined,
    async stop() {
      await Promise.all([sqs.stop(), dynamoDb.stop()])
    },
  }
}

async function emulator({ queues: wanted, region }: LocalAwsOptions, endpoint: string): Promise<LocalAws> {
  const client = await makeSqsClient({ endpoint, region, credentials: dummyCredentials })
  const queues = await Promise.all(wanted.map((queue) => createQueue(client, queue)))
    .catch((error: unknown) => {
      throw new UsageError(`--endpoint: no queue could be made at ${endpoint}: ${reason(error)}`)
    })
    .finally(() => client.destroy())
  const place = { queues, region, table: TABLE, sqsEndpoint: endpoint }
  try {
    await createTable({ endpoint, region }, TABLE)
    return { ...place, dynamoDbEndpoint: endpoint, note: undefined, stop: async () => {} }
  } catch {
    // ElasticMQ and the like speak SQS only.
    const dynamoDb = await startEmbeddedDynamoDb({ region })
    await dynamoDb.createTable(TABLE)
    const note = `There is no DynamoDB at ${endpoint}: the table is an embedded one.`
    return { ...place, dynamoDbEndpoint: dynamoDb.endpoint, note, stop: dynamoDb.stop }
  }
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message || (error as { code?: string }).code || error.name
}
