import { isObject, read } from './read.ts'

/** Where HTTP clients and SDKs put the answer beside the error itself. */
const holders = ['response', '$metadata', '$response', 'output', 'data', 'meta']
const fields = ['status', 'statusCode', 'httpStatusCode', 'httpStatus', 'error_code']

/** The HTTP status an error names, in whichever of the usual places; `undefined` where none does. */
export function statusOf(error: object): number | undefined {
  const own = statusIn(error)
  if (own !== undefined) return own
  for (const holder of holders) {
    const found = statusIn(read(error, holder))
    if (found !== undefined) return found
  }
  // Some clients call the status `code`. Numbers mean other things elsewhere (gRPC, AMQP, FTP), so only beside an answer.
  const answered = ['response', 'headers', 'body', 'errors'].some((field) => isObject(read(error, field)))
  const code = answered ? asStatus(read(error, 'code')) : undefined
  return code !== undefined && code >= 400 ? code : undefined
}

function statusIn(holder: unknown): number | undefined {
  if (!isObject(holder)) return undefined
  for (const field of fields) {
    const status = asStatus(read(holder, field))
    if (status !== undefined) return status
  }
  return undefined
}

function asStatus(value: unknown): number | undefined {
  const status = typeof value === 'string' && /^[1-5]\d\d$/.test(value) ? Number(value) : value
  return typeof status === 'number' && Number.isInteger(status) && status >= 100 && status <= 599 ? status : undefined
}
