/** SQS and DynamoDB in this process, for `redrive dev`, demos and tests: fauxqs and dynalite, loaded when first needed. */
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type CreatedQueue,
  createQueue,
  createTable,
  dummyCredentials,
  type EmulatorAddress,
  makeSqsClient,
} from '../aws/create.ts'
import { WorkerStartError } from './start-error.ts'

/** The region that embedded queues and tables are in unless another is asked for. */
export const embeddedRegion = 'us-east-1'

/** A message in an embedded queue, as far as `inspect` shows it. */
export interface InspectedMessage {
  readonly messageId: string
  readonly body: string
  readonly approximateReceiveCount: number
}

/** What an embedded queue holds. Looking changes nothing: it is no receive. */
export interface QueueContents {
  readonly ready: readonly InspectedMessage[]
  readonly delayed: readonly InspectedMessage[]
  readonly inflight: readonly {
    readonly message: InspectedMessage
    readonly receiptHandle: string
    /** Epoch milliseconds at which it becomes visible again. */
    readonly visibilityDeadline: number
  }[]
}

/** SQS in this process. */
export interface EmbeddedSqs extends EmulatorAddress {
  readonly accountId: string
  createQueue(options: Parameters<typeof createQueue>[1]): Promise<CreatedQueue>
  /** Looks into a queue by name; `undefined`: there is none. */
  inspect(queueName: string): Promise<QueueContents | undefined>
  stop(): Promise<void>
}

/** DynamoDB in this process. */
export interface EmbeddedDynamoDb extends EmulatorAddress {
  /** Creates the idempotency table. */
  createTable(name: string): Promise<void>
  stop(): Promise<void>
}

/** What is used of fauxqs' application (Fastify's). */
interface FauxqsApp {
  listen(options: { readonly port: number; readonly host: string }): Promise<string>
  close(): Promise<void>
}

/** fauxqs knows one account. */
const FAUXQS_ACCOUNT = '000000000000'

/**
 * Starts an SQS emulator on 127.0.0.1, on a free port unless one is given. Rejects with the line to install when the package
 * `fauxqs` is missing, and when the port is taken.
 */
export async function startEmbeddedSqs(options: { readonly region?: string; readonly port?: number } = {}): Promise<EmbeddedSqs> {
  const { region = embeddedRegion, port = 0 } = options
  const { buildApp } = await loadPeer<{ buildApp(options: object): FauxqsApp }>('fauxqs', 'SQS')
  // Not its `startFauxqs`: that one listens on all interfaces.
  const app = buildApp({ logger: false, defaultRegion: region })
  const endpoint = await app.listen({ port, host: '127.0.0.1' })
  const client = await makeSqsClient({ region, endpoint, credentials: dummyCredentials })
  // The URLs it gives out have the region in a host name (sqs.us-east-1.localhost) that not every machine can resolve. It finds
  // queues by the path alone.
  const local = (url: string): string => `${endpoint}/${FAUXQS_ACCOUNT}/${url.split('/').at(-1)}`
  return {
    endpoint,
    region,
    accountId: FAUXQS_ACCOUNT,
    async createQueue(wanted) {
      const created = await createQueue(client, wanted)
      return { ...created, url: local(created.url), deadLetterUrl: local(created.deadLetterUrl) }
    },
    async inspect(queueName) {
      const answer = await fetch(`${endpoint}/_fauxqs/queues/${encodeURIComponent(queueName)}`)
      if (!answer.ok) return undefined
      const { messages } = (await answer.json()) as { messages: QueueContents }
      return messages
    },
    async stop() {
      client.destroy()
      await app.close()
    },
  }
}

/** Starts a DynamoDB emulator in memory on 127.0.0.1. Rejects with the line to install when the package `dynalite` is missing. */
export async function startEmbeddedDynamoDb(
  options: { readonly region?: string; readonly port?: number } = {},
): Promise<EmbeddedDynamoDb> {
  const { region = embeddedRegion, port = 0 } = options
  const { default: dynalite } = await loadPeer<{ default(options: object): Server }>('dynalite', 'DynamoDB')
  const server = dynalite({ createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, region }
  return {
    ...address,
    createTable: (name) => createTable(address, name),
    stop() {
      return new Promise((resolve) => {
        server.close(() => resolve())
        // Clients keep their connections open, and `close` would wait for them.
        server.closeAllConnections()
      })
    },
  }
}

async function loadPeer<Module>(name: string, what: string): Promise<Module> {
  try {
    return (await import(name)) as Module
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new WorkerStartError(
      `The embedded ${what} needs the package ${name}, which is not installed: npm install --save-dev fauxqs dynalite`,
      { cause: error },
    )
  }
}
