import type { SqsEvent, SqsRecord } from './event.ts'

/** The event is not one that an SQS event source mapping makes: the invocation rejects and nothing is deleted. */
export class NotAnSqsEventError extends TypeError {
  override readonly name = 'NotAnSqsEventError'
}

/**
 * The records of an SQS event, the same message id once. Throws {@link NotAnSqsEventError} for anything else (B05): to answer an
 * event that is not understood would tell Lambda to delete it.
 */
export function recordsOf(event: unknown): SqsRecord[] {
  const records = Object(event).Records as SqsEvent['Records'] | undefined
  if (!Array.isArray(records)) throw new NotAnSqsEventError(`${EXPECTED}${describe(event)}. ${ADVICE}`)
  const byId = new Map<string, SqsRecord>()
  for (const [position, record] of records.entries()) {
    const { messageId, eventSource, eventSourceARN } = Object(record) as Partial<SqsRecord>
    if (eventSource !== 'aws:sqs' || typeof messageId !== 'string' || messageId === '' || typeof eventSourceARN !== 'string') {
      const source = Object(record).eventSource ?? Object(record).EventSource
      const what = typeof source === 'string' ? `one of "${source}"` : 'one without messageId, eventSource or eventSourceARN'
      throw new NotAnSqsEventError(`${EXPECTED}an event whose record ${position} is ${what}. ${ADVICE}`)
    }
    if (!byId.has(messageId))
      byId.set(messageId, record.attributes == null ? { ...record, attributes: {} as SqsRecord['attributes'] } : record)
  }
  return [...byId.values()]
}

const EXPECTED =
  'redrive expected an event of an SQS event source mapping ({ Records: [{ messageId, eventSource: "aws:sqs", … }] }) and got '
const ADVICE = 'Nothing was handled or deleted. Check which trigger invokes this function.'

function describe(event: unknown): string {
  if (event === null || typeof event !== 'object') return event === null ? 'null' : `a ${typeof event}`
  if ('httpMethod' in event || 'requestContext' in event) return 'a request of API Gateway or a function URL'
  if ('detail-type' in event || 'detail' in event) return 'an event of EventBridge'
  const keys = Object.keys(event)
  return keys.length === 0 ? 'an empty object' : `an object with the keys ${keys.slice(0, 5).join(', ')} and no list "Records"`
}
