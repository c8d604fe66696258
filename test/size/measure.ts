/** What a Lambda function carries of redrive: a consumer, bundled and minified as users do it, SDK and schema left outside. */
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Metafile, type Plugin } from 'esbuild'

/** The most that a consumer may need at a cold start, in bytes, Middy included: all that runs while every message succeeds. */
export const START_LIMIT = 25_000

/** The most of one file with everything, the tables of all families of errors included. It is read at a cold start, and not run. */
export const WHOLE_LIMIT = 90_000

/** The program that is weighed. */
export const CONSUMER = `import { consumer } from 'redrive'\nexport const handler = consumer({}, async () => {})\n`

export interface Part {
  readonly name: string
  /** Bytes needed at a cold start. */
  readonly start: number
  /** Bytes needed later, or never. */
  readonly later: number
}

export interface Weight {
  /** Bytes without what is imported when first needed. */
  readonly start: number
  /** Bytes of one file with everything. */
  readonly whole: number
  readonly parts: readonly Part[]
  /** What is imported when first needed, with the bytes that come with it; what two of them share counts for both. */
  readonly onDemand: readonly { readonly file: string; readonly bytes: number }[]
  /** The source files that are in it, by path from the root. */
  readonly files: readonly string[]
  /** What is loaded from outside of the bundle, and whether only when first needed. */
  readonly outside: readonly { readonly path: string; readonly lazy: boolean }[]
}

/** Weighs a program that imports redrive by name. */
export async function weigh(program: string): Promise<Weight> {
  const [whole, start] = await Promise.all([bundle(program), bundle(program, [onDemandStaysOutside])])
  const [all, atStart] = [bytesByFile(whole), bytesByFile(start)]
  const names = Map.groupBy(all, ([path]) => partOf(path))
  const parts = [...names].map(([name, files]) => {
    const [total, early] = [all, atStart].map((bytes) => sum(files.map(([path]) => bytes.get(path) ?? 0))) as [number, number]
    return { name, start: early, later: Math.max(0, total - early) }
  })
  return {
    start: outputOf(start).bytes,
    whole: outputOf(whole).bytes,
    parts: parts.sort((one, other) => other.start + other.later - one.start - one.later),
    onDemand: lazyFiles(whole).map((file) => {
      const bytes = [...staticClosure(whole, file)].map((path) => (atStart.has(path) ? 0 : (all.get(path) ?? 0)))
      return { file, bytes: sum(bytes) }
    }),
    files: [...all.keys()],
    outside: outputOf(whole)
      .imports.filter(({ path, external }) => external && !path.startsWith('node:'))
      .map(({ path, kind }) => ({ path, lazy: kind === 'dynamic-import' })),
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

const onDemandStaysOutside: Plugin = {
  name: 'on demand stays outside',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\./ }, ({ kind, path }) => (kind === 'dynamic-import' ? { path, external: true } : undefined)),
}

async function bundle(program: string, plugins: Plugin[] = []): Promise<Metafile> {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const { metafile } = await build({
    stdin: { contents: program, resolveDir: root, sourcefile: 'orders.ts', loader: 'ts' },
    absWorkingDir: root,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    conditions: ['redrive-source'],
    external: ['@aws-sdk/*', 'zod'],
    plugins,
    metafile: true,
    write: false,
    logLevel: 'silent',
  })
  return metafile
}

const outputOf = ({ outputs }: Metafile): Metafile['outputs'][string] => Object.values(outputs)[0] as Metafile['outputs'][string]

const bytesByFile = (metafile: Metafile): Map<string, number> =>
  new Map(
    Object.entries(outputOf(metafile).inputs).flatMap(([path, { bytesInOutput }]) =>
      bytesInOutput > 0 ? [[path, bytesInOutput] as const] : [],
    ),
  )

/** The files of redrive that are imported when first needed. */
function lazyFiles({ inputs }: Metafile): string[] {
  const imports = Object.values(inputs).flatMap((input) => input.imports)
  const lazy = imports.filter(({ kind, external }) => kind === 'dynamic-import' && !external).map(({ path }) => path)
  return [...new Set(lazy)].sort()
}

/** A file and all that it imports without `import()`. */
function staticClosure({ inputs }: Metafile, file: string): Set<string> {
  const reached = new Set([file])
  for (const path of reached) {
    for (const { kind, path: imported } of inputs[path]?.imports ?? []) if (kind !== 'dynamic-import') reached.add(imported)
  }
  return reached
}

function partOf(path: string): string {
  if (path.startsWith('node_modules/@middy/')) return 'Middy'
  if (path.startsWith('src/errors/rules/')) return 'errors: the tables'
  if (path.startsWith('src/errors/')) return 'errors: the rest'
  if (posix.dirname(path) === 'src') return 'the core (src/*.ts)'
  return /^src\/([^/]+)\//.exec(path)?.[1] ?? path
}
