/** README.md in parts that can be checked. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))
export const read = (path: string): string => readFileSync(`${root}/${path}`, 'utf8')
export const readme = read('README.md')

/** The code blocks of a language, in order. */
export const blocks = (language: string): string[] =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map((found) => found[1] ?? '')

/** The text under a heading, until the next one. */
export function section(heading: string): string {
  const found = readme.split(/^## /m).find((part) => part.startsWith(`${heading}\n`))
  if (found === undefined) throw new Error(`README.md has no section "${heading}".`)
  return found
}

/** The rows of the table under a heading, without its head, a list of cells each. Bars within backticks are text. */
export const rows = (heading: string): string[][] =>
  section(heading)
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| ---'))
    .slice(1)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )

/** The words between backticks. */
export const quoted = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map((found) => found[1] ?? '')
