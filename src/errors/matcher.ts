import type { Link } from './chain.ts'
import { read } from './read.ts'

/**
 * An entry of the lists `permanent` and `retryable`: a class (`instanceof`), a string (an error's name, class or code) or a
 * predicate that answers `true`. Each is asked about every error of the chain.
 */
export type Matcher = (abstract new (...args: never[]) => unknown) | string | ((error: unknown) => boolean)

/** Whether one of the entries is about this link. An entry that throws is not. */
export function matches(matchers: readonly Matcher[] | undefined, link: Link): boolean {
  return (matchers ?? []).some((matcher) => {
    try {
      return matchesOne(matcher, link)
    } catch {
      return false
    }
  })
}

function matchesOne(matcher: Matcher, link: Link): boolean {
  if (typeof matcher === 'string') return matcher !== '' && [link.name, link.className, String(link.code ?? '')].includes(matcher)
  if (isClass(matcher)) return link.value instanceof matcher
  // Only `true`: a predicate that is async by mistake answers a promise, which would match everything.
  return matcher(link.value) === true
}

/**
 * Tells a class from a predicate. A class is written `class`, or inherits from Error or another class, or has methods (the
 * last two: classes compiled to functions, and the runtime's own). Arrow functions and methods have no prototype at all, and
 * that of a plain function is empty.
 */
function isClass(
  matcher: (abstract new (...args: never[]) => unknown) | ((error: unknown) => boolean),
): matcher is abstract new (
  ...args: never[]
) => unknown {
  const prototype: unknown = read(matcher, 'prototype')
  if (typeof prototype !== 'object' || prototype === null) return false
  return (
    /^class\b/.test(Function.prototype.toString.call(matcher)) ||
    Object.getPrototypeOf(prototype) !== Object.prototype ||
    Reflect.ownKeys(prototype).length > 1
  )
}
