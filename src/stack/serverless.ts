/**
 * Reads the consumers of a service out of its serverless.yml: parsed, with its variables resolved. The plugin, the doctor and
 * `redrive dev` read it through here, so that they can't differ. Pure.
 */

import { isObject } from './check-value.ts'
import type { QueueOption, ServiceOptions, Value } from './options.ts'
import { faultOf } from './serverless-faults.ts'
import {
  pathOf,
  type RedriveEvent,
  type ServerlessConsumer,
  ServerlessError,
  type ServerlessService,
} from './serverless-service.ts'
import { coerced, eventSettings, serviceSettings } from './serverless-settings.ts'

/** Seconds that a function may run where neither it nor the provider says so: the frameworks' default. */
const DEFAULT_TIMEOUT = 6

type Loose = Readonly<Record<string, unknown>>

/** The consumers of a parsed serverless.yml. Throws a {@link ServerlessError} with the full path of the setting that is wrong. */
export function readServerless(parsed: unknown, surroundings: { readonly stage?: string } = {}): ServerlessService {
  const file = record(parsed)
  const provider = record(file['provider'])
  const resources = record(mergedParts(file['resources'])['Resources'])
  const found = Object.entries(mergedParts(file['functions'])).flatMap(([name, value]) => redriveEvents(name, record(value)))
  const service = {
    options: {
      service: String(file['service'] ?? 'service'),
      stage: surroundings.stage ?? String(provider['stage'] ?? 'dev'),
      ...serviceOptions(objectAt('custom.redrive', coerced(record(file['custom'])['redrive'] ?? {}, serviceSettings))),
    },
    consumers: found.map((one) => consumerOf(one, provider, resources)),
  }
  const fault = faultOf(service)
  if (fault !== undefined) throw new ServerlessError(fault)
  return service
}

/** What CloudFormation calls a consumer's resources: `send-mail` is `SendMail`. */
export const logicalNameOf = (functionName: string): string =>
  functionName
    .split(/[^A-Za-z0-9]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')

/** What the frameworks call a function's resources, before what they are. */
const functionIdOf = (functionName: string): string => {
  const name = functionName.replaceAll('-', 'Dash').replaceAll('_', 'Underscore')
  return name.charAt(0).toUpperCase() + name.slice(1)
}

interface Found {
  readonly functionName: string
  readonly settings: Loose
  readonly eventIndex: number
  readonly event: RedriveEvent
}

function redriveEvents(functionName: string, settings: Loose): Found[] {
  const events = Array.isArray(settings['events']) ? settings['events'] : []
  return events.flatMap((one: unknown, eventIndex) => {
    if (!Object.hasOwn(record(one), 'redrive')) return []
    const given = objectAt(pathOf({ functionName, eventIndex }), record(one)['redrive'])
    return [{ functionName, settings, eventIndex, event: normalized(coerced(given, eventSettings) as RedriveEvent) }]
  })
}

function consumerOf({ functionName, settings, eventIndex, event }: Found, provider: Loose, resources: Loose): ServerlessConsumer {
  const { queue, deadLetterQueue, enabled, filterPatterns, ...rest } = event
  const place = queuePlace(queue, resources)
  const fifo = rest.fifo ?? place.fifo
  const queueOption: QueueOption = isName(queue) ? { make: withEnding(queue, fifo) } : { arn: queue }
  return {
    functionName,
    handler: typeof settings['handler'] === 'string' ? settings['handler'] : undefined,
    environment: { ...record(provider['environment']), ...record(settings['environment']) },
    eventIndex,
    event,
    queueName: withEnding(place.name, fifo),
    options: {
      ...rest,
      logicalName: logicalNameOf(functionName),
      queue: queueOption,
      ...(deadLetterQueue === undefined ? {} : { deadLetterQueue: { arn: deadLetterQueue } }),
      fifo,
      functionName: { Ref: `${functionIdOf(functionName)}LambdaFunction` },
      functionTimeout: Number(settings['timeout'] ?? provider['timeout'] ?? DEFAULT_TIMEOUT),
    },
  }
}

/** `Fn::GetAtt: A.Arn` is allowed in YAML; the frameworks read the pair only. */
const normalized = (event: RedriveEvent): RedriveEvent => ({
  ...event,
  queue: asPair(event.queue),
  ...(event.deadLetterQueue === undefined ? {} : { deadLetterQueue: asPair(event.deadLetterQueue) }),
})

function asPair(value: Value): Value {
  const attribute = typeof value === 'object' ? value['Fn::GetAtt'] : undefined
  if (typeof attribute !== 'string') return value
  const [id, ...rest] = attribute.split('.')
  return { 'Fn::GetAtt': [id, rest.join('.')] }
}

/** The name of a queue, and whether it is FIFO, as far as can be told without asking AWS. */
function queuePlace(queue: Value, resources: Loose): { readonly name: string; readonly fifo: boolean } {
  if (typeof queue !== 'object') {
    const name = String(queue).split(':').at(-1)!
    return { name, fifo: name.endsWith('.fifo') }
  }
  const attribute = queue['Fn::GetAtt']
  const id = Array.isArray(attribute) ? String(attribute[0]) : undefined
  const { QueueName, FifoQueue } = record(record(resources[id ?? ''])['Properties'])
  const named = typeof QueueName === 'string' ? QueueName : (id ?? lastText(queue))
  return { name: named, fifo: FifoQueue === true || FifoQueue === 'true' || named.endsWith('.fifo') }
}

/** Of `Fn::ImportValue` its export, of `Fn::Join` its last part. */
function lastText(value: unknown): string {
  const texts = [value].flat(9).flatMap((one) => (typeof one === 'object' ? Object.values(record(one)).flat(9) : [one]))
  return (
    String(texts.at(-1) ?? 'queue')
      .split(':')
      .at(-1) ?? ''
  ).replace(/[^\w.-]/g, '-')
}

const isName = (queue: Value): queue is string => typeof queue === 'string' && !queue.startsWith('arn:')

const withEnding = (name: string, fifo: boolean): string => (fifo && !name.endsWith('.fifo') ? `${name}.fifo` : name)

function serviceOptions({ table, alarm, ...rest }: Loose): Partial<ServiceOptions> {
  const options: Partial<ServiceOptions> = {
    ...rest,
    ...(alarm === undefined ? {} : { alarm: alarm as NonNullable<ServiceOptions['alarm']> }),
    ...(table === undefined ? {} : { table: table === false ? false : { arn: table as Value } }),
  }
  return options
}

function objectAt(path: string, value: unknown): Loose {
  if (isObject(value)) return value
  throw new ServerlessError(`${path} must be settings by name, e.g. { queue: orders }, not ${JSON.stringify(value)}.`)
}

const record = (value: unknown): Loose => (typeof value === 'object' && value !== null ? (value as Loose) : {})

/** `functions` and `resources` may be lists, whose parts are put together. */
export const mergedParts = (value: unknown): Loose => (Array.isArray(value) ? value.reduce<Loose>(put, {}) : record(value))

function put(all: Loose, part: unknown): Loose {
  const entries = Object.entries(record(part)).map(([name, value]) => {
    const both = isObject(all[name]) && isObject(value)
    return [name, both ? put(all[name] as Loose, value) : value]
  })
  return { ...all, ...Object.fromEntries(entries) }
}
