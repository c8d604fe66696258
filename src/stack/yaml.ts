/** Plain data as YAML: blocks for objects and lists, and JSON for all else, which YAML 1.2 contains. */

/** A text that stands alone in every version of YAML: no number, no date, no word that means true or null, nothing to escape. */
const PLAIN = /^[A-Za-z/](?:[\w./ -]|:(?=[\w:/]))*[\w/]$/
const WORDS = /^(y|yes|n|no|true|false|on|off|null)$/i

/** JSON and the like, which double quotes would fill with backslashes; single ones can hold it as it is. */
const QUOTING = /^[\x20-\x26\x28-\x5b\x5d-\x7e]*"[\x20-\x26\x28-\x5b\x5d-\x7e]*$/

/** The text, with a line break at its end. */
export function yamlOf(data: unknown): string {
  return `${block(data, '').replace(/^\n/, '')}\n`
}

// What follows a key or a dash: a line break and an indented block, or a blank and a scalar.
function block(value: unknown, indent: string): string {
  if (Array.isArray(value) && value.length > 0) {
    return value.map((item) => `\n${indent}-${block(item, `${indent}  `).replace(/^\n\s*/, ' ')}`).join('')
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const entries = Object.entries(value).filter(([, inner]) => inner !== undefined)
    if (entries.length > 0) {
      const nested = (inner: unknown) => block(inner, `${indent}  `)
      return entries.map(([key, inner]) => `\n${indent}${scalar(key)}:${nested(inner)}`).join('')
    }
  }
  return ` ${scalar(value)}`
}

function scalar(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  if (PLAIN.test(value) && !WORDS.test(value)) return value
  return QUOTING.test(value) ? `'${value}'` : JSON.stringify(value)
}
