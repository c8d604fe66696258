/** What a person pastes: an error as JSON, in whatever form a logger wrote it, or as the text that Node prints. */

/** Turns pasted text into a thing that `classify` understands as it would have understood the error. */
export function pastedError(text: string): unknown {
  const trimmed = text.trim()
  try {
    return fromJson(JSON.parse(trimmed))
  } catch {
    return fromPrint(trimmed)
  }
}

type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Loggers call things otherwise: Lambda `errorType` and `errorMessage`, pino `err` and `type`, a dead letter's evidence `causes`. */
function fromJson(json: unknown): unknown {
  if (typeof json === 'string') return pastedError(json)
  if (Array.isArray(json)) return json.map(fromJson)
  if (!isFields(json)) return json
  const { errorType, errorMessage, err, causes, ...fields } = json
  if (isFields(err)) return fromJson(err)
  const named = typeof fields['stack'] === 'string' ? /^(\w+)(?: \[\w+\])?:/.exec(fields['stack'])?.[1] : undefined
  const error: Fields = { ...fields, name: fields['name'] ?? errorType ?? named, message: fields['message'] ?? errorMessage }
  for (const field of ['cause', 'error', 'parent', 'original', 'originalError', 'driverError', 'errors']) {
    if (field in error) error[field] = typeof error[field] === 'string' ? error[field] : fromJson(error[field])
  }
  if (Array.isArray(causes))
    error['cause'] = causes
      .map(fromJson)
      .reduceRight((beneath: unknown, each) => ({ ...(each as Fields), cause: beneath }), undefined)
  return error
}

/** Fields that rules look at, where Node prints them one a line. */
const printed =
  /^\s*['"]?(code|errno|errcode|sqlState|status|statusCode|httpStatusCode|type|syscall|number|severity|retryable|responseCode|command|details|name)['"]?: (.*?),?$/

/** Node's own form: `Name: message`, the calls, the fields in braces, `[cause]: …`; also `Caused by: …`. */
function fromPrint(text: string): unknown {
  const [first = '', ...lines] = text.split('\n')
  const error = heading(first.replace(/^Uncaught /, ''))
  let current = error
  let inMessage = true
  for (const line of lines) {
    const beneath = /^\s*(?:\[cause\]|Caused by|cause): (.*)$/.exec(line)?.[1]
    const [, field = '', value = ''] = printed.exec(line) ?? []
    const retryAfter = /retry-after['"]?: ['"]?([^'",}]+)/i.exec(line)?.[1]
    if (beneath !== undefined) {
      const cause = heading(beneath)
      current['cause'] = cause
      current = cause
      inMessage = true
    } else if (/^\s+at /.test(line)) inMessage = false
    else if (retryAfter !== undefined) current['headers'] = { 'retry-after': retryAfter }
    else if (inMessage && field === '') current['message'] = `${String(current['message'])}\n${line}`
    else if (field === 'httpStatusCode') current['$metadata'] = { httpStatusCode: printedValue(value) }
    else if (field !== '') current[field] ??= printedValue(value)
  }
  return error
}

function heading(line: string): Fields {
  const [, name, code, message] = /^([\w$.]+)(?: \[([\w$]+)\])?: (.*)$/.exec(line.replace(/ \{$/, '')) ?? []
  return name === undefined ? { message: line } : { name, message, ...(code && { code }) }
}

function printedValue(text: string): unknown {
  const quoted = /^(['"`])(.*)\1$/.exec(text)?.[2]
  if (quoted !== undefined) return quoted
  if (/^(true|false)$/.test(text)) return text === 'true'
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined
}
