import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { UpdateItemCommandInput } from '@aws-sdk/client-dynamodb'
import { openDynamoStore, tableDefinition, ttlAttribute } from '../../src/aws/dynamodb.ts'
import { loadSdk } from '../../src/aws/dynamodb-client.ts'
import { itemOf, recordOf as readItem } from '../../src/aws/dynamodb-item.ts'
import { CONTENDED_MS } from '../../src/flow/lease.ts'
import { type LeaseRecord, NEVER } from '../../src/flow/record.ts'
import { storeConformance } from '../conformance/store.ts'
import { acquire, ask, end, endings, leaseMs, newKey, note, now, recordOf } from './bench.ts'
import { awsError, sizeOf, stubDynamo } from './stub-dynamo.ts'

function openBench(options?: { stutter: boolean }) {
  const client = stubDynamo(options)
  const store = openDynamoStore({ table: 'idempotency', client })
  const plant = async (record: LeaseRecord) => {
    client.items.set(record.id, itemOf(record))
  }
  const commands = () => client.sent.splice(0).map(({ command }) => command)
  const units = () => {
    const spent = client.units
    client.units = 0
    return spent
  }
  return { client, store, plant, commands, units }
}

storeConformance('DynamoDB store, old items in refusals', async () => openBench(), 500)
storeConformance('DynamoDB store, each answer lost once', async () => openBench({ stutter: true }), 500)

describe('DynamoDB store: requests and write units', () => {
  test('success: two writes', async () => {
    const bench = openBench()
    await end(bench, (await acquire(bench, ask(newKey()))).record, endings.done)
    assert.deepEqual([bench.commands(), bench.units()], [['UpdateItemCommand', 'UpdateItemCommand'], 2])
  })

  for (const name of ['failed as retryable', 'dead', 'cut, an attempt', 'released'] as const) {
    test(`an attempt that is ${name}: two writes, and two for the next`, async () => {
      const bench = openBench()
      const request = ask(newKey(), { leaseUntil: now })
      await end(bench, (await acquire(bench, request)).record, endings[name])
      assert.deepEqual([bench.commands(), bench.units()], [['UpdateItemCommand', 'UpdateItemCommand'], 2])
      if (name === 'dead') return
      await end(bench, (await acquire(bench, ask(request.id))).record, endings.done)
      assert.deepEqual([bench.commands(), bench.units()], [['UpdateItemCommand', 'UpdateItemCommand'], 2])
    })
  }

  for (const [name, state] of Object.entries({
    duplicate: { state: 'done', freeAt: NEVER },
    'a dead one again': { state: 'dead', freeAt: NEVER },
    'an undelivered one': { state: 'dead', freeAt: NEVER, letter: '{}' },
    busy: { state: 'running' },
    mismatch: { fingerprint: 'B', firstMessageId: 'm0' },
  } satisfies Record<string, Partial<LeaseRecord>>)) {
    test(`${name}: one refused write, no read`, async () => {
      const bench = openBench()
      const record = recordOf(newKey(), state)
      await bench.plant(record)
      await bench.store.begin(ask(record.id))
      assert.deepEqual([bench.commands(), bench.units()], [['UpdateItemCommand'], 1])
    })
  }

  for (const [name, state] of Object.entries({
    'a replay of a dead one': { state: 'dead', freeAt: NEVER, messageId: 'm0' },
    'an expired one': { state: 'done', freeAt: now, expiresAt: now / 1000 },
    'an edited body': { state: 'failed', freeAt: 0, fingerprint: 'B' },
  } satisfies Record<string, Partial<LeaseRecord>>)) {
    test(`${name}: a refused write and a take-over, no read`, async () => {
      const bench = openBench()
      const record = recordOf(newKey(), state)
      await bench.plant(record)
      await acquire(bench, ask(record.id))
      assert.deepEqual([bench.commands(), bench.units()], [['UpdateItemCommand', 'UpdateItemCommand'], 2])
    })
  }

  test('a lost lease: one refused write, no read; a record that is gone: one consistent read more', async () => {
    const bench = openBench()
    const { record } = await acquire(bench, ask(newKey()))
    await acquire(bench, ask(record.id, { now: now + leaseMs }))
    bench.commands()
    await end(bench, record, endings.done)
    assert.deepEqual(bench.commands(), ['UpdateItemCommand'])
    await end(bench, recordOf(newKey()), endings.done)
    const [, read] = bench.client.sent
    assert.partialDeepStrictEqual(read?.input, { ConsistentRead: true })
    assert.deepEqual(bench.commands(), ['UpdateItemCommand', 'GetItemCommand'])
  })

  test('given back: a read, and a write only for what is ours', async () => {
    const bench = openBench()
    const { record } = await acquire(bench, ask(newKey()))
    const back = { id: record.id, run: record.run, now, expiresAt: record.expiresAt }
    bench.commands()
    await bench.store.giveBack({ ...back, run: 'another' })
    assert.deepEqual(bench.commands(), ['GetItemCommand'])
    await bench.store.giveBack(back)
    assert.deepEqual(bench.commands(), ['GetItemCommand', 'UpdateItemCommand'])
  })

  /** Begins for a record whose lease is over, while its owner changes it between the look at it and the take-over. */
  async function takeOverDuring(changes: Partial<LeaseRecord>) {
    const bench = openBench()
    const seen = recordOf(newKey(), { freeAt: now, fingerprint: 'B', steps: { a: '1' } })
    await bench.plant(seen)
    const send = bench.client.send
    bench.client.send = async (command, options) => {
      if (bench.client.sent.length === 1) await bench.plant({ ...seen, ...changes })
      return send(command, options)
    }
    const result = await acquire(bench, ask(seen.id))
    return { ...result, writes: bench.commands().length }
  }

  test('a step stored between the look at a record and its take-over is not undone', async () => {
    const { record, writes } = await takeOverDuring({ steps: { a: '1', b: '2' } })
    assert.deepEqual([record.steps, writes], [{ a: '1', b: '2' }, 2])
  })

  test('a cut stored between the look at a record and its take-over counts', async () => {
    const { record, open, writes } = await takeOverDuring({ open: 0, attempts: 0, history: [note('cut')] })
    assert.deepEqual([record.attempts, record.open, open, record.history, writes], [1, 1, 0, [note('cut')], 3])
  })

  test('overtaken in every round: busy for a second, after a bounded number of writes', async () => {
    const bench = openBench()
    const id = newKey()
    const send = bench.client.send
    bench.client.send = async (command, options) => {
      await bench.plant(recordOf(id, { freeAt: now, fingerprint: 'B' }))
      return send(command, options)
    }
    assert.deepEqual(await bench.store.begin(ask(id)), { is: 'busy', until: now + CONTENDED_MS })
    assert.equal(bench.commands().length, 5)
  })
})

describe('DynamoDB store: the item', () => {
  const production = {
    id: 'orders#0f5a3c1e-8d2b-4c7a-9e61-3b1f0c9d2e77',
    run: '5f0c2a9e-1b7d-4e83-a6c4-92d1e07b3f58',
    messageId: '19dd0b57-b21e-4ac1-bd88-01bbb068cb78',
    firstMessageId: '19dd0b57-b21e-4ac1-bd88-01bbb068cb78',
    fingerprint: 'pZGm1Av0IEBKARczz7exkNYsZb8LzaMrV7J32a2fFG4',
    attempts: 12,
  }
  const outage = Array.from({ length: 10 }, (_, second) => ({
    at: `2026-08-03T10:00:0${second}.123Z`,
    name: 'TimeoutError',
    message: 'connect ETIMEDOUT 10.0.14.7:443 after 3000 ms',
    rule: 'network.timeout',
  }))

  test('ten notes of one outage fit into a write unit', () => {
    assert.equal(sizeOf(itemOf(recordOf('k', production))), 359)
    assert.equal(sizeOf(itemOf(recordOf('k', { ...production, history: outage }))), 730)
  })

  test('ten notes that all differ take a second one', () => {
    const history = outage.map((one, index) => ({ ...one, message: `${one.message} (request ${index})` }))
    const size = sizeOf(itemOf(recordOf('k', { ...production, history })))
    assert.ok(size > 1024 && size < 2048, `${size} bytes`)
  })

  test('notes come back as they were, repeated or not', () => {
    const history = [note('a'), note('a'), note('b'), { ...note('b'), rule: 'other' }, note('b'), note('"quoted" \n ключ')]
    const record = recordOf(newKey(), { history })
    assert.deepEqual(readItem(itemOf(record)), record)
  })

  test('an item that is not a record of ours is refused by name', async () => {
    const bench = openBench()
    bench.client.items.set('k', { id: { S: 'k' }, leaseState: { S: 'COMPLETED' } })
    await assert.rejects(bench.store.read('k'), /Not an idempotency record of redrive: its leaseState is "COMPLETED"/)
  })

  test('the table: one string key, on demand, and the attribute for Time to Live', () => {
    const { AttributeDefinitions, KeySchema, BillingMode } = tableDefinition('t')
    assert.deepEqual(KeySchema, [{ AttributeName: 'id', KeyType: 'HASH' }])
    assert.deepEqual([AttributeDefinitions, BillingMode], [[{ AttributeName: 'id', AttributeType: 'S' }], 'PAY_PER_REQUEST'])
    assert.deepEqual(itemOf(recordOf('k', { expiresAt: 5 }))[ttlAttribute], { N: '5' })
  })
})

describe('DynamoDB store: the client', () => {
  test('each request has the signal and the table', async () => {
    const bench = openBench()
    const { signal } = new AbortController()
    const request = ask(newKey())
    await bench.store.begin(request, signal)
    await bench.store.giveBack({ id: request.id, run: request.run, now, expiresAt: request.expiresAt }, signal)
    await bench.store.end({ to: 'done', record: recordOf(newKey()), now, expiresAt: request.expiresAt }, signal)
    await bench.store.read(request.id, signal)
    assert.deepEqual(
      bench.client.sent.map(({ options }) => options.abortSignal),
      Array(6).fill(signal),
    )
    assert.deepEqual(new Set(bench.client.sent.map(({ input }) => input.TableName)), new Set(['idempotency']))
  })

  for (const [name, message, says] of [
    [
      'AccessDeniedException',
      'not authorized to perform: dynamodb:UpdateItem',
      /"idempotency" may not be used .*: allow its role dynamodb:UpdateItem/,
    ],
    ['ResourceNotFoundException', 'Requested resource not found', /"idempotency" does not exist/],
    ['ProvisionedThroughputExceededException', 'too fast', /^too fast$/],
    ['ValidationException', 'Item size to update has exceeded the maximum allowed size', /^Item size/],
  ] as const) {
    test(`${name} passes out as ${says}`, async () => {
      const bench = openBench()
      const failure = awsError(name, message)
      bench.client.failures.push(failure)
      await assert.rejects(bench.store.begin(ask(newKey())), (error: Error) => {
        assert.match(error.message, says)
        assert.equal(error.message === message ? error : error.cause, failure)
        return true
      })
    })
  }

  test('a missing SDK package is one sentence with the line to type', async () => {
    const missing = Object.assign(new Error("Cannot find package '@aws-sdk/client-dynamodb' imported from /var/task/index.mjs"), {
      code: 'ERR_MODULE_NOT_FOUND',
    })
    const load = () => Promise.reject(missing)
    await assert.rejects(loadSdk(load), { message: /npm install @aws-sdk\/client-dynamodb$/, cause: missing })
    const other = new Error('broken')
    await assert.rejects(
      loadSdk(() => Promise.reject(other)),
      other,
    )
  })

  test('a write takes the item only under a condition, and asks for what stood in its way', async () => {
    const bench = openBench()
    const { record } = await acquire(bench, ask(newKey()))
    await end(bench, record, endings.done)
    for (const { input } of bench.client.sent) {
      const { ConditionExpression, ReturnValuesOnConditionCheckFailure } = input as UpdateItemCommandInput
      assert.ok(ConditionExpression)
      assert.equal(ReturnValuesOnConditionCheckFailure, 'ALL_OLD')
    }
  })
})
