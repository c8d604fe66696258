/** Reads a template: JSON, or YAML with CloudFormation's short intrinsics. */
import type { CollectionTag, ScalarTag } from 'yaml'
import { UsageError } from './command.ts'

/** `!Ref x` and `!Condition x` stand for themselves; all others for `Fn::…`. */
const SHORT = [
  'Base64',
  'Cidr',
  'FindInMap',
  'GetAtt',
  'GetAZs',
  'If',
  'ImportValue',
  'Join',
  'Select',
  'Split',
  'Sub',
  'Transform',
  'And',
  'Equals',
  'Not',
  'Or',
  'Length',
  'ToJsonString',
]

export async function parseTemplate(text: string, file: string): Promise<unknown> {
  try {
    return /^\s*\{/.test(text) ? (JSON.parse(text) as unknown) : await parseYaml(text)
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`--template: ${file} can't be read: ${String(Object(error).message).split('\n')[0]}`)
  }
}

async function parseYaml(text: string): Promise<unknown> {
  const { parse } = await loadYaml()
  return parse(text, { customTags: tags(), logLevel: 'error' }) as unknown
}

async function loadYaml(): Promise<typeof import('yaml')> {
  try {
    return await import('yaml')
  } catch (error) {
    if (!String(Object(error).code).endsWith('MODULE_NOT_FOUND')) throw error
    throw new UsageError('A template in YAML needs the package yaml. Install it: npm install --save-dev yaml')
  }
}

function tags(): (ScalarTag | CollectionTag)[] {
  const named = [['Ref', 'Ref'], ['Condition', 'Condition'], ...SHORT.map((name) => [name, `Fn::${name}`])]
  return named.flatMap(([short, long = '']) => {
    const tag = `!${short}`
    const full = (value: unknown): Record<string, unknown> => ({ [long]: value })
    return [
      { tag, resolve: (text: string) => full(text) },
      { tag, collection: 'seq', resolve: (node: { toJSON(): unknown }) => full(node.toJSON()) },
      { tag, collection: 'map', resolve: (node: { toJSON(): unknown }) => full(node.toJSON()) },
    ] as (ScalarTag | CollectionTag)[]
  })
}

/** The line where a resource begins, from 1; the first one where it is not found. */
export function lineIn(text: string, where: string): number {
  const id = where.split(':')[0] ?? where
  const line = text
    .split('\n')
    .findIndex(
      (one) =>
        one.trimStart().replace(/^["']/, '').startsWith(id) &&
        /^["']?\s*:/.test(one.trimStart().replace(/^["']/, '').slice(id.length)),
    )
  return Math.max(1, line + 1)
}
