import { createHash } from 'node:crypto'

/**
 * A hash of a decoded body that does not depend on the order of keys (B24). 22 characters. A value that has no canonical JSON
 * (a cycle) is refused by JSON itself, with a TypeError.
 */
export function fingerprintOf(value: unknown): string {
  const canonical = JSON.stringify(value, inOrder) ?? 'undefined'
  return createHash('sha256').update(canonical).digest('base64url').slice(0, 22)
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
