import { call, isObject, listOf, read } from './read.ts'

/** The headers of the answers that an error carries, in whichever of the usual places. */
export function headersOf(error: unknown): readonly object[] {
  const places = [error, ...['response', '$response', 'output', 'meta'].map((place) => read(error, place))]
  const headers = places.map((place) => read(place, 'headers'))
  return [...headers, read(error, 'responseHeaders'), read(error, 'metadata')].filter(isObject)
}

/** A header out of a `Headers`, gRPC metadata, an object in any spelling, or a flat list of names and values: its first value. */
export function header(headers: object, name: string): unknown {
  const found = call(headers, 'get', name) ?? read(headers, name) ?? inAnySpelling(headers, name)
  return Array.isArray(found) ? read(found, '0') : found
}

/** The first value of a header among all answers that an error carries. */
export function headerOf(error: unknown, name: string): unknown {
  for (const headers of headersOf(error)) {
    const value = header(headers, name)
    if (value !== undefined && value !== null) return value
  }
  return undefined
}

function inAnySpelling(headers: object, name: string): unknown {
  try {
    const flat = listOf(headers, 200)
    const position = flat.findIndex((item, index) => index % 2 === 0 && String(item).toLowerCase() === name)
    if (position >= 0) return flat[position + 1]
    const spelled = Object.keys(headers).find((key) => key.toLowerCase() === name)
    return spelled === undefined ? undefined : read(headers, spelled)
  } catch {
    return undefined
  }
}
