/** Findings as SARIF 2.1.0: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html */
import type { Finding } from './diagnose.ts'
import { rules } from './rules/all.ts'

/** What the findings are about, and who says so. */
export interface SarifOptions {
  readonly version: string
  /** The file that was looked at, relative to the working folder; none for a live stack. */
  readonly file?: string | undefined
  /** The line of a resource in that file, from 1. */
  readonly lineOf?: ((where: string) => number) | undefined
}

const LEVELS = { error: 'error', warning: 'warning', advice: 'note', 'not checked': 'none' } as const

/** A log with one run. What was not checked is `open`: there was not enough to decide. */
export function sarif(findings: readonly Finding[], options: SarifOptions): object {
  const ids = [...new Set([...rules.map(({ id }) => id), ...findings.map(({ rule }) => rule)])]
  return {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'redrive doctor', version: options.version, rules: ids.map(descriptorOf) } },
        columnKind: 'utf16CodeUnits',
        results: findings.map((finding) => resultOf(finding, ids.indexOf(finding.rule), options)),
      },
    ],
  }
}

function descriptorOf(id: string): object {
  const rule = rules.find((one) => one.id === id)
  if (rule === undefined) return { id }
  return {
    id,
    shortDescription: { text: rule.looksAt.replaceAll('`', '') },
    fullDescription: { text: rule.otherwise },
    help: { text: rule.fix },
    helpUri: rule.page,
    defaultConfiguration: { level: LEVELS[rule.severity] },
  }
}

function resultOf(finding: Finding, ruleIndex: number, { file, lineOf }: SarifOptions): object {
  const { rule: ruleId, severity, consumer, where, what, otherwise, fix } = finding
  const open = severity === 'not checked'
  const place = {
    logicalLocations: [{ fullyQualifiedName: where, kind: 'resource' }],
    ...(file === undefined
      ? {}
      : { physicalLocation: { artifactLocation: { uri: encodeURI(file) }, region: { startLine: lineOf?.(where) ?? 1 } } }),
  }
  return {
    ruleId,
    ruleIndex,
    kind: open ? 'open' : 'fail',
    level: LEVELS[severity],
    message: { text: open ? `${consumer}: not checked: ${what}.` : `${consumer}: ${what} ${otherwise} ${fix}` },
    locations: [place],
    partialFingerprints: { finding: `${ruleId}/${where}` },
  }
}
