/** Makes the event that Lambda's event source mapping would make of the same messages. */
import type { QueueFacts, ReceivedMessage } from '../aws/sqs-receive.ts'
import type { SqsEvent, SqsMessageAttribute, SqsRecord, SqsRecordAttributes } from '../flow/event.ts'

type SdkAttribute = NonNullable<ReceivedMessage['MessageAttributes']>[string]

/**
 * The event for a batch of messages, in the order received: camelCase names, binary values as base64 text, times as strings.
 * Unlike Lambda the worker does not split a batch at 6 MB.
 */
export function lambdaEvent(messages: readonly ReceivedMessage[], queue: Pick<QueueFacts, 'arn' | 'region'>): SqsEvent {
  return { Records: messages.map((message) => lambdaRecord(message, queue)) }
}

function lambdaRecord(message: ReceivedMessage, queue: Pick<QueueFacts, 'arn' | 'region'>): SqsRecord {
  const attributes = Object.entries(message.MessageAttributes ?? {}).map(([name, value]) => [name, lambdaAttribute(value)])
  return {
    messageId: message.MessageId ?? '',
    receiptHandle: message.ReceiptHandle ?? '',
    body: message.Body ?? '',
    attributes: { ...message.Attributes } as unknown as SqsRecordAttributes,
    messageAttributes: Object.fromEntries(attributes),
    // Only where the message has attributes of its own.
    ...(message.MD5OfMessageAttributes === undefined ? {} : { md5OfMessageAttributes: message.MD5OfMessageAttributes }),
    md5OfBody: message.MD5OfBody ?? '',
    eventSource: 'aws:sqs',
    eventSourceARN: queue.arn,
    awsRegion: queue.region,
  }
}

function lambdaAttribute(attribute: SdkAttribute): SqsMessageAttribute {
  return {
    ...(attribute.StringValue === undefined ? {} : { stringValue: attribute.StringValue }),
    ...(attribute.BinaryValue === undefined ? {} : { binaryValue: Buffer.from(attribute.BinaryValue).toString('base64') }),
    stringListValues: [],
    binaryListValues: [],
    dataType: attribute.DataType ?? 'String',
  }
}
