/** Packages a service with its own framework, for the template that it compiles to. Nothing is left behind. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { type Terminal, UsageError } from './command.ts'

const COMPILED = 'cloudformation-template-update-stack.json'
/** Lines of the framework's own that say why it failed. */
const LAST_LINES = 12

/** Where the code of a service is. */
export interface Service {
  readonly folder: string
  /** Its functions' handlers, e.g. `src/orders.handler`, by logical id. */
  readonly handlers: Readonly<Record<string, string>>
}

export async function packageService(
  path: string,
  stage: string | undefined,
  terminal: Terminal,
): Promise<{ readonly template: unknown; readonly service: Service }> {
  const folder = dirname(path)
  const temporary = mkdtempSync(join(tmpdir(), 'redrive-doctor-'))
  try {
    const target = join(temporary, 'package')
    const args = ['package', '--config', basename(path), '--package', target, ...(stage === undefined ? [] : ['--stage', stage])]
    const { code, output } = await runFramework(frameworkOf(folder), args, folder, terminal)
    const compiled = join(target, COMPILED)
    if (code !== 0 || !existsSync(compiled)) {
      const last = output.trim().split('\n').slice(-LAST_LINES).join('\n')
      throw new UsageError(`--serverless: ${path} can't be packaged:\n${last}`)
    }
    const template = JSON.parse(readFileSync(compiled, 'utf8')) as { Resources?: Record<string, Function> }
    return { template, service: { folder, handlers: handlersIn(template.Resources ?? {}) } }
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

interface Function {
  readonly Type?: string
  readonly Properties?: { readonly Handler?: unknown }
}

function handlersIn(resources: Readonly<Record<string, Function>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(resources).flatMap(([id, { Type, Properties }]) =>
      Type === 'AWS::Lambda::Function' && typeof Properties?.Handler === 'string' ? [[id, Properties.Handler]] : [],
    ),
  )
}

/** The service's own: osls, else Serverless 3. */
function frameworkOf(folder: string): string {
  const require = createRequire(join(folder, 'serverless.yml'))
  for (const name of ['osls', 'serverless']) {
    try {
      return join(dirname(require.resolve(`${name}/package.json`)), 'bin', 'serverless.js')
    } catch {
      // The other one may be there.
    }
  }
  throw new UsageError(
    '--serverless: neither osls nor serverless is installed in that folder. Install one: npm install --save-dev osls',
  )
}

async function runFramework(
  binary: string,
  args: readonly string[],
  folder: string,
  { env, onEnd }: Terminal,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const quiet = { SLS_TELEMETRY_DISABLED: '1', SLS_NOTIFICATIONS_MODE: 'off', FORCE_COLOR: '0' }
  const child = spawn(process.execPath, [binary, ...args], {
    cwd: folder,
    env: { ...env, ...quiet },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8')
    stream.on('data', (text: string) => {
      output += text
    })
  }
  const forget = onEnd(() => void child.kill('SIGTERM'))
  try {
    const [code] = (await once(child, 'close')) as [number | null]
    return { code, output }
  } finally {
    forget()
  }
}
