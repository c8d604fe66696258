/** What `redrive dev` runs of a service: every function with a `redrive` event, as its serverless.yml has it. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { environmentFor } from '../stack/mapping.ts'
import { mergedParts, readServerless } from '../stack/serverless.ts'
import { type ServerlessConsumer, ServerlessError, type ServerlessService } from '../stack/serverless-service.ts'
import { type Terminal, UsageError } from './command.ts'
import { readServiceFile } from './dev-file.ts'
import type { LocalConsumer } from './dev-run.ts'
import { resolveVariables, type Unresolved } from './dev-variables.ts'
import type { HandlerPlace } from './load-handler.ts'

/** What the command line says of a service. */
export interface ServiceChoice {
  readonly config: string | undefined
  readonly stage: string | undefined
  readonly region: string
}

/** A service, ready to run. */
export interface LocalService {
  readonly consumers: readonly LocalConsumer[]
  /** What a person wants to know: variables that were left out. */
  readonly notes: readonly string[]
}

type Loose = Readonly<Record<string, unknown>>

/** What of an event matters on this machine. The rest (keys, pollers, a dead-letter queue of one's own) is AWS's. */
const LOCAL_SETTINGS = ['queue', 'fifo', 'maxAge']

/** What of a function must be known before it can run. */
const NEEDED = /^functions\.([^.]+)\.(handler$|timeout$|events\[\d+\]\.redrive(\.(queue|fifo|maxAge))?$)/

/** Reads the service. Rejects with a `UsageError` that says what is wrong where. */
export async function readService(choice: ServiceChoice, terminal: Terminal): Promise<LocalService> {
  const { path, folder, parsed } = await readServiceFile(choice.config, terminal.folder)
  const { region, stage } = choice
  const resolved = resolveVariables(parsed, { env: terminal.env, options: { stage, region }, region })
  const file = localPart(resolved.file)
  const unknown = resolved.unresolved.filter(({ path: at }) => at === 'functions' || functionAt(file, NEEDED.exec(at)?.[1]))
  if (unknown.length > 0) throw new UsageError(unknown.map((one) => `${path}: ${sentence(one)}`).join('\n'))
  const { options, consumers } = read(file, path)
  if (consumers.length === 0) {
    throw new UsageError(`${path}: no function has a redrive event, e.g. events: [{ redrive: { queue: orders } }]`)
  }
  const local = consumers.map((consumer) => {
    const environment = environmentOf(consumer, resolved.unresolved, terminal)
    const maxAge = environmentFor(consumer.options, options)['REDRIVE_MAX_AGE']
    return {
      notes: environment.notes,
      consumer: {
        name: consumer.queueName,
        fifo: consumer.options.fifo === true,
        place: placeOf(consumer, folder, path),
        timeout: consumer.options.functionTimeout,
        environment: { ...environment.variables, ...(typeof maxAge === 'string' ? { REDRIVE_MAX_AGE: maxAge } : {}) },
        table: options.table !== false,
      },
    }
  })
  return { consumers: local.map(({ consumer }) => consumer), notes: local.flatMap(({ notes }) => notes) }
}

/** Functions without a `redrive` event, and settings that only AWS needs, may hold what can't be read here. */
function localPart(file: Loose): Loose {
  const functions = Object.entries(mergedParts(file['functions'])).flatMap(([name, value]) => {
    const { events, ...rest } = record(value)
    const all = Array.isArray(events) ? events.map(record) : []
    if (!all.some((event) => Object.hasOwn(event, 'redrive'))) return []
    // Their places in the list stay what they are: messages name them.
    const ours = all.map((event) => (Object.hasOwn(event, 'redrive') ? { redrive: localEvent(event['redrive']) } : {}))
    return [[name, { ...rest, events: ours }] as const]
  })
  const { table } = record(record(file['custom'])['redrive'])
  return { ...file, functions: Object.fromEntries(functions), custom: { redrive: table === false ? { table } : {} } }
}

function localEvent(event: unknown): unknown {
  if (typeof event !== 'object' || event === null) return event
  return Object.fromEntries(Object.entries(event).filter(([name]) => LOCAL_SETTINGS.includes(name)))
}

const functionAt = (file: Loose, name: string | undefined): boolean =>
  name !== undefined && Object.hasOwn(record(file['functions']), name)

function read(file: Loose, path: string): ServerlessService {
  try {
    return readServerless(file)
  } catch (error) {
    if (!(error instanceof ServerlessError)) throw error
    throw new UsageError(`${path}: ${error.fault}`)
  }
}

const sentence = ({ path, variable, why }: Unresolved): string => `${path} has ${variable}: ${why}.`

/** The file's variables as texts. What can't be known here comes from the terminal's own environment, or is left out and said. */
function environmentOf(
  { functionName, environment }: ServerlessConsumer,
  unresolved: readonly Unresolved[],
  { env }: Terminal,
): { readonly variables: Record<string, string>; readonly notes: readonly string[] } {
  const variables: Record<string, string> = {}
  const notes: string[] = []
  for (const [name, value] of Object.entries(environment)) {
    const places = [`functions.${functionName}.environment.${name}`, `provider.environment.${name}`]
    const open = unresolved.find(({ path }) => places.includes(path))
    if (open === undefined && typeof value !== 'object') variables[name] = String(value)
    else if (env[name] === undefined) {
      const what = open?.variable ?? JSON.stringify(value)
      notes.push(`${functionName}: ${name} is not set: ${what} can't be known here. Set ${name} in your shell to run with it.`)
    }
  }
  return { variables, notes }
}

const ENDINGS = ['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs']

function placeOf({ functionName, handler }: ServerlessConsumer, folder: string, path: string): HandlerPlace {
  const [, file, exportName] = /^(.+)\.([^./]+)$/.exec(handler ?? '') ?? []
  if (file === undefined || exportName === undefined) {
    throw new UsageError(
      `${path}: functions.${functionName}.handler is missing. It is the file without ending and the export: src/orders.handler`,
    )
  }
  const found = ENDINGS.map((ending) => join(folder, `${file}${ending}`)).find(existsSync)
  if (found !== undefined) return { path: found, exportName }
  throw new UsageError(
    `${path}: functions.${functionName}.handler is ${handler}, and there is no ${join(folder, file)} with ${ENDINGS.join(' ')}. Build it first.`,
  )
}

const record = (value: unknown): Loose => (typeof value === 'object' && value !== null ? (value as Loose) : {})
