import type { Link } from '../chain.ts'
import type { VerdictName } from '../verdict.ts'
import { type Kind, kinds } from './kinds.ts'

/**
 * How much a match says. Of all matches in a chain the strongest counts, and among equals the outermost:
 * `specific` (a code, a status 4xx, the shape of a validation error) before `generic` (any 5xx, a name such as
 * TimeoutError, a text) before `bare` (a language error with nothing beneath it).
 */
export type Evidence = 'specific' | 'generic' | 'bare'

/** A table: for each kind of fault the keys that mean it, separated by spaces, or a pattern. A key comes before a pattern. */
export type Table = { readonly [kind in Kind]?: string | RegExp | readonly [keys: string, pattern: RegExp] }

/** One line of a table with all it says. */
export interface Rule {
  readonly id: string
  readonly verdict: VerdictName
  readonly why: string
  readonly keys: readonly string[]
  readonly pattern: RegExp | undefined
}

/** What a family reads off an error, best key first. `undefined` and `''` stand for "not there". */
export type Keys = (link: Link) => ReadonlyArray<string | number | undefined>

/** The rules for one kind of library: where such a library puts its code (`keys`), and what each code means (the rules). */
export interface Family {
  readonly name: string
  readonly evidence: Evidence
  readonly rules: readonly Rule[]
  /** The rule that matches, if one does. */
  readonly find: (link: Link) => Rule | undefined
}

/** Makes a family of a table. The id of a rule is `family.kind`. */
export function family(name: string, evidence: Evidence, keys: Keys, table: Table): Family {
  const rules = Object.entries(table).map(([kind, match]) => {
    const [verdict, why] = kinds[kind as Kind]
    const [text, pattern] = typeof match === 'string' ? [match] : match instanceof RegExp ? ['', match] : match
    return { id: `${name}.${kind}`, verdict, why, keys: text.split(' '), pattern }
  })
  return { name, evidence, rules, find: finder(rules, keys) }
}

/** As `family`, with a rule for each key: the id of a rule is `family.key`. */
export function familyByKey(name: string, evidence: Evidence, keys: Keys, table: { readonly [kind in Kind]?: string }): Family {
  const rules = Object.entries(table).flatMap(([kind, match]) => {
    const [verdict, why] = kinds[kind as Kind]
    return match.split(' ').map((key) => ({ id: `${name}.${key}`, verdict, why, keys: [key], pattern: undefined }))
  })
  return { name, evidence, rules, find: finder(rules, keys) }
}

function finder(rules: readonly Rule[], keys: Keys): Family['find'] {
  const byKey = new Map(rules.flatMap((rule) => rule.keys.map((key) => [key, rule] as const)))
  const byPattern = rules.filter((rule) => rule.pattern)
  return (link) => {
    for (const key of keys(link)) {
      if (key === undefined || key === '') continue
      const text = String(key)
      const found = byKey.get(text) ?? byPattern.find((rule) => rule.pattern?.test(text))
      if (found) return found
    }
    return undefined
  }
}
