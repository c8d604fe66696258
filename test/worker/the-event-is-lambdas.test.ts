import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { ReceivedMessage } from '../../src/aws/sqs-receive.ts'
import { lambdaEvent } from '../../src/worker/event.ts'

const file = new URL('./recorded-event.json', import.meta.url)
const { messages, event } = JSON.parse(readFileSync(file, 'utf8')) as { messages: ReceivedMessage[]; event: unknown }

test('the messages of a recorded event make that very event', () => {
  const made = lambdaEvent(messages.map(withBytes), {
    arn: 'arn:aws:sqs:us-east-2:123456789012:my-queue.fifo',
    region: 'us-east-2',
  })
  assert.deepEqual(made, event)
  assert.equal(JSON.stringify(made).length, JSON.stringify(event).length, 'no field more, not even an undefined one')
})

test('the order received is kept', () => {
  const made = lambdaEvent([{ MessageId: 'b' }, { MessageId: 'a' }, { MessageId: 'c' }], { arn: '', region: '' })
  assert.deepEqual(
    made.Records.map(({ messageId }) => messageId),
    ['b', 'a', 'c'],
  )
})

/** JSON has no bytes: the file has them as base64. */
function withBytes(message: ReceivedMessage): ReceivedMessage {
  const attributes = Object.entries(message.MessageAttributes ?? {}).map(([name, value]) => {
    const bytes = value.BinaryValue as unknown as string | undefined
    return [name, bytes === undefined ? value : { ...value, BinaryValue: new Uint8Array(Buffer.from(bytes, 'base64')) }]
  })
  return message.MessageAttributes ? { ...message, MessageAttributes: Object.fromEntries(attributes) } : message
}
