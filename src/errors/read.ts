/** Whether a value can carry fields: an object or a function, of any realm. */
export function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}

/** Whether there is anything to be read: an object, and not a Proxy that throws at whatever is asked. */
export function isReadable(value: unknown): value is object {
  if (!isObject(value)) return false
  try {
    // A field that no object has.
    return Reflect.get(value, 'redrive: readable?') !== value
  } catch {
    return false
  }
}

/** A field of anything. A getter or a Proxy that throws reads as `undefined`: whatever was thrown, looking at it is safe. */
export function read(value: unknown, key: string | symbol): unknown {
  if (!isObject(value)) return undefined
  try {
    return (value as Record<string | symbol, unknown>)[key]
  } catch {
    return undefined
  }
}

/** A text field of anything, cut to `limit` characters: patterns on a whole long message would cost milliseconds. */
export function readText(value: unknown, key: string, limit = 300): string {
  const field = read(value, key)
  // Even to cut a text of megabytes that was put together from pieces costs milliseconds; no rule is about such a text.
  return typeof field === 'string' && field.length < 100_000 ? field.slice(0, limit) : ''
}

/** A list field of anything, at most `limit` items; not a list reads as empty. */
export function readList(value: unknown, key: string, limit = 20): readonly unknown[] {
  return listOf(read(value, key), limit)
}

/** The first items of a list; not a list is empty. Items are read one by one: a hole, a getter or a Proxy may be among them. */
export function listOf(list: unknown, limit = 20): readonly unknown[] {
  try {
    if (!Array.isArray(list)) return []
  } catch {
    return []
  }
  const length = Math.min(Number(read(list, 'length')) || 0, limit)
  return Array.from({ length }, (_, index) => read(list, String(index)))
}

/** Calls a method of anything with one argument; a missing or throwing method answers `undefined`. */
export function call(value: unknown, method: string, argument: string): unknown {
  const found = read(value, method)
  if (typeof found !== 'function') return undefined
  try {
    return found.call(value, argument)
  } catch {
    return undefined
  }
}
