import type { AnyOptions } from './options.ts'

/** A setting is wrong: said at start, before any message is touched. */
export class OptionsError extends TypeError {
  override readonly name = 'OptionsError'
}

/** What the option must be, in words, and the test of it. */
type Check = readonly [expected: string, test: (value: never) => unknown]
type Loose = Readonly<Record<string, unknown>>

const isFunction = (value: unknown): boolean => typeof value === 'function'
const isRecord = (value: unknown): value is Loose => typeof value === 'object' && value !== null && !Array.isArray(value)
/** A whole number from 1 to `most`. */
export const isWhole = (value: unknown, most: number): boolean =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most
const hasMethods = (value: unknown, ...methods: string[]): boolean => methods.every((method) => isFunction(Object(value)[method]))
const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const onlyHas = (value: Loose, ...names: string[]): boolean => Object.keys(value).every((name) => names.includes(name))

const aFunction: Check = ['a function', isFunction]
const functionOrFalse: Check = ['a function or false', (value: unknown) => value === false || isFunction(value)]
const matchers: Check = [
  'a list of error classes, names or codes, and predicates',
  (value: unknown) => Array.isArray(value) && value.every((one) => isFunction(one) || isText(one)),
]
const wholeNumber = (most: number): Check => [`a whole number from 1 to ${most}`, (value: unknown) => isWhole(value, most)]

function isAttempts(value: unknown): boolean {
  if (!isRecord(value)) return isWhole(value, 1000)
  const { retryable = 1000, unknown = 1 } = value
  return onlyHas(value, 'retryable', 'unknown') && isWhole(retryable, 1000) && isWhole(unknown, Number(retryable))
}

function isBackoff(value: unknown): boolean {
  const { seconds, cap, jitter } = Object(value)
  return isFunction(value) || (isFunction(seconds) && cap >= 0 && (jitter === 'full' || (jitter >= 0 && jitter <= 1)))
}

/** The URL of a queue, as SQS and its emulators make it. */
export const isQueueUrl = (value: unknown): boolean => isText(value) && /^https?:\/\/[^/]+\/.+/.test(value)

const CHECKS: { readonly [Name in keyof AnyOptions]-?: Check } = {
  schema: [
    'a Standard Schema (zod 3.24 or later, valibot 1, arktype 2, …)',
    (value) => hasMethods(Object(value)['~standard'], 'validate'),
  ],
  body: ["'json', 'text' or a function", (value: unknown) => value === 'json' || value === 'text' || isFunction(value)],
  key: functionOrFalse,
  fingerprint: functionOrFalse,
  store: [
    'an idempotency store, e.g. dynamoStore(), or false',
    (value: unknown) => value === false || hasMethods(value, 'open') || hasMethods(value, 'begin', 'end', 'giveBack'),
  ],
  permanent: matchers,
  retryable: matchers,
  classify: aFunction,
  maxAttempts: ['a whole number from 1 to 1000, or { retryable, unknown } of such, unknown not above retryable', isAttempts],
  maxAge: wholeNumber(1_209_600),
  backoff: ['made by exponential() or schedule(), or a function (attempt, error, message) => seconds', isBackoff],
  deadLetterQueue: ['the URL of an SQS queue', isQueueUrl],
  partialBatch: ['true or false', (value: unknown) => typeof value === 'boolean'],
  fifo: [
    "{ onDead: 'continue' }",
    (value: unknown) => isRecord(value) && onlyHas(value, 'onDead') && (value['onDead'] ?? 'continue') === 'continue',
  ],
  concurrency: wholeNumber(10_000),
  onDead: aFunction,
  name: ['a text of 1 to 128 characters', (value: unknown) => isText(value) && value.length <= 128],
  logger: ['a logger with debug, info, warn and error', (value: unknown) => hasMethods(value, 'debug', 'info', 'warn', 'error')],
  metrics: [
    'a sink with count and measure, or false',
    (value: unknown) => value === false || hasMethods(value, 'count', 'measure'),
  ],
  clients: [
    '{ sqs, dynamodb }: SDK clients with a method send',
    (value: unknown) =>
      isRecord(value) &&
      onlyHas(value, 'sqs', 'dynamodb') &&
      Object.values(value).every((one) => one === undefined || hasMethods(one, 'send')),
  ],
}

/** Options of DESIGN 3 whose part is not built yet. */
const NOT_YET = ['envelope', 'circuit', 'onCrash', 'hashKeys', 'tracer']

/** Refuses, by name, what is no option or has no sense. Symbol keys are for `redrive/testing`. Throws {@link OptionsError}. */
export function checkOptions(options: unknown): asserts options is AnyOptions {
  if (!isRecord(options))
    throw new OptionsError(`redrive: the options must be an object, not ${options === null ? 'null' : typeof options}.`)
  for (const [option, value] of Object.entries(options)) {
    if (NOT_YET.includes(option) || (option === 'fifo' && Object(value).onDead === 'park')) {
      throw new OptionsError(
        `redrive: the option "${option}"${option === 'fifo' ? " with onDead: 'park'" : ''} is not yet there in this version.`,
      )
    }
    if (!Object.hasOwn(CHECKS, option)) {
      const nearest = nearestOf(option, Object.keys(CHECKS))
      const hint = nearest === undefined ? `There are: ${Object.keys(CHECKS).join(', ')}.` : `Did you mean "${nearest}"?`
      throw new OptionsError(`redrive: there is no option "${option}". ${hint}`)
    }
    const [expected, test] = CHECKS[option as keyof AnyOptions]
    if (value !== undefined && !test(value as never))
      throw new OptionsError(`redrive: the option "${option}" must be ${expected}.`)
  }
}

/** The most similar name, if one is near enough to be what was meant. */
export function nearestOf(word: string, names: readonly string[]): string | undefined {
  const near = Math.max(2, Math.floor(word.length / 3))
  const far = (name: string): number => editDistance(word.toLowerCase(), name.toLowerCase())
  return names.filter((name) => far(name) <= near).sort((one, other) => far(one) - far(other))[0]
}

function editDistance(from: string, to: string): number {
  let row = [...to, ''].map((_, column) => column)
  for (const [line, letter] of [...from].entries()) {
    const next = [line + 1]
    for (const [column, other] of [...to].entries()) {
      const substitution = (row[column] as number) + (letter === other ? 0 : 1)
      next.push(Math.min(substitution, (row[column + 1] as number) + 1, (next[column] as number) + 1))
    }
    row = next
  }
  return row.at(-1) as number
}
