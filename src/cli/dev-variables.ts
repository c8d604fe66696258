/** The variables of a serverless.yml, as far as they can be resolved on this machine alone. Pure. */

/** What variables are resolved from. */
export interface VariableSources {
  readonly env: Readonly<Record<string, string | undefined>>
  /** `${opt:…}`: options of the command line. */
  readonly options: Readonly<Record<string, string | undefined>>
  readonly region: string
}

/** A variable that stays as it is, and why. */
export interface Unresolved {
  /** Where it stands, e.g. `functions.orders.environment.TOKEN`. */
  readonly path: string
  readonly variable: string
  readonly why: string
}

/** A file with its variables resolved. What could not be is left as it stands, and listed. */
export interface ResolvedFile {
  readonly file: Loose
  readonly unresolved: readonly Unresolved[]
}

type Loose = Readonly<Record<string, unknown>>

/** The account of `${aws:accountId}`, where there is none. */
const NO_ACCOUNT = '000000000000'

/** How deep a variable may refer to others: `${self:…}` may go round in circles. */
const DEEPEST = 20

class CanNotResolve extends Error {
  readonly variable: string

  constructor(variable: string, why: string) {
    super(why)
    this.variable = variable
  }
}

/** Resolves all variables of a parsed file. */
export function resolveVariables(file: Loose, sources: VariableSources): ResolvedFile {
  const unresolved: Unresolved[] = []
  const root = { file, sources }
  const walk = (value: unknown, path: string): unknown => {
    if (typeof value === 'string') {
      try {
        return resolveText(value, root, 0)
      } catch (error) {
        if (!(error instanceof CanNotResolve)) throw error
        unresolved.push({ path, variable: error.variable, why: error.message })
        return value
      }
    }
    if (Array.isArray(value)) return value.map((one, index) => walk(one, `${path}[${index}]`))
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).map(([name, inner]) => [name, walk(inner, path === '' ? name : `${path}.${name}`)])
    return Object.fromEntries(entries)
  }
  return { file: walk(file, '') as Loose, unresolved }
}

interface Root {
  readonly file: Loose
  readonly sources: VariableSources
}

/** A text that is one variable becomes that variable's value; variables within a text become part of it. */
function resolveText(text: string, root: Root, depth: number): unknown {
  if (depth > DEEPEST) throw new CanNotResolve(text, 'it refers to itself')
  const parts = partsOf(text)
  const [only] = parts
  if (parts.length === 1 && only?.variable !== undefined) return firstValue(only.variable, root, depth)
  const texts = parts.map(({ plain, variable }) => {
    if (variable === undefined) return plain
    const value = firstValue(variable, root, depth)
    if (typeof value !== 'object') return String(value)
    throw new CanNotResolve(`\${${variable}}`, 'it is no text')
  })
  return texts.join('')
}

interface Part {
  readonly plain: string
  /** What stands between the braces. */
  readonly variable?: string
}

/** Plain texts and variables, in order. `${AWS::Region}` and the like belong to CloudFormation. */
function partsOf(text: string): Part[] {
  const parts: Part[] = []
  let rest = text
  for (;;) {
    const start = rest.search(/\$\{(?!AWS::)/)
    const end = start < 0 ? -1 : closingBrace(rest, start + 2)
    if (end < 0) return rest === '' && parts.length > 0 ? parts : [...parts, { plain: rest }]
    if (start > 0) parts.push({ plain: rest.slice(0, start) })
    parts.push({ plain: '', variable: rest.slice(start + 2, end) })
    rest = rest.slice(end + 1)
  }
}

function closingBrace(text: string, from: number): number {
  let open = 1
  for (let at = from; at < text.length; at++) {
    if (text[at] === '}') open -= 1
    else if (text.startsWith('${', at)) open += 1
    if (open === 0) return at
  }
  return -1
}

/** The first source that has a value. */
function firstValue(variable: string, root: Root, depth: number): unknown {
  for (const source of alternativesOf(variable)) {
    const value = sourceValue(source, variable, root, depth)
    if (value !== undefined) return value
  }
  throw new CanNotResolve(`\${${variable}}`, 'nothing has that name')
}

/** What stands between top-level commas. */
function alternativesOf(variable: string): string[] {
  const found = variable.match(/(?:'[^']*'|"[^"]*"|\$\{(?:[^{}]|\$\{(?:[^{}]|\$\{[^{}]*\})*\})*\}|[^,])+/g) ?? []
  return found.map((one) => one.trim())
}

function sourceValue(source: string, variable: string, root: Root, depth: number): unknown {
  const quoted = /^(?:'([^']*)'|"([^"]*)")$/.exec(source)
  if (quoted) return quoted[1] ?? quoted[2]
  if (/^-?\d+(\.\d+)?$/.test(source)) return Number(source)
  if (['true', 'false', 'null'].includes(source)) return JSON.parse(source)
  if (source.startsWith('${')) return fallback(() => resolveText(source, root, depth + 1))
  const address = String(resolveText(source, root, depth + 1))
  const [, kind = '', name = ''] = /^([a-zA-Z]+):(.*)$/.exec(address) ?? []
  const look = LOOKUPS[`${kind}:${name}`] ?? LOOKUPS[kind]
  if (look !== undefined) return look(name, root, depth)
  throw new CanNotResolve(`\${${variable}}`, `only ${KINDS} are resolved on this machine`)
}

/** A variable without a value is no fault where another stands behind it. */
function fallback(resolve: () => unknown): unknown {
  try {
    return resolve()
  } catch (error) {
    if (error instanceof CanNotResolve && error.message === 'nothing has that name') return undefined
    throw error
  }
}

const KINDS = ['self:…', 'env:…', 'opt:…', 'sls:stage', 'aws:region', 'aws:accountId'].map((kind) => `\${${kind}}`).join(', ')

type Lookup = (name: string, root: Root, depth: number) => unknown

const LOOKUPS: Readonly<Record<string, Lookup>> = {
  self: selfValue,
  env: (name, { sources }) => sources.env[name],
  opt: (name, { sources }) => sources.options[name],
  'sls:stage': stageOf,
  'aws:region': (_, { sources }) => sources.region,
  'aws:accountId': () => NO_ACCOUNT,
}

/** The stage that is worked on: `--stage`, else the provider's, else `dev`. */
function stageOf(_: string, root: Root, depth: number): unknown {
  const { stage } = root.sources.options
  if (stage !== undefined) return stage
  const { provider } = root.file as { provider?: { stage?: unknown } }
  return typeof provider?.stage === 'string' ? resolveText(provider.stage, root, depth + 1) : 'dev'
}

function selfValue(name: string, root: Root, depth: number): unknown {
  if (name === 'provider.stage') return stageOf(name, root, depth)
  let value: unknown = root.file
  for (const step of name.split('.')) {
    if (typeof value === 'string') value = resolveText(value, root, depth + 1)
    value = typeof value === 'object' && value !== null && Object.hasOwn(value, step) ? (value as Loose)[step] : undefined
  }
  return deeply(value, root, depth + 1)
}

/** What a file says elsewhere may have variables too. */
function deeply(value: unknown, root: Root, depth: number): unknown {
  if (typeof value === 'string') return resolveText(value, root, depth)
  if (Array.isArray(value)) return value.map((one) => deeply(one, root, depth))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, deeply(inner, root, depth)]))
}
