/** What the doctor finds, as lines for a terminal. */
import type { Finding } from '../stack/doctor.ts'

/** What is wrong where. */
export const findingLine = ({ severity, rule, consumer, where, what }: Finding): string =>
  `${severity}: ${consumer}: ${what} (${rule}, ${where})`

/** The same with what happens, and what to do. */
export const findingText = (finding: Finding): string =>
  [findingLine(finding), `  ${finding.otherwise}`, `  ${finding.fix}`, `  ${finding.link}`].join('\n')

/** Worth a person's time at every deploy: what can lose messages. The rest is for who asks. */
export const isUrgent = ({ severity }: Finding): boolean => severity === 'error' || severity === 'warning'

/** E.g. `1 error, 2 warnings`. */
export function summary(findings: readonly Finding[]): string {
  const counts = [...Map.groupBy(findings, ({ severity }) => severity)].map(([severity, { length }]) => {
    const plural = severity === 'error' || severity === 'warning'
    return `${length} ${severity}${plural && length > 1 ? 's' : ''}`
  })
  return counts.join(', ') || 'no findings'
}
