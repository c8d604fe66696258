import type { SqsRecord } from './event.ts'

/** The event is not one that an SQS event source mapping makes: the invocation rejects and nothing is deleted. */
export class NotAnSqsEventError extends TypeError {
  override readonly name = 'NotAnSqsEventError'
}

/**
 * The records of an SQS event, the same message id once. Throws {@link NotAnSqsEventError} for anything else (B05): to answer an
 * event that is not understood would tell Lambda to delete it.
 */
export function recordsOf(event: unknown): SqsRecord[] {
  const { Records: records } = Object(event)
  if (!Array.isArray(records)) throw new NotAnSqsEventError(refusal(describe(event)))
  const byId = new Map<string, SqsRecord>()
  for (const [position, record] of (records as SqsRecord[]).entries()) {
    const { messageId, eventSource, eventSourceARN, attributes, EventSource } = Object(record)
    if (eventSource !== 'aws:sqs' || typeof messageId !== 'string' || messageId === '' || typeof eventSourceARN !== 'string') {
      const source = eventSource ?? EventSource
      const what = source && source !== 'aws:sqs' ? `of "${source}"` : 'without messageId or eventSourceARN'
      throw new NotAnSqsEventError(refusal(`one whose record ${position} is one ${what}`))
    }
    // Of a message that came twice the later receipt handle is the valid one.
    byId.set(messageId, attributes ? record : { ...record, attributes: {} as SqsRecord['attributes'] })
  }
  return [...byId.values()]
}

const refusal = (got: string): string =>
  `redrive expected an event of an SQS event source mapping, with Records of "aws:sqs", and got ${got}. ` +
  'Nothing was handled or deleted. Check what invokes this function.'

function describe(event: unknown): string {
  if (typeof event !== 'object' || event === null) return event === null ? 'null' : `a ${typeof event}`
  if ('httpMethod' in event || 'requestContext' in event) return 'an HTTP request (API Gateway, function URL)'
  if ('detail-type' in event || 'detail' in event) return 'an event of EventBridge'
  const keys = Object.keys(event).slice(0, 5).join(', ')
  return keys === '' ? 'an empty object' : `an object with the keys ${keys}`
}
