// The DynamoDB store against what the emulators make of DynamoDB: all three give the old item with a refused write, or the suite shows it.

import { describe } from 'node:test'
import { CreateTableCommand, DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { openDynamoStore, tableDefinition } from '../../src/aws/dynamodb.ts'
import { itemOf } from '../../src/aws/dynamodb-item.ts'
import { storeConformance } from '../conformance/store.ts'
import type { BedName } from './beds.ts'
import { settingsFor } from './clients.ts'
import { skip } from './skip.ts'
import { bedFor } from './world.ts'

for (const [bedName, name] of Object.entries({ ministack: "MiniStack's DynamoDB", localstack: "LocalStack's DynamoDB (moto)" })) {
  if (skip) describe(`the store on ${name}`, { skip }, () => {})
  else {
    storeConformance(`the store on ${name}`, () => benchOn(bedName as BedName), 20)
  }
}

async function benchOn(name: BedName) {
  const bed = await bedFor(name)
  const client = new DynamoDBClient(settingsFor(bed.endpoint))
  const table = `conformance-${process.pid}`
  await client.send(new CreateTableCommand(tableDefinition(table)))
  return {
    store: openDynamoStore({ table, client }),
    plant: async (record: Parameters<typeof itemOf>[0]) => {
      await client.send(new PutItemCommand({ TableName: table, Item: itemOf(record) }))
    },
    close: async () => {
      client.destroy()
      await bed.stop()
    },
  }
}
