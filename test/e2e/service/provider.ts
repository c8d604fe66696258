/**
 * A payment provider inside the function's own process, so that it is there whichever way an emulator runs functions. Its books
 * are a DynamoDB table, under credentials of its own: they outlive the process, and tests read them. What goes wrong is written
 * in the card or in the movement's id, behind the last `_`:
 *
 * - `503x2`: the first two requests are answered with 503; `503x2after3` asks to wait 3 seconds as well
 * - `crash`: the first request ends the process after its work is done, before the answer
 * - `spin`: the first request blocks the process for longer than any function's timeout
 * - `hang`: the first request is never answered
 * - `tok_declined_REASON` (cards): the bank says no
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ConditionalCheckFailedException, DynamoDBClient, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb'

const DECLINED = 'tok_declined_'
const SPIN_MS = 20_000

const books = new DynamoDBClient({ credentials: { accessKeyId: 'test', secretAccessKey: 'test' } })
const TableName = process.env['BOOKS']

interface Answer {
  readonly status: number
  readonly body: object
  readonly headers?: Record<string, string>
}

interface Asked {
  readonly reference: string
  readonly plan: string
  readonly key: string
}

/** Starts the provider on a free port of 127.0.0.1. */
export async function startProvider(): Promise<{ readonly url: string }> {
  const server = createServer(async (request, response) => {
    const answer = await askedIn(request).then(answerTo).catch(broken)
    if (answer === 'none') return
    response.writeHead(answer.status, { 'content-type': 'application/json', ...('headers' in answer && answer.headers) })
    response.end(JSON.stringify(answer.body))
  })
  server.listen(0, '127.0.0.1').unref()
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}

function broken(error: unknown): Answer {
  console.error('The provider of the tests is broken.', error)
  return { status: 599, body: {} }
}

async function askedIn(request: IncomingMessage): Promise<Asked> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const { order, card, movement } = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, string>
  const reference = order ?? movement ?? ''
  return { reference, plan: card ?? reference, key: String(request.headers['idempotency-key']) }
}

async function answerTo({ reference, plan, key }: Asked): Promise<Answer | 'none'> {
  await write(reference, `request#${Date.now()}#${randomUUID()}`, key)
  const nth = await requestsFor(reference)
  const [, status, times, , seconds] = /_(\d{3})x(\d+)(after(\d+))?$/.exec(plan) ?? []
  if (status !== undefined && nth <= Number(times)) {
    return { status: Number(status), body: {}, ...(seconds !== undefined && { headers: { 'retry-after': seconds } }) }
  }
  if (plan.startsWith(DECLINED)) return { status: 402, body: { code: plan.slice(DECLINED.length) } }
  if (nth === 1 && plan.endsWith('_hang')) return 'none'
  if (nth === 1 && plan.endsWith('_spin')) spin()
  await work(reference, key)
  if (nth === 1 && plan.endsWith('_crash')) process.exit(7)
  return { status: 201, body: { id: `done-${reference}` } }
}

/** Once a key, as providers with idempotency keys do it. */
async function work(reference: string, key: string): Promise<void> {
  try {
    await write(reference, `work#${key}`, key)
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error
  }
}

async function write(reference: string, entry: string, key: string): Promise<void> {
  const Item = { about: { S: reference }, entry: { S: entry }, key: { S: key }, at: { N: String(Date.now()) } }
  await books.send(new PutItemCommand({ TableName, Item, ConditionExpression: 'attribute_not_exists(about)' }))
}

async function requestsFor(reference: string): Promise<number> {
  const { Count = 0 } = await books.send(
    new QueryCommand({
      TableName,
      ConsistentRead: true,
      KeyConditionExpression: 'about = :reference AND begins_with(entry, :request)',
      ExpressionAttributeValues: { ':reference': { S: reference }, ':request': { S: 'request#' } },
    }),
  )
  return Count
}

/** No timer, no promise, no signal gets through: only the end of the process helps. */
function spin(): void {
  const end = Date.now() + SPIN_MS
  while (Date.now() < end);
}
