/** Findings for people. */
import type { Diagnosis, Finding } from '../stack/doctor.ts'

/** Everything that is wrong, consumer by consumer; what was not checked by its reason; and the sum. */
export function report({ consumers, findings }: Diagnosis, source: string): string {
  const open = findings.filter(({ severity }) => severity === 'not checked')
  const wrong = findings.filter(({ severity }) => severity !== 'not checked')
  return [...wrong.flatMap(block), ...notChecked(open), summary(findings, consumers, source)].join('\n')
}

function block({ rule, severity, consumer, where, what, otherwise, fix, link }: Finding): string[] {
  return [`${severity}  ${where} (${consumer})`, `  ${what} ${otherwise}`, `  Fix: ${fix}`, `  ${rule}  ${link}`, '']
}

/** One thing that can't be seen keeps many rules from looking: it is said once. */
function notChecked(open: readonly Finding[]): string[] {
  const reasons = [...new Set(open.map(({ what }) => what))]
  if (reasons.length === 0) return []
  const lines = reasons.map((reason) => {
    const rules = [...new Set(open.filter(({ what }) => what === reason).map(({ rule }) => rule))]
    return `  ${reason}: ${rules.join(', ')}`
  })
  return ['not checked, which is no all-clear:', ...lines, '']
}

function summary(findings: readonly Finding[], consumers: readonly string[], source: string): string {
  const count = (severity: Finding['severity'], one: string, many = one): string[] => {
    const number = findings.filter((finding) => finding.severity === severity).length
    return number === 0 ? [] : [`${number} ${number === 1 ? one : many}`]
  }
  const parts = [
    ...count('error', 'error', 'errors'),
    ...count('warning', 'warning', 'warnings'),
    ...count('advice', 'piece of advice', 'pieces of advice'),
    ...count('not checked', 'not checked'),
  ]
  const all = consumers.length === 1 ? 'one consumer' : `${consumers.length} consumers`
  return `${source}, ${all}${consumers.length > 0 ? ` (${[...new Set(consumers)].join(', ')})` : ''}: ${parts.join(', ') || 'nothing is wrong'}.`
}
