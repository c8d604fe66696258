import type { ConsumerFacts } from './facts.ts'
import type { Known, Seen } from './known.ts'
import type { Page } from './pages.ts'

/** `error`: messages or work are lost, or it can't run. `warning`: they will be, on a bad day. `advice`: it could be better. */
export type Severity = 'error' | 'warning' | 'advice'

/** What a rule says in words; the page `docs/doctor.md` is made of it. */
export interface RuleText {
  readonly id: string
  readonly severity: Severity
  /** The settings it compares. */
  readonly looksAt: string
  /** What happens to a consumer that breaks it. */
  readonly otherwise: string
  readonly fix: string
  readonly page: Page
  /** Numbers in the fact sheet and the case book, for developers. */
  readonly because: string
}

export type Answer =
  | { readonly is: 'fine' }
  /** There is nothing that the rule could be about, e.g. no dead-letter queue. */
  | { readonly is: 'not asked' }
  | { readonly is: 'wrong'; readonly what: string }
  | { readonly is: 'not seen'; readonly why: string }

export interface Rule extends RuleText {
  /** The resource, and its property, that would have to change. */
  readonly where: (consumer: ConsumerFacts) => string
  readonly ask: (consumer: ConsumerFacts) => Answer
}

type Needs = Readonly<Record<string, Known<unknown>>>
type Values<N extends Needs> = { readonly [Name in keyof N]: Extract<N[Name], Seen<unknown>>['value'] }

/** A rule as it is written: it names the values that it needs, and gets to see them only when all of them are known. */
export interface WrittenRule<N extends Needs> extends RuleText {
  readonly where: (consumer: ConsumerFacts) => string
  /** `undefined`: the rule is not about this consumer. */
  readonly needs: (consumer: ConsumerFacts) => N | undefined
  /** What is wrong, in one sentence with the values; `undefined`: nothing. */
  readonly wrong: (values: Values<N>) => string | undefined
}

/** Makes a rule that says "not seen" whenever one of the values it needs is not known. */
export function rule<const N extends Needs>({ needs, wrong, ...text }: WrittenRule<N>): Rule {
  return {
    ...text,
    ask(consumer) {
      const known = needs(consumer)
      if (known === undefined) return { is: 'not asked' }
      for (const one of Object.values(known)) if (one.is === 'not seen') return one
      const values = Object.fromEntries(Object.entries(known).map(([name, one]) => [name, (one as Seen<unknown>).value]))
      const what = wrong(values as Values<N>)
      return what === undefined ? { is: 'fine' } : { is: 'wrong', what }
    },
  }
}

/** What is needed of something that may not be there: nothing if it is not, its absence of knowledge if that is not known. */
export function of<T, N extends Needs>(known: Known<T | undefined>, needs: (value: T) => N | undefined): N | undefined {
  if (known.is === 'seen') return known.value === undefined ? undefined : needs(known.value)
  // All that matters of the record is that one of its values is not seen.
  return { of: known } as unknown as N
}

/** Seconds as a person reads them. */
export function seconds(value: number): string {
  for (const [unit, size] of [
    ['days', 86_400],
    ['hours', 3_600],
  ] as const) {
    if (value >= 2 * size && value % size === 0) return `${value} s (${value / size} ${unit})`
  }
  return `${value} s`
}
