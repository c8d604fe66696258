import type { AnyOptions } from './options.ts'

/** A setting is wrong: said at start, before any message is touched. */
export class OptionsError extends TypeError {
  override readonly name = 'OptionsError'
}

/** `undefined`: fine; else what was expected. */
type Check = (value: unknown) => string | undefined

const is =
  (expected: string, test: (value: unknown) => boolean): Check =>
  (value) =>
    test(value) ? undefined : expected

const aFunction = is('a function', (value) => typeof value === 'function')
const record = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const wholeNumber = (least: number, most: number): Check =>
  is(`a whole number from ${least.toLocaleString('en')} to ${most.toLocaleString('en')}`, (value) => whole(value, least, most))
const whole = (value: unknown, least: number, most: number): boolean =>
  Number.isInteger(value) && Number(value) >= least && Number(value) <= most
const withMethods = (expected: string, ...methods: string[]): Check =>
  is(
    expected,
    (value) =>
      Object(value) === value && methods.every((method) => typeof (value as Record<string, unknown>)[method] === 'function'),
  )
const orFalse =
  (check: Check): Check =>
  (value) =>
    value === false || check(value) === undefined ? undefined : `${check(value)}, or false`

const store = (...methods: string[]): Check => withMethods('an idempotency store, e.g. dynamoStore()', ...methods)

const matchers = is('a list of error classes, names or codes, and predicates', (value) => {
  return Array.isArray(value) && value.every((one) => typeof one === 'function' || (typeof one === 'string' && one !== ''))
})
const attempts = is(
  'a whole number from 1 to 1,000, or { retryable, unknown } with such numbers, unknown not above retryable',
  (value) => {
    if (!record(value)) return whole(value, 1, 1000)
    const { retryable = 1000, unknown = 1, ...rest } = value
    return (
      Object.keys(rest).length === 0 &&
      whole(retryable, 1, 1000) &&
      whole(unknown, 1, 1000) &&
      Number(unknown) <= Number(retryable)
    )
  },
)
const backoff = is('what exponential() or schedule() makes, or a function (attempt, error, message) => seconds', (value) => {
  return typeof value === 'function' || isBackoff(value)
})
const isBackoff = (value: unknown): boolean => {
  const { seconds, cap, jitter } = Object(value)
  return typeof seconds === 'function' && typeof cap === 'number' && (jitter === 'full' || (jitter >= 0 && jitter <= 1))
}
const queueUrl = is('the URL of an SQS queue', (value) => typeof value === 'string' && /^https?:\/\/[^/]+\/.+/.test(value))
const name = is('a text of 1 to 128 characters', (value) => typeof value === 'string' && value.length >= 1 && value.length <= 128)
const onDead = is("{ onDead: 'continue' }", (value) => {
  return record(value) && Object.keys(value).every((key) => key === 'onDead') && (value['onDead'] ?? 'continue') === 'continue'
})
const clients = is('{ sqs, dynamodb }: SDK clients with a method send', (value) => {
  if (!record(value)) return false
  return Object.entries(value).every(
    ([key, client]) =>
      (key === 'sqs' || key === 'dynamodb') && (client === undefined || typeof Object(client).send === 'function'),
  )
})

const CHECKS: { readonly [Name in keyof AnyOptions]-?: Check } = {
  schema: is('a Standard Schema: zod 3.24 or later, valibot 1, arktype 2 and others have one', (value) => {
    return typeof Object(Object(value)['~standard']).validate === 'function'
  }),
  body: is("'json', 'text' or a function", (value) => value === 'json' || value === 'text' || typeof value === 'function'),
  key: orFalse(aFunction),
  fingerprint: orFalse(aFunction),
  store: orFalse((value) => (store('open')(value) === undefined ? undefined : store('begin', 'end', 'giveBack')(value))),
  permanent: matchers,
  retryable: matchers,
  classify: aFunction,
  maxAttempts: attempts,
  maxAge: wholeNumber(1, 1_209_600),
  backoff,
  deadLetterQueue: queueUrl,
  partialBatch: is('true or false', (value) => typeof value === 'boolean'),
  fifo: onDead,
  concurrency: wholeNumber(1, 10_000),
  onDead: aFunction,
  name,
  logger: withMethods('a logger with debug, info, warn and error', 'debug', 'info', 'warn', 'error'),
  metrics: orFalse(withMethods('a sink with count and measure', 'count', 'measure')),
  clients,
}

/** Options of DESIGN 3 whose part is not built yet. */
const NOT_YET: Readonly<Record<string, string>> = {
  envelope: 'envelopes: read the envelope with "body: (text) => …" until then',
  circuit: 'the circuit',
  onCrash: 'onCrash',
  hashKeys: 'hashed keys: return a hash from "key" until then',
  tracer: 'tracing',
}

/** Refuses, by name, what is no option or has no sense. Symbol keys are for `redrive/testing`. Throws {@link OptionsError}. */
export function checkOptions(options: unknown): asserts options is AnyOptions {
  if (!record(options))
    throw new OptionsError(`redrive: the options must be an object, not ${options === null ? 'null' : typeof options}.`)
  for (const [option, value] of Object.entries(options)) {
    const check = Object.hasOwn(CHECKS, option) ? CHECKS[option as keyof AnyOptions] : undefined
    if (check === undefined) throw new OptionsError(unknownOption(option))
    if (value === undefined) continue
    if (option === 'fifo' && Object(value).onDead === 'park')
      throw new OptionsError(notYet('fifo: { onDead: "park" }', 'parked groups'))
    const expected = check(value)
    if (expected !== undefined) throw new OptionsError(`redrive: the option "${option}" must be ${expected}.`)
  }
}

const notYet = (option: string, part: string): string =>
  `redrive: the option "${option}" is not yet there: this version is without ${part}.`

function unknownOption(option: string): string {
  if (Object.hasOwn(NOT_YET, option)) return notYet(option, NOT_YET[option] as string)
  const nearest = nearestOf(option, Object.keys(CHECKS))
  const hint = nearest === undefined ? `There are: ${Object.keys(CHECKS).join(', ')}.` : `Did you mean "${nearest}"?`
  return `redrive: there is no option "${option}". ${hint}`
}

/** The most similar name, if one is near enough to be what was meant. */
export function nearestOf(word: string, names: readonly string[]): string | undefined {
  const ranked = names
    .map((candidate) => ({ candidate, far: editDistance(word.toLowerCase(), candidate.toLowerCase()) }))
    .sort((one, other) => one.far - other.far)
  const best = ranked[0]
  return best !== undefined && best.far <= Math.max(2, Math.floor(word.length / 3)) ? best.candidate : undefined
}

function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let line = 1; line <= from.length; line++) {
    const next = [line]
    for (let column = 1; column <= to.length; column++) {
      const substitution = (row[column - 1] as number) + (from[line - 1] === to[column - 1] ? 0 : 1)
      next.push(Math.min(substitution, (row[column] as number) + 1, (next[column - 1] as number) + 1))
    }
    row = next
  }
  return row[to.length] as number
}
