/** The idempotency store on DynamoDB: one item a key, one conditional UpdateItem a write. The rules are in `flow/lease.ts`. */
import type {
  ConditionalCheckFailedException,
  CreateTableCommandInput,
  GetItemCommandInput,
  GetItemCommandOutput,
  UpdateItemCommandInput,
  UpdateItemCommandOutput,
} from '@aws-sdk/client-dynamodb'
import { acquired, CONTENDED_MS, decide, endRefused } from '../flow/lease.ts'
import type { BeginRequest, BeginResult, EndRequest, EndResult, IdempotencyStore } from '../flow/ports.ts'
import type { LeaseRecord } from '../flow/record.ts'
import { type DynamoClient, explain, loadSdk, makeClient, type Sdk } from './dynamodb-client.ts'
import { type Item, recordOf } from './dynamodb-item.ts'
import { type ConditionalWrite, endWrite, firstWrite, takeOverWrite } from './dynamodb-writes.ts'

/** Options of {@link openDynamoStore}. */
export interface DynamoStoreOptions {
  /** Name or ARN of the table, see {@link tableDefinition}. */
  readonly table: string
  /**
   * A client of your own, e.g. for another region or for X-Ray.
   * @default one that is made at the first call: 1 s to connect, 3 s a request, the SDK's own retries
   */
  readonly client?: DynamoClient
}

/** The attribute by which DynamoDB deletes expired records: switch Time to Live on for it. */
export const ttlAttribute = 'expiresAt'

/** What to create the table with: `new CreateTableCommand(tableDefinition('idempotency'))`. */
export function tableDefinition(name: string) {
  return {
    TableName: name,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  } satisfies CreateTableCommandInput
}

type GiveBackRequest = Parameters<IdempotencyStore['giveBack']>[0]

// Writes of one begin. Only others that write the same key at the same time make a third one necessary.
const ROUNDS = 5

/** Opens the idempotency store in a DynamoDB table. Nothing is loaded or connected before the first call. */
export function openDynamoStore({ table, client }: DynamoStoreOptions): IdempotencyStore {
  const { write, read } = openTable(table, client)

  async function begin(request: BeginRequest, signal?: AbortSignal): Promise<BeginResult> {
    let next = firstWrite(request)
    for (let round = 0; round < ROUNDS; round++) {
      const written = await write(next, signal)
      if (written.is === 'stored') return acquired(recordOf(written.item ?? {}))
      // Nothing there any more: DynamoDB deleted an expired record between the write and the look at it.
      const decision = written.seen ? decide(written.seen, request) : undefined
      if (decision && decision.is !== 'take-over') return decision
      next = written.seen && decision ? takeOverWrite(written.seen, decision.record) : firstWrite(request)
    }
    return { is: 'busy', until: request.now + CONTENDED_MS }
  }

  async function end(request: EndRequest, signal?: AbortSignal): Promise<EndResult> {
    const written = await write(endWrite(request), signal)
    return written.is === 'stored' ? { is: 'stored' } : endRefused(request, written.seen)
  }

  async function giveBack({ id, run, now, expiresAt }: GiveBackRequest, signal?: AbortSignal): Promise<void> {
    const record = await read(id, signal)
    if (record?.run === run && record.state === 'running') await end({ to: 'released', record, now, expiresAt }, signal)
  }

  return { begin, end, giveBack, read }
}

type Written =
  | { readonly is: 'stored'; readonly item: Item | undefined }
  | { readonly is: 'refused'; readonly seen: LeaseRecord | undefined }

/** The two requests there are: a write that says what stood in its way, and a consistent read. */
function openTable(table: string, given: DynamoClient | undefined) {
  let sdk: Sdk | undefined
  let client = given

  async function send(make: (sdk: Sdk) => object, signal: AbortSignal | undefined): Promise<unknown> {
    sdk ??= await loadSdk()
    client ??= makeClient(sdk)
    try {
      return await client.send(make(sdk) as never, signal ? { abortSignal: signal } : {})
    } catch (error) {
      throw explain(error, table)
    }
  }

  async function read(id: string, signal?: AbortSignal): Promise<LeaseRecord | undefined> {
    const input: GetItemCommandInput = { TableName: table, Key: { id: { S: id } }, ConsistentRead: true }
    const { Item } = (await send((sdk) => new sdk.GetItemCommand(input), signal)) as GetItemCommandOutput
    return Item && recordOf(Item)
  }

  async function write({ id, expressions }: ConditionalWrite, signal?: AbortSignal): Promise<Written> {
    const input: UpdateItemCommandInput = {
      TableName: table,
      Key: { id: { S: id } },
      ...expressions,
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    }
    try {
      const { Attributes } = (await send((sdk) => new sdk.UpdateItemCommand(input), signal)) as UpdateItemCommandOutput
      return { is: 'stored', item: Attributes }
    } catch (error) {
      if (!isRefusal(error)) throw error
      // Some servers keep the old item to themselves; and there is none to give where the key is gone.
      return { is: 'refused', seen: error.Item ? recordOf(error.Item) : await read(id, signal) }
    }
  }

  return { read, write }
}

// By name: the user's client may come from another copy of the SDK.
function isRefusal(error: unknown): error is ConditionalCheckFailedException {
  return error instanceof Error && error.name === 'ConditionalCheckFailedException'
}
