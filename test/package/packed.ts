/** The package as it would be published, and a folder of a user's that has it installed. */
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { emptyFolder, install, root, run, tool } from './shell.ts'

export interface Packed {
  readonly tarball: string
  /** Paths in the package. */
  readonly files: readonly string[]
  readonly bytes: number
}

/** Builds and packs, without a trace in the repository. */
export async function pack(): Promise<Packed> {
  const folder = emptyFolder('pack')
  for (const file of ['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE', 'src', 'test', 'tsconfig.json']) {
    cpSync(join(root, file), join(folder, file), { recursive: true })
  }
  await run(root, tool('tsc'), ['-p', 'src', '--outDir', join(folder, 'dist')])
  const said = await run(folder, 'npm', ['pack', '--json', '--ignore-scripts', '--loglevel=error'])
  const answer: unknown = JSON.parse(said)
  const [about] = Object.values(answer as Record<string, { filename: string; size: number; files: { path: string }[] }>)
  if (about === undefined) throw new Error(`npm pack said: ${said}`)
  return { tarball: join(folder, about.filename), files: about.files.map(({ path }) => path).sort(), bytes: about.size }
}

/** An empty folder with the package and its peers installed from the registry. */
export async function userFolder({ tarball }: Packed): Promise<string> {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>
  }
  const peers = ['@aws-sdk/client-sqs', '@aws-sdk/client-dynamodb', 'zod', '@types/node']
  const folder = emptyFolder('user')
  await install(folder, tarball, ...peers.map((name) => `${name}@${devDependencies[name]}`))
  return folder
}
