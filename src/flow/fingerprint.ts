import { createHash } from 'node:crypto'

/**
 * A hash of a decoded body that does not depend on the order of keys (B24). 22 characters. For a value that JSON can't take (a
 * cycle, a getter that throws), the body's own text counts.
 */
export function fingerprintOf(value: unknown, body: string): string {
  return createHash('sha256')
    .update(canonical(value) ?? body)
    .digest('base64url')
    .slice(0, 22)
}

function canonical(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, inOrder)
  } catch {
    return undefined
  }
}

function inOrder(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`
  if (value instanceof Map) return { map: [...value.entries()] }
  if (value instanceof Set) return { set: [...value] }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const fields = value as Record<string, unknown>
  return Object.fromEntries(
    Object.keys(fields)
      .sort()
      .map((key) => [key, fields[key]]),
  )
}
