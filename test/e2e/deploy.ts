/** Deploys the service to a bed, as a person would at a terminal: esbuild, then `osls deploy` with nothing but the endpoint set. */
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation'
import { build } from 'esbuild'
import { cacheFolder, root } from './beds/folders.ts'
import { tail } from './beds/log.ts'
import { run } from './beds/run.ts'
import { environmentOf } from './beds.ts'
import { settingsFor } from './clients.ts'
import { configFor, type Wants } from './service/config.ts'

/** The stack's name. */
export const STACK = 'redrive-e2e-test'

/** What the stack hands out. */
export type Outputs = Readonly<Record<string, string>>

/** Deploys, and gives the stack's outputs. */
export async function deploy(endpoint: string, wants: Wants): Promise<Outputs> {
  const folder = await mkdtemp(join(tmpdir(), 'redrive-e2e-'))
  try {
    await prepare(folder, wants)
    await osls(folder, endpoint)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return outputsOf(endpoint)
}

/** Deploys the repository's own serverless.yml, from a copy: what it builds is in nobody's way. */
export async function deployExample(endpoint: string, env: Readonly<Record<string, string>>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'redrive-example-'))
  try {
    for (const name of ['serverless.yml', 'package.json']) await cp(join(root, name), join(folder, name))
    for (const name of ['src', 'node_modules']) await symlink(join(root, name), join(folder, name))
    await osls(folder, endpoint, { NODE_OPTIONS: '--conditions=redrive-source', ...env })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function osls(cwd: string, endpoint: string, more: Readonly<Record<string, string>> = {}): Promise<void> {
  await mkdir(quiet.HOME, { recursive: true })
  const binary = join(root, 'node_modules', 'osls', 'bin', 'serverless.js')
  const env = { PATH: process.env['PATH'], ...quiet, ...environmentOf(endpoint), ...more }
  const { status, output } = await run(process.execPath, [binary, 'deploy', '--verbose'], { cwd, env })
  if (status !== 0) throw new Error(`osls deploy ended with ${status}:\n${tail(output, 60)}`)
}

/** No look at the network for news; compiled schemas are kept from run to run. */
const quiet = {
  HOME: join(cacheFolder(), 'home'),
  SLS_NOTIFICATIONS_MODE: 'off',
  SLS_TELEMETRY_DISABLED: '1',
}

async function prepare(folder: string, wants: Wants): Promise<void> {
  await Promise.all([
    write(join(folder, 'serverless.json'), JSON.stringify(configFor(wants), undefined, 2)),
    write(join(folder, 'package.json'), '{ "type": "module" }'),
    // What `npm install redrive` would put here, without a build.
    write(
      join(folder, 'node_modules/redrive/package.json'),
      '{ "name": "redrive", "type": "module", "exports": { "./plugin": "./plugin.js" } }',
    ),
    write(
      join(folder, 'node_modules/redrive/plugin.js'),
      `export { default } from '${pathToFileURL(join(root, 'src/plugin/index.ts'))}'\n`,
    ),
    bundle(join(folder, 'handlers.mjs')),
  ])
  const plugin = 'serverless-iam-roles-per-function'
  await symlink(join(root, 'node_modules', plugin), join(folder, 'node_modules', plugin))
}

/** One file, with the SDK left outside: Lambda's runtime has it. */
async function bundle(outfile: string): Promise<void> {
  await build({
    entryPoints: [join(root, 'test/e2e/service/handlers.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    conditions: ['redrive-source'],
    external: ['@aws-sdk/*'],
    logLevel: 'warning',
  })
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}

async function outputsOf(endpoint: string): Promise<Outputs> {
  const client = new CloudFormationClient(settingsFor(endpoint))
  const { Stacks } = await client.send(new DescribeStacksCommand({ StackName: STACK }))
  return Object.fromEntries((Stacks?.[0]?.Outputs ?? []).map(({ OutputKey, OutputValue }) => [OutputKey!, OutputValue!]))
}
