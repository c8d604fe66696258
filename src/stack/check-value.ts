/** One setting against what it must be. */
import { StackError } from './stack-error.ts'

/** What a setting must be, in words, and the test of it. */
export type Check = readonly [expected: string, fits: (value: unknown) => boolean]

/** An object, no list. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A text of at least one character. */
export const isFilled = (value: unknown): boolean => typeof value === 'string' && value !== ''

// Descriptions of alarms and names take no control characters (F99).
/** A text without control characters, from one character to so many. */
export const isText = (value: unknown, most: number): boolean =>
  typeof value === 'string' && value.length >= 1 && value.length <= most && !/\p{Cc}/u.test(value)

/** A whole number, both limits included. */
export const within = (least: number, most: number): Check => [
  `a whole number from ${least} to ${most}`,
  (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
]

/** Refuses what is missing, what is unknown and what does not fit. Throws a {@link StackError}. */
export function check(
  where: string,
  options: unknown,
  checks: Readonly<Record<string, Check>>,
  needed: readonly string[],
  nearest: (word: string, names: readonly string[]) => string | undefined,
  path = '',
): void {
  if (!isObject(options)) throw new StackError(where, path === '' ? 'options' : path.slice(0, -1), 'must be an object')
  for (const [name, value] of Object.entries(options)) {
    const known = Object.hasOwn(checks, name) ? checks[name] : undefined
    if (known === undefined) {
      const near = nearest(name, Object.keys(checks))
      const hint = near === undefined ? `There are: ${Object.keys(checks).join(', ')}` : `Did you mean "${near}"?`
      throw new StackError(where, `${path}${name}`, `is no setting. ${hint}`)
    }
    if (value !== undefined && !known[1](value)) throw new StackError(where, `${path}${name}`, `must be ${known[0]}${got(value)}`)
  }
  for (const name of needed) {
    if (options[name] === undefined) throw new StackError(where, `${path}${name}`, `is missing. It must be ${checks[name]?.[0]}`)
  }
}

function got(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? `, not ${JSON.stringify(value).slice(0, 100)}` : ''
}
