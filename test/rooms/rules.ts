/** DESIGN 7 as rules: each takes the facts of the files and says, one line a violation, what is wrong where. */
import { posix } from 'node:path'
import type { Facts } from './facts.ts'

export type Rule = (facts: readonly Facts[]) => string[]

/** Files of src itself: the flow of one invocation. */
const CORE = 'core'

/** Which rooms a room may import besides itself. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  errors: [],
  flow: ['errors'],
  aws: ['flow', 'errors'],
  testing: ['flow', 'errors'],
  stack: ['flow', 'errors'],
  dlq: ['flow', 'errors'],
  [CORE]: ['flow', 'errors', 'aws'],
  worker: ['flow', 'errors', 'aws'],
  page: ['dlq', 'flow'],
  plugin: ['stack', 'dlq', 'worker', 'flow', 'aws'],
  cli: [CORE, 'errors', 'flow', 'aws', 'testing', 'stack', 'dlq', 'worker', 'page'],
  service: [],
}

/** Rooms around the core, which no Lambda bundle carries. */
const AROUND = ['worker', 'cli', 'testing', 'dlq', 'page', 'plugin', 'stack', 'service']

/** The environment is read in one file; a command line and a user's own service have one of their own. */
const READS_ENVIRONMENT = ['src/environment.ts', 'src/cli/bin.ts']

const LONGEST_FILE = 300
const LONGEST_FUNCTION = 60

/** The room of a file, e.g. `flow`; `undefined` outside of src. */
export function roomOf(path: string): string | undefined {
  const [root, first, ...rest] = path.split('/')
  if (root !== 'src') return undefined
  return rest.length === 0 ? CORE : first
}

const inSource = (facts: readonly Facts[]): Facts[] => facts.filter(({ path }) => roomOf(path) !== undefined)

/** The paths of the files that a file imports. */
const importedFiles = ({ path, imports }: Facts): string[] =>
  imports.filter((specifier) => specifier.startsWith('.')).map((specifier) => posix.join(posix.dirname(path), specifier))

export const importsGoDownwards: Rule = (facts) =>
  inSource(facts).flatMap((file) => {
    const room = roomOf(file.path) as string
    const allowed = MAY_IMPORT[room]
    if (allowed === undefined) return [`${file.path}: the room "${room}" is not in the table`]
    return importedFiles(file)
      .filter((imported) => !allowed.includes(roomOf(imported) ?? '') && roomOf(imported) !== room)
      .map((imported) => `${file.path}: ${room} must not import ${imported}`)
  })

export const noFileImportsItselfInTheEnd: Rule = (facts) => {
  const byPath = new Map(facts.map((file) => [file.path, file]))
  const finished = new Set<string>()
  const walk = (path: string, trail: readonly string[]): string[] => {
    if (trail.includes(path)) return [`cycle: ${[...trail.slice(trail.indexOf(path)), path].join(' → ')}`]
    const file = byPath.get(path)
    if (file === undefined || finished.has(path)) return []
    const found = importedFiles(file).flatMap((imported) => walk(imported, [...trail, path]))
    finished.add(path)
    return found
  }
  return facts.flatMap(({ path }) => walk(path, []))
}

export const theSdkIsNamedInAwsAlone: Rule = (facts) =>
  inSource(facts)
    .filter(({ path }) => roomOf(path) !== 'aws')
    .flatMap(({ path, imports }) =>
      imports.filter((specifier) => /^@(aws-sdk|smithy)\//.test(specifier)).map((specifier) => `${path}: names ${specifier}`),
    )

export const flowAndErrorsArePure: Rule = (facts) =>
  inSource(facts)
    .filter(({ path }) => ['flow', 'errors'].includes(roomOf(path) as string))
    .flatMap(({ path, uses, imports }) => [
      ...uses.map((used) => `${path}: uses ${used}`),
      ...imports
        .filter((specifier) => /^(node:)?(process|timers|console|perf_hooks|fs|net|http)\b/.test(specifier))
        .map((specifier) => `${path}: imports ${specifier}`),
    ])

export const theEnvironmentIsReadInOneFile: Rule = (facts) =>
  inSource(facts)
    .filter(({ path }) => roomOf(path) !== 'service' && !READS_ENVIRONMENT.includes(path))
    .flatMap(({ path, uses }) => uses.filter((used) => used === 'process.env').map(() => `${path}: reads process.env`))

export const argumentsAreReadByTheCommandLineAlone: Rule = (facts) =>
  inSource(facts)
    .filter(({ path }) => roomOf(path) !== 'cli')
    .flatMap(({ path, uses }) => uses.filter((used) => used === 'process.argv').map(() => `${path}: reads process.argv`))

export const theMainEntryCarriesTheCoreOnly: Rule = (facts) => {
  const byPath = new Map(facts.map((file) => [file.path, file]))
  const reached = new Set(['src/index.ts'])
  for (const path of reached) {
    const file = byPath.get(path)
    if (file !== undefined) for (const imported of importedFiles(file)) reached.add(imported)
  }
  return [...reached].filter((path) => AROUND.includes(roomOf(path) ?? '')).map((path) => `src/index.ts reaches ${path}`)
}

export const theServiceIsAnHonestUser: Rule = (facts) =>
  inSource(facts)
    .filter(({ path }) => roomOf(path) === 'service')
    .flatMap((file) => [
      ...importedFiles(file)
        .filter((imported) => roomOf(imported) !== 'service')
        .map((imported) => `${file.path}: imports ${imported}, which a user could not`),
      ...file.imports
        .filter((specifier) => /^redrive\/(?!worker$|testing$)/.test(specifier))
        .map((specifier) => `${file.path}: imports ${specifier}, which is not public`),
    ])

export const nothingIsGiant: Rule = (facts) =>
  facts.flatMap(({ path, lines, functions }) => [
    ...(lines > LONGEST_FILE ? [`${path}: ${lines} lines`] : []),
    ...functions
      .filter((one) => one.lines > LONGEST_FUNCTION)
      .map((one) => `${path}:${one.line}: a function of ${one.lines} lines`),
  ])

/** Rooms and core files that the page of architecture does not name. */
export const missingOn = (page: string, facts: readonly Facts[]): string[] => {
  const names = inSource(facts).map(({ path }) => (roomOf(path) === CORE ? path.slice(4) : `${roomOf(path)}/`))
  return [...new Set(names)].filter((name) => !page.includes(`\`${name}\``))
}
