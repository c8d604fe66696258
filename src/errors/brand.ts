import { read } from './read.ts'

/** What an error may say of itself. */
export type Mark = 'retryable' | 'permanent'

// In the global registry, so that two copies of this package (a layer and a bundle, say) recognise each other's errors.
const brand = Symbol.for('redrive.verdict')

/** The mark that an error carries, if any. */
export function markOf(error: unknown): Mark | undefined {
  const mark = read(error, brand)
  return mark === 'retryable' || mark === 'permanent' ? mark : undefined
}

/** Puts a mark on an error, invisible to loops and JSON. False where it takes none: frozen, not an object, a Proxy. */
export function putMark(error: unknown, mark: Mark): boolean {
  try {
    return Reflect.defineProperty(error as object, brand, { value: mark, configurable: true })
  } catch {
    return false
  }
}

/** Gives a class of errors its mark, and its name: spelled out, because bundlers shorten the names of classes. */
export function markClass(errorClass: { readonly prototype: Error }, name: string, mark: Mark): void {
  Object.defineProperty(errorClass.prototype, 'name', { value: name, configurable: true, writable: true })
  putMark(errorClass.prototype, mark)
}
