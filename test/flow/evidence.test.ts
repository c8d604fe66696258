/** What the evidence of a dead letter tells, and what it never does. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PermanentError } from '../../src/index.ts'
import { bench, evidenceOf as evidenceIn, throwing } from '../consumer/harness.ts'

test('evidence has chosen fields only: no config, request, headers or payload of an error (B55)', async () => {
  const secret = 'Bearer s3cr3t'
  const error = Object.assign(new Error('Request failed with status code 400'), {
    name: 'AxiosError',
    status: 400,
    code: 'ERR_BAD_REQUEST',
    config: { headers: { Authorization: secret } },
    request: { headers: secret },
    response: { status: 400, headers: { cookie: secret }, data: secret },
    toJSON: () => ({ secret }),
  })
  const one = bench(throwing(new PermanentError('no', { cause: error })))
  await one.invoke([{ messageId: 'm1', body: { card: 's3cr3t' } }])
  assert.doesNotMatch(JSON.stringify(one.queue.letters[0]?.attributes), /s3cr3t/)
  assert.doesNotMatch(JSON.stringify([...one.records.values(), one.lines]), /s3cr3t/)
})

test('evidence tells who, what, where and when, by the names of DESIGN 4.7', async () => {
  const one = bench(throwing(new PermanentError('no such product')))
  await one.clock.advance(60_000)
  await one.invoke([{ messageId: 'm1', queue: 'orders.fifo', groupId: 'a', receiveCount: 3 }])
  const { error, history, fingerprint, ...rest } = evidenceIn(one.queue.letters[0])
  assert.match(fingerprint ?? '', /^[A-Za-z0-9_-]{8,}$/)
  assert.deepEqual([error?.name, error?.message, history?.[0]?.rule], ['PermanentError', 'no such product', 'error.permanent'])
  assert.deepEqual(rest, {
    reason: 'permanent',
    rule: 'error.permanent',
    attempts: 1,
    receives: 3,
    consumer: 'orders.fifo',
    functionVersion: '$LATEST',
    requestId: '00000000-0000-4000-8000-00000000beef',
    queueArn: 'arn:aws:sqs:eu-central-1:111122223333:orders.fifo',
    messageId: 'm1',
    firstMessageId: 'm1',
    groupId: 'a',
    deduplicationId: 'm1',
    sequenceNumber: '18882245240547000000',
    sentAt: '2026-01-01T00:00:00.000Z',
    firstReceivedAt: '2026-01-01T00:00:00.001Z',
    deadAt: '2026-01-01T00:01:00.000Z',
    idempotencyKey: 'orders.fifo#"m1"',
    replays: 0,
  })
})
