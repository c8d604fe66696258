import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { CreateTableCommand, DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb'
import dynalite from 'dynalite'
import { openDynamoStore, tableDefinition } from '../../src/aws/dynamodb.ts'
import { itemOf } from '../../src/aws/dynamodb-item.ts'
import { storeConformance } from '../conformance/store.ts'
import { ask, type Bench, newKey } from './bench.ts'

const table = 'idempotency'

/** A DynamoDB of its own on a free port of this machine. */
async function startDynamo() {
  const server = dynalite({ createTableMs: 0, deleteTableMs: 0 })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' }
  const client = new DynamoDBClient({ endpoint: `http://127.0.0.1:${port}`, region: 'eu-central-1', credentials, maxAttempts: 1 })
  const close = async () => {
    client.destroy()
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return { client, close }
}

async function openBench(): Promise<Bench> {
  const { client, close } = await startDynamo()
  await client.send(new CreateTableCommand(tableDefinition(table)))
  return {
    store: openDynamoStore({ table, client }),
    plant: async (record) => {
      await client.send(new PutItemCommand({ TableName: table, Item: itemOf(record) }))
    },
    close,
  }
}

storeConformance('DynamoDB store on dynalite', openBench, 25)

describe('DynamoDB store: what a person must mend', () => {
  let dynamo: Awaited<ReturnType<typeof startDynamo>>
  before(async () => {
    dynamo = await startDynamo()
  })
  after(() => dynamo.close())

  test('a missing table is named, with what to do and the cause', async () => {
    const store = openDynamoStore({ table: 'nowhere', client: dynamo.client })
    await assert.rejects(store.begin(ask(newKey())), (error: Error) => {
      assert.match(
        error.message,
        /^The DynamoDB table "nowhere" does not exist .*: create it .*, or correct the store's `table`$/,
      )
      assert.equal((error.cause as Error).name, 'ResourceNotFoundException')
      return true
    })
    await assert.rejects(store.read('k'), /"nowhere" does not exist/)
  })

  test('a table with another key is named, with the key it needs', async () => {
    const AttributeDefinitions = [{ AttributeName: 'pk', AttributeType: 'S' as const }]
    const KeySchema = [{ AttributeName: 'pk', KeyType: 'HASH' as const }]
    await dynamo.client.send(new CreateTableCommand({ ...tableDefinition('other'), AttributeDefinitions, KeySchema }))
    const store = openDynamoStore({ table: 'other', client: dynamo.client })
    await assert.rejects(
      store.begin(ask(newKey())),
      /"other" has another key than the store needs: its partition key must be `id`/,
    )
  })
})
