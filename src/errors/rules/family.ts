import type { Link } from '../chain.ts'
import type { VerdictName } from '../verdict.ts'
import { type Kind, kinds } from './kinds.ts'

/**
 * A table: for each kind of fault the keys that mean it, separated by spaces, or a pattern, or both. A key comes before all
 * patterns; among patterns the first counts, so the safer kinds stand first.
 */
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
  readonly rules: readonly Rule[]
  /** The rule that matches, if one does. */
  readonly find: (link: Link) => Rule | undefined
}

/** Makes a family of a table. The id of a rule is `family.kind`. */
export function family(name: string, keys: Keys, table: Table): Family {
  const rules = Object.entries(table).map(([kind, match]) => {
    const [text, pattern] = typeof match === 'string' ? [match] : match instanceof RegExp ? ['', match] : match
    return rule(`${name}.${kind}`, kind, text.split(' '), pattern)
  })
  return { rules, find: finder(rules, keys) }
}

/** As `family`, with a rule for each key: the id of a rule is `family.key`. */
export function familyByKey(name: string, keys: Keys, table: { readonly [kind in Kind]?: string }): Family {
  const rules = Object.entries(table).flatMap(([kind, match]) =>
    match.split(' ').map((key) => rule(`${name}.${key}`, kind, [key])),
  )
  return { rules, find: finder(rules, keys) }
}

function rule(id: string, kind: string, keys: readonly string[], pattern?: RegExp): Rule {
  const [verdict, why] = kinds[kind as Kind]
  return { id, verdict, why, keys, pattern }
}

function finder(rules: readonly Rule[], keys: Keys): Family['find'] {
  const byKey = new Map(rules.flatMap((rule) => rule.keys.map((key) => [key, rule] as const)))
  const byPattern = rules.filter(({ pattern }) => pattern)
  return (link) => {
    for (const key of new Set(keys(link))) {
      if (key === undefined || key === '') continue
      const found = byKey.get(String(key)) ?? byPattern.find(({ pattern }) => pattern?.test(String(key)))
      if (found) return found
    }
    return undefined
  }
}
