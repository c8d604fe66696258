import { createHash } from 'node:crypto'
import { MessageError } from '../errors/message-error.ts'

/** What a key function may give. The parts of an array together are the key. */
export type Key = string | number | readonly (string | number)[]

/** Services that take an idempotency key allow as much: https://docs.stripe.com/api/idempotent_requests. */
const LONGEST = 255

const usable = (part: unknown): boolean => (typeof part === 'string' ? part !== '' : Number.isFinite(part))

/**
 * The namespaced idempotency key: consumer, `#`, the key as JSON. JSON keeps `1` apart from `"1"` and `["a:b","c"]` apart from
 * `["a","b:c"]`; it is escaped to ASCII so that it fits a header; a long one is hashed.
 *
 * Throws a {@link MessageError} where the key function gave nothing usable (`undefined`, `''`, `[null]`, NaN): such a key would
 * be shared by every message that lacks it.
 */
export function namespacedKey(consumer: string, key: unknown): string {
  if (!(Array.isArray(key) ? key.length > 0 && key.every(usable) : usable(key))) {
    throw new MessageError(
      'message.key',
      `The option "key" gave nothing usable for this message (${shape(key)}): return a non-empty text, a finite number or an array of those.`,
    )
  }
  const whole = `${ascii(consumer)}#${ascii(JSON.stringify(key))}`
  return whole.length <= LONGEST ? whole : `${ascii(consumer).slice(0, 180)}#sha256:${sha256(whole)}`
}

const ascii = (text: string): string =>
  text.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** Says what came without saying what was in it. */
function shape(key: unknown): string {
  if (Array.isArray(key))
    return `an array of ${key.map((part) => (part === '' ? "''" : part === null ? 'null' : typeof part)).join(', ') || 'nothing'}`
  return key === '' ? "''" : key === null ? 'null' : typeof key
}
