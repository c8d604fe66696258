import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { DynamoDBClient, GetItemCommand, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb'
import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { refusingUrl } from './misbehaving-server.ts'
import { saidOf } from './optional.ts'

/** What the server answers next. */
let answer: { status: number; body: string; headers?: Record<string, string> } = { status: 200, body: '{}' }

const server = createServer((request, response) => {
  request.resume()
  const headers = { 'content-type': 'application/x-amz-json-1.0', ...answer.headers }
  response.writeHead(answer.status, headers).end(answer.body)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

const settings = (endpoint: string) => ({
  endpoint,
  region: 'eu-central-1',
  credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
  maxAttempts: 1,
})
const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const dynamodb = new DynamoDBClient(settings(endpoint))
const sqs = new SQSClient(settings(endpoint))

after(() => {
  dynamodb.destroy()
  sqs.destroy()
  server.closeAllConnections()
  server.close()
})

const getItem = (client = dynamodb) => client.send(new GetItemCommand({ TableName: 't', Key: { pk: { S: '1' } } }))

async function after400(name: string, more: object = {}, status = 400): Promise<string> {
  answer = { status, body: JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: 'as asked', ...more }) }
  return (await saidOf(() => getItem())).verdict
}

test('throttles, conflicts and expired credentials are retryable, though they come with status 400', async () => {
  for (const name of [
    'ProvisionedThroughputExceededException',
    'ThrottlingException',
    'RequestLimitExceeded',
    'TransactionConflictException',
    'ExpiredTokenException',
  ]) {
    assert.deepEqual([name, await after400(name)], [name, 'retryable'])
  }
  assert.equal(await after400('InternalServerError', {}, 500), 'retryable')
})

test('what hits all messages is unknown', async () => {
  for (const name of [
    'AccessDeniedException',
    'UnrecognizedClientException',
    'ResourceNotFoundException',
    'SomethingNewException',
  ]) {
    assert.deepEqual([name, await after400(name)], [name, 'unknown'])
  }
})

test('a wrong request and a false condition are permanent', async () => {
  for (const name of ['ValidationException', 'ConditionalCheckFailedException']) {
    assert.deepEqual([name, await after400(name)], [name, 'permanent'])
  }
})

test('a cancelled transaction is judged by its reasons', async () => {
  const verdictOf = async (...codes: string[]) => {
    const reasons = codes.map((Code) => ({ Code }))
    answer = { status: 400, body: JSON.stringify({ __type: 'x#TransactionCanceledException', CancellationReasons: reasons }) }
    const put = { Put: { TableName: 't', Item: { pk: { S: '1' } } } }
    return (await saidOf(() => dynamodb.send(new TransactWriteItemsCommand({ TransactItems: [put] })))).verdict
  }
  assert.equal(await verdictOf('None', 'TransactionConflict'), 'retryable')
  assert.equal(await verdictOf('ThrottlingError'), 'retryable')
  assert.equal(await verdictOf('ConditionalCheckFailed', 'None'), 'permanent')
})

test('an answer that is none of AWS, no connection and no answer in time are retryable', async () => {
  answer = { status: 502, body: '<html>Bad Gateway</html>' }
  assert.equal((await saidOf(() => getItem())).verdict, 'retryable')
  const refused = new DynamoDBClient(settings(await refusingUrl()))
  assert.equal((await saidOf(() => getItem(refused))).verdict, 'retryable')
  refused.destroy()
})

test('SQS: a missing queue is unknown, a limit retryable', async () => {
  const receive = () => sqs.send(new ReceiveMessageCommand({ QueueUrl: `${endpoint}/1/q` }))
  answer = { status: 400, body: JSON.stringify({ __type: 'com.amazonaws.sqs#QueueDoesNotExist', message: 'no queue' }) }
  assert.equal((await saidOf(receive)).verdict, 'unknown')
  answer = { status: 403, body: JSON.stringify({ __type: 'com.amazonaws.sqs#OverLimit', message: 'in flight' }) }
  assert.equal((await saidOf(receive)).verdict, 'retryable')
})
