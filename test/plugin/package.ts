/** Packages a service with the real frameworks, offline, as a person would at a terminal. */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** osls 4, and version 3 of the Serverless Framework, which goes by its own name. */
export const FRAMEWORKS = ['osls', 'serverless'] as const
export type Framework = (typeof FRAMEWORKS)[number]

export const root = fileURLToPath(new URL('../..', import.meta.url))

export interface Resource {
  readonly Type: string
  readonly Properties: Readonly<Record<string, unknown>>
  readonly DependsOn?: unknown
}

export interface Packaged {
  readonly code: number
  /** Standard output and error. */
  readonly printed: string
  /** Where the zips and the template are. */
  readonly folder: string
  /** By logical id; without what the frameworks make of every service. */
  readonly resources: Readonly<Record<string, Resource>>
}

/** A service that is given as the text of its serverless.yml. All handlers are one file, `src/handlers.js`. */
export function serviceFolder(text: string): string {
  const folder = newFolder()
  write(folder, {
    'serverless.yml': text,
    'package.json': '{ "type": "module" }',
    'src/handlers.js': 'export const handler = async () => ({ batchItemFailures: [] })\n',
    // What `npm install redrive` would put here, without a build.
    'node_modules/redrive/package.json': '{ "name": "redrive", "type": "module", "exports": { "./plugin": "./plugin.js" } }',
    'node_modules/redrive/plugin.js': `export { default } from '${pathToFileURL(join(root, 'src/plugin/index.ts'))}'\n`,
  })
  return folder
}

/** Packages the service of such a text. */
export const packageWith = (framework: Framework, text: string): Promise<Packaged> =>
  packageFolder(framework, serviceFolder(text))

/** Packages the service in a folder; what comes out is in its own new folder. */
export async function packageFolder(framework: Framework, folder: string, env: Record<string, string> = {}): Promise<Packaged> {
  const output = newFolder()
  const { code, printed } = await run(framework, folder, ['package', '--package', output], env)
  const template = join(output, 'cloudformation-template-update-stack.json')
  const all = existsSync(template)
    ? (JSON.parse(readFileSync(template, 'utf8')) as { Resources: Packaged['resources'] })
    : undefined
  const resources = Object.entries(all?.Resources ?? {}).filter(([id]) => !OF_EVERY_SERVICE.test(id))
  return { code, printed, folder: output, resources: Object.fromEntries(resources) }
}

/** A text for each service, so that tests show what people write; the rest of it is here. */
export const service = (text: string): string => `service: shop
provider: { name: aws, runtime: nodejs24.x }
${text}`

/** The names of resources in a text's order of letters, as they are compared. */
export const ids = ({ resources }: Packaged): string[] => Object.keys(resources).sort()

/** Properties of a resource that must be there. */
export function properties({ resources, printed }: Packaged, id: string): Readonly<Record<string, unknown>> {
  const found = resources[id]
  if (found === undefined) throw new Error(`There is no resource ${id} among ${Object.keys(resources)}\n${printed}`)
  return found.Properties
}

/** A statement list as `action resource` lines, the resource by its logical id or as it is. */
export function granted(packaged: Packaged, id: string): string[] {
  const document = properties(packaged, id)['PolicyDocument'] as { Statement: { Action: string[]; Resource: unknown[] }[] }
  return document.Statement.flatMap(({ Action, Resource }) =>
    Action.flatMap((action) => Resource.map((resource) => `${action} ${shortOf(resource)}`)),
  )
}

function shortOf(resource: unknown): string {
  const attribute = (resource as { 'Fn::GetAtt'?: string[] })['Fn::GetAtt']
  if (attribute !== undefined) return attribute.join('.')
  return typeof resource === 'string' ? resource : JSON.stringify(resource)
}

const OF_EVERY_SERVICE = /^ServerlessDeploymentBucket|LogGroup$|LambdaVersion/

/** Compiled schemas are kept from run to run: that is two of three seconds. */
const CACHE = join(root, 'node_modules/.cache/redrive-frameworks')

let base: string | undefined

/** All of them are in one, which is gone when the process ends. */
function newFolder(): string {
  if (base === undefined) {
    const made = mkdtempSync(join(tmpdir(), 'redrive-plugin-'))
    process.once('exit', () => rmSync(made, { recursive: true, force: true }))
    base = made
  }
  return mkdtempSync(join(base, 'folder-'))
}

/** Runs a command of a framework in a folder. */
export function run(
  framework: Framework,
  folder: string,
  argv: readonly string[],
  more: Record<string, string> = {},
): Promise<{ code: number; printed: string }> {
  mkdirSync(CACHE, { recursive: true })
  const env = {
    PATH: process.env['PATH'],
    HOME: CACHE,
    AWS_ACCESS_KEY_ID: 'none',
    AWS_SECRET_ACCESS_KEY: 'none',
    // No look at the network for news.
    SLS_NOTIFICATIONS_MODE: 'off',
    SLS_TELEMETRY_DISABLED: '1',
    ...more,
  }
  const binary = join(root, 'node_modules', framework, 'bin/serverless.js')
  const options = { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 }
  return new Promise((resolve) => {
    execFile(process.execPath, [binary, ...argv], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1
      resolve({ code, printed: `${stdout}${stderr}` })
    })
  })
}

/** Writes files, by path within the folder. */
export function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}
