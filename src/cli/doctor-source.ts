/** Where the doctor gets a template from: a file, a service that is packaged, a live stack. */
import { existsSync, readFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { describeStack, type Target } from '../aws/describe-stack.ts'
import { askWithSdk } from '../aws/describe-stack-ask.ts'
import { type OptionValues, optional, type Terminal, UsageError, webAddress } from './command.ts'
import { packageService, type Service } from './doctor-service.ts'
import { lineIn, parseTemplate } from './doctor-template.ts'

export interface Source {
  readonly template: unknown
  /** For people, e.g. `stack shop-prod`. */
  readonly name: string
  /** The file, relative to the working folder. */
  readonly file?: string
  /** The line of a resource in it. */
  readonly lineOf?: (where: string) => number
  readonly service?: Service
}

const SOURCES = ['serverless', 'template', 'stack', 'function', 'queue'] as const
const SERVICE_FILES = ['serverless.yml', 'serverless.yaml', 'serverless.json', 'serverless.js', 'serverless.ts']

export async function sourceOf(values: OptionValues, terminal: Terminal): Promise<Source> {
  const given = SOURCES.filter((source) => optional(values, source) !== undefined)
  if (given.length > 1) throw new UsageError(`Give one of ${given.map((one) => `--${one}`).join(' and ')}.`)
  const [kind = 'serverless'] = given
  const name = optional(values, kind)
  if (name === '') throw new UsageError(`--${kind} is empty.`)
  if (kind === 'template') return templateFile(String(name), terminal)
  if (kind === 'serverless') return await service(name, values, terminal)
  return await live(kind, String(name), values, terminal)
}

async function templateFile(name: string, { folder }: Terminal): Promise<Source> {
  const path = resolve(folder, name)
  if (!existsSync(path)) throw new UsageError(`--template: there is no file ${path}.`)
  const text = readFileSync(path, 'utf8')
  const file = relative(folder, path)
  return { template: await parseTemplate(text, file), name: file, file, lineOf: (where) => lineIn(text, where) }
}

async function service(name: string | undefined, values: OptionValues, terminal: Terminal): Promise<Source> {
  const file = name ?? SERVICE_FILES.find((one) => existsSync(resolve(terminal.folder, one)))
  if (file === undefined) {
    throw new UsageError(
      'There is no serverless.yml in this folder. Give --serverless FILE, --template FILE, --stack NAME or --function NAME.',
    )
  }
  const path = resolve(terminal.folder, file)
  if (!existsSync(path)) throw new UsageError(`--serverless: there is no file ${path}.`)
  const packaged = await packageService(path, optional(values, 'stage'), terminal)
  return { ...packaged, name: file, file: relative(terminal.folder, path) }
}

async function live(
  kind: 'stack' | 'function' | 'queue',
  name: string,
  values: OptionValues,
  { env }: Terminal,
): Promise<Source> {
  const endpoint = webAddress(values, 'endpoint', 'http://127.0.0.1:4566')
  const region = optional(values, 'region') ?? env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION'] ?? (endpoint && 'us-east-1')
  const target = { [kind]: name } as unknown as Target
  return { template: await describeStack(target, askWithSdk({ region, endpoint })), name: `${kind} ${name}` }
}
