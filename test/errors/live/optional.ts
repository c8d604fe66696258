/** Packages and servers that are not everywhere: a test that lacks one is skipped with a line that says what is missing. */
import { explain } from '../../../src/errors/classify.ts'
import type { VerdictName } from '../../../src/errors/verdict.ts'

/** A package by name, or `undefined` where it is not installed. Typed by the caller: no test may need it in order to compile. */
export async function installed<T>(name: string): Promise<T | undefined> {
  try {
    return (await import(name)) as T
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_MODULE_NOT_FOUND') return undefined
    throw error
  }
}

/** Why to skip: nothing where all is there. In CI, where all has to be there, what is missing is a failure. */
export function missing(things: Readonly<Record<string, unknown>>): string | false {
  const absent = Object.keys(things).filter((name) => things[name] === undefined)
  if (absent.length === 0) return false
  const why = `not here: ${absent.join(', ')}`
  if (process.env['REDRIVE_TEST_SKIP_NOTHING']) throw new Error(`nothing may be skipped, and ${why}`)
  return why
}

/** What is said of the error that a call ends in: `verdict rule (path): the error`. */
export async function saidOf(run: () => unknown): Promise<{ readonly verdict: VerdictName; readonly told: string }> {
  try {
    const result = await run()
    throw new Unfailing(`nothing was thrown, but ${String(result)} given`)
  } catch (error) {
    if (error instanceof Unfailing) throw error
    const { verdict, rule, path } = explain(error)
    return { verdict, told: `${rule} (${path || 'itself'}): ${String(error).slice(0, 200)}` }
  }
}

class Unfailing extends Error {}
