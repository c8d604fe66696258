import { families } from './rules/families.ts'
import type { Family, Rule } from './rules/family.ts'

/** The page `docs/errors.md`: all rules by family, written from the tables themselves. */
export function reference(): string {
  return [
    '# What redrive makes of an error',
    '',
    'Written from the rule tables in `src/errors/rules`; a test compares. Each failure is `retryable`, `permanent` or `unknown`',
    '(a few tries). The first of these that knows decides:',
    '',
    '1. your own `classify`; 2. your lists `permanent` and `retryable`; 3. `RetryableError`, `PermanentError` and the wrappers',
    '`retryable(() => …)` and `permanent(() => …)`, the outermost first; 4. the rules below; 5. nobody: `unknown`.',
    '',
    'Rules look at the error, its causes and the errors that wrappers hold. Of several matches the most telling counts,',
    'then the outermost. Of several errors side by side (`AggregateError`) any retryable one makes them retryable, and only',
    'if all are permanent, they are. A key stands for itself; `/…/` is a pattern.',
    '',
    ...section('Codes, statuses and shapes', 'They say what happened.', families.specific),
    ...section('Names and texts', 'They are asked where no code anywhere in the chain is known.', families.generic),
    ...section('The language itself', 'They are asked last, about errors with nothing beneath them.', families.bare),
  ].join('\n')
}

function section(title: string, lead: string, all: readonly Family[]): string[] {
  return [
    `## ${title}`,
    '',
    lead,
    '',
    '| rule | verdict | why | matches |',
    '| --- | --- | --- | --- |',
    ...all.flatMap(rows),
    '',
  ]
}

function rows({ rules }: Family): string[] {
  return rules.map((rule) => `| \`${rule.id}\` | ${rule.verdict} | ${rule.why} | ${matchesOf(rule)} |`)
}

function matchesOf({ keys, pattern }: Rule): string {
  const code = [...keys.filter((key) => key !== ''), ...(pattern ? [String(pattern)] : [])]
  return code.map((each) => `\`${each.replaceAll('|', '\\|')}\``).join(' ')
}
