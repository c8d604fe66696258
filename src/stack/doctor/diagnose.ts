import type { ConsumerFacts } from './facts.ts'
import type { Rule, Severity } from './rule.ts'
import { rules } from './rules/all.ts'

/** What a rule says of one consumer. */
export interface Finding {
  /** E.g. `queue.visibility-below-timeout`; each is on the page docs/doctor.md. */
  readonly rule: string
  /** `not checked`: the rule could not see what it needs; that is no all-clear. */
  readonly severity: Severity | 'not checked'
  /** The function's name. */
  readonly consumer: string
  /** The resource and its property. */
  readonly where: string
  /** What is wrong, or why it was not checked. */
  readonly what: string
  /** What happens to the consumer. */
  readonly otherwise: string
  readonly fix: string
  readonly link: string
}

/** All that is wrong with these consumers, and all that could not be checked. Errors first. */
export function diagnose(consumers: readonly ConsumerFacts[]): Finding[] {
  const order: readonly Finding['severity'][] = ['error', 'warning', 'advice', 'not checked']
  const said = new Set<string>()
  // Consumers that share a queue share what is wrong with it.
  const isNew = ({ rule, where, what }: Finding): boolean => {
    const key = [rule, where, what].join('\n')
    return !said.has(key) && said.add(key).size > 0
  }
  return consumers
    .flatMap((consumer) => rules.flatMap((rule) => findingOf(rule, consumer)))
    .filter(isNew)
    .sort((one, other) => order.indexOf(one.severity) - order.indexOf(other.severity))
}

function findingOf(rule: Rule, consumer: ConsumerFacts): Finding[] {
  const answer = rule.ask(consumer)
  if (answer.is === 'fine' || answer.is === 'not asked') return []
  const wrong = answer.is === 'wrong'
  return [
    {
      rule: rule.id,
      severity: wrong ? rule.severity : 'not checked',
      consumer: consumer.name,
      where: rule.where(consumer),
      what: wrong ? answer.what : answer.why,
      otherwise: rule.otherwise,
      fix: rule.fix,
      link: rule.page,
    },
  ]
}
