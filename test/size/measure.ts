/** What a Lambda function carries of redrive: a consumer, bundled and minified as users do it, SDK and schema left outside. */
import { fileURLToPath } from 'node:url'
import { build, type Metafile } from 'esbuild'

/** The most that a cold start may load, in bytes, Middy included: the way of a message that succeeds. */
export const START_LIMIT = 25_000

/** The most that a consumer bundled into one file may weigh: all that fails, dies or is stored is in it, with every error table. */
export const WHOLE_LIMIT = 85_000

/** The program that is weighed. */
export const CONSUMER = `import { consumer } from 'redrive'\nexport const handler = consumer({}, async () => {})\n`

export interface Part {
  readonly name: string
  /** Bytes that a cold start loads. */
  readonly start: number
  /** Bytes that are loaded when first needed. */
  readonly later: number
}

export interface Weight {
  /** Bytes that a cold start loads, where the bundler splits. */
  readonly start: number
  /** Bytes of one file with everything. */
  readonly whole: number
  readonly parts: readonly Part[]
  /** The source files that are in it, by path from the root. */
  readonly files: readonly string[]
  /** What is loaded from outside of the bundle, and whether only when first needed. */
  readonly outside: readonly { readonly path: string; readonly lazy: boolean }[]
}

/** Weighs a program that imports redrive by name. */
export async function weigh(program: string): Promise<Weight> {
  const [whole, split] = await Promise.all([bundle(program, false), bundle(program, true)])
  const started = loadedAtStart(split)
  const parts = new Map<string, { start: number; later: number }>()
  for (const [output, { inputs }] of Object.entries(split)) {
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const part = parts.get(partOf(path)) ?? { start: 0, later: 0 }
      part[started.has(output) ? 'start' : 'later'] += bytesInOutput
      parts.set(partOf(path), part)
    }
  }
  const file = Object.values(whole)[0]
  return {
    start: [...started].reduce((sum, output) => sum + (split[output]?.bytes ?? 0), 0),
    whole: file?.bytes ?? 0,
    parts: [...parts]
      .map(([name, part]) => ({ name, ...part }))
      .sort((one, other) => other.start + other.later - one.start - one.later),
    files: Object.entries(file?.inputs ?? {}).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
    outside: (file?.imports ?? [])
      .filter(({ path, external }) => external && !path.startsWith('node:'))
      .map(({ path, kind }) => ({ path, lazy: kind === 'dynamic-import' })),
  }
}

async function bundle(program: string, splitting: boolean): Promise<Metafile['outputs']> {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const { metafile } = await build({
    stdin: { contents: program, resolveDir: root, sourcefile: 'orders.ts', loader: 'ts' },
    absWorkingDir: root,
    outdir: 'dist',
    bundle: true,
    minify: true,
    splitting,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    conditions: ['redrive-source'],
    external: ['@aws-sdk/*', 'zod'],
    metafile: true,
    write: false,
    logLevel: 'silent',
  })
  return metafile.outputs
}

/** The entry's file, and what it imports without `import()`. */
function loadedAtStart(outputs: Metafile['outputs']): Set<string> {
  const entry = Object.keys(outputs).filter((output) => outputs[output]?.entryPoint === 'orders.ts')
  const started = new Set(entry)
  for (const output of started) {
    for (const { path, kind } of outputs[output]?.imports ?? [])
      if (kind === 'import-statement' && path in outputs) started.add(path)
  }
  return started
}

const PARTS: readonly (readonly [RegExp, string])[] = [
  [/^node_modules\/@middy\//, 'Middy'],
  [/^src\/errors\/rules\//, 'errors: the tables'],
  [/^src\/errors\//, 'errors: the rest'],
  [/^src\/flow\//, 'flow'],
  [/^src\/aws\//, 'aws'],
  [/^src\/[^/]+$/, 'the core (src/*.ts)'],
  [/^orders\.ts$/, "the consumer's own line"],
]

const partOf = (path: string): string => PARTS.find(([pattern]) => pattern.test(path))?.[1] ?? path
