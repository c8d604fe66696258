import { markOf } from './brand.ts'
import { chainOf, type Link, membersOf } from './chain.ts'
import { type Matcher, matches } from './matcher.ts'
import { read } from './read.ts'
import { retryAfterOf } from './retry-after.ts'
import { type Evidence, families } from './rules/families.ts'
import type { Family, Rule } from './rules/family.ts'
import type { Verdict, VerdictName } from './verdict.ts'

export type { Matcher }

/** What `classify` may be told beside the error. */
export interface ClassifyOptions {
  /** The present in epoch milliseconds: without it a Retry-After that is a date is read against the answer's own Date, if at all. */
  readonly now?: number | undefined
  /** What the user says is permanent. Comes before all rules; asked before `retryable`. */
  readonly permanent?: readonly Matcher[] | undefined
  /** What the user says is retryable. Comes before all rules. */
  readonly retryable?: readonly Matcher[] | undefined
}

/** A verdict with the error of the chain that gave it. */
export interface Explanation extends Verdict {
  /** The way to the error that decided: empty for the thrown value itself, else such as `cause.parent` or `errors[1]`. */
  readonly path: string
}

/**
 * Says whether an error is worth another try. Anything may have been thrown; classify never throws and never changes it.
 * The user's lists come first, then the marks of RetryableError and PermanentError (outermost first), then the rule tables;
 * what nobody knows is `unknown`.
 */
export function classify(error: unknown, options: ClassifyOptions = {}): Verdict {
  const { path: _, ...verdict } = explain(error, options)
  return verdict
}

/** As `classify`, and says which error of the chain decided. */
export function explain(error: unknown, options: ClassifyOptions = {}): Explanation {
  const budget = { links: mostLinks }
  const links = chainOf(error)
  const found = judge(links, options, budget)
  const { verdict, rule, why, path } = found ?? nobodyKnows
  const told = found && found.links !== links ? [...links, ...found.links] : links
  const retryAfter = verdict === 'permanent' ? undefined : retryAfterOf(told, options.now)
  return { verdict, rule, why, ...(retryAfter === undefined ? {} : { retryAfter }), path }
}

/** So many links are looked at altogether, those of members included: a thrown value never costs more than that. */
const mostLinks = 70

const strengths = Object.keys(families) as Evidence[]

const nobodyKnows = { verdict: 'unknown', rule: 'unknown', why: 'No rule knows this error.', path: '' } as const

/** A match, how strong it is, and the chain it was found in. */
interface Finding {
  readonly verdict: VerdictName
  readonly rule: string
  readonly why: string
  readonly evidence: Evidence | 'explicit'
  readonly path: string
  readonly links: readonly Link[]
}

interface Budget {
  links: number
}

function judge(links: readonly Link[], options: ClassifyOptions, budget: Budget): Finding | undefined {
  budget.links -= links.length
  return first(links, (link) => byLists(link, options)) ?? first(links, byMark) ?? byRules(links, options, budget)
}

function first(links: readonly Link[], find: (link: Link) => Omit<Finding, 'evidence' | 'path' | 'links'> | undefined) {
  for (const link of links) {
    const found = find(link)
    if (found) return { ...found, evidence: 'explicit', path: link.path, links } as const
  }
  return undefined
}

function byLists(link: Link, { permanent, retryable }: ClassifyOptions) {
  if (matches(permanent, link))
    return { verdict: 'permanent', rule: 'user.permanent', why: 'The list `permanent` names it.' } as const
  if (matches(retryable, link))
    return { verdict: 'retryable', rule: 'user.retryable', why: 'The list `retryable` names it.' } as const
  return undefined
}

function byMark(link: Link) {
  const verdict = markOf(link.value)
  if (verdict === undefined) return undefined
  const rule = read(link.value, 'rule')
  if (typeof rule === 'string' && rule.startsWith('message.')) return { verdict, rule, why: 'The message itself cannot be used.' }
  return { verdict, rule: `error.${verdict}`, why: `The code that threw it marked it as ${verdict}.` }
}

function byRules(links: readonly Link[], options: ClassifyOptions, budget: Budget): Finding | undefined {
  const found: { [strength in Finding['evidence']]?: Finding } = {}
  for (const link of links) {
    if (link.opaque) continue
    const together = byMembers(link, options, budget)
    if (together) found[together.evidence] ??= together
    for (const evidence of strengths) {
      const rule = found[evidence] ? undefined : firstRule(link, families[evidence])
      if (rule) found[evidence] = { verdict: rule.verdict, rule: rule.id, why: rule.why, evidence, path: link.path, links }
    }
    if (found.explicit ?? found.specific) break
  }
  return found.explicit ?? found.specific ?? found.generic ?? found.bare
}

function firstRule(link: Link, among: readonly Family[]): Rule | undefined {
  for (const { find } of among) {
    const rule = find(link)
    if (rule) return rule
  }
  return undefined
}

/** Several errors at once: any retryable one makes them retryable; only if all are permanent, they are. */
function byMembers(link: Link, options: ClassifyOptions, budget: Budget): Finding | undefined {
  if (budget.links <= 0) return undefined
  const found = membersOf(link).map(([path, member]) =>
    budget.links > 0 ? judge(chainOf(member, path, budget.links), options, budget) : undefined,
  )
  return (
    found.find((finding) => finding?.verdict === 'retryable') ??
    (found.every((finding) => finding?.verdict === 'permanent')
      ? found[0]
      : found.find((finding) => finding?.verdict === 'unknown'))
  )
}
