/** `redrive stack`: prints CloudFormation for those who deploy their functions with SAM, CDK or by hand. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { nearestOf } from '../flow/check-options.ts'
import type { ConsumerOptions, ServiceOptions } from '../stack/options.ts'
import { StackError } from '../stack/stack-error.ts'
import { templateFor } from '../stack/template.ts'
import { yamlOf } from '../stack/yaml.ts'
import { type Command, type OptionValues, optional, required, UsageError, wholeNumber } from './command.ts'

const help = `redrive stack: prints a template of CloudFormation with all that consumers need beside their functions: queues,
dead-letter queues, idempotency table, alarms, dashboard, and a policy each. Nothing is deployed.

Usage: redrive stack --service NAME --stage STAGE --consumer QUEUE,timeout=SECONDS[,…] [options]
       redrive stack --from stack.json [--json]

  --consumer QUEUE,…   a queue's name (it is made) or the ARN of one's own, then settings; once for each consumer
      timeout=30           the function's timeout in seconds (needed)
      fifo                 a FIFO queue; so is a name that ends with .fifo
      batch=10  window=0   messages a batch, seconds to wait for a full one
      concurrency=20       invocations at a time;  or  pollers=2-50  provisioned pollers
      kms=ARN  dlq=ARN     a key for both queues; a dead-letter queue of one's own
      attempts=12          as the consumer's own maxAttempts;  max-age=SECONDS  as its maxAge
      name=NAME            as the consumer's own name;  function=NAME  the Lambda function, for the dashboard
      id=Orders            what its resources are called in the template (default: from the queue's name)
  --email ADDRESS      who is mailed by the alarms;  --topic ARN  an SNS topic instead;  with neither there are no alarms
  --owner TEXT         whom the alarms name;  --runbook URL  where they lead
  --table ARN          an idempotency table of one's own;  --no-table  none
  --retention SECONDS  of queues that are made (default 345600, 4 days)
  --removal WHAT       Retain or Delete tables and dead-letter queues with the stack (default Retain)
  --no-dashboard       no dashboard
  --from FILE          all of it from JSON: {"service": {…}, "consumers": [{…}]}, as redrive/stack has it
  --yaml, --json       how it is printed (default YAML)

What a function needs beside (environment, event source mapping) is in the template's metadata, to copy.

Examples:
  redrive stack --service shop --stage prod --consumer orders,timeout=30,concurrency=20 --email oncall@shop.example
  redrive stack --service shop --stage prod --consumer ledger,fifo,timeout=30 --no-table --json

Exit codes: 0 printed; 2 a setting is wrong.`

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const

/** The command. */
export const stack: Command = {
  name: 'stack',
  summary: "print CloudFormation for a consumer's queues, table, alarms and permissions",
  help,
  options: {
    service: text,
    stage: text,
    consumer: { type: 'string', multiple: true },
    email: text,
    topic: text,
    owner: text,
    runbook: text,
    table: text,
    'no-table': flag,
    retention: text,
    removal: text,
    'no-dashboard': flag,
    from: text,
    yaml: flag,
    json: flag,
  },
  async run(values, terminal) {
    if (values['json'] === true && values['yaml'] === true) throw new UsageError('--json and --yaml: one of them.')
    const { service, consumers } = optional(values, 'from') === undefined ? asGiven(values) : fromFile(values, terminal.folder)
    try {
      const template = templateFor(service, consumers)
      terminal.out(values['json'] === true ? JSON.stringify(template, undefined, 2) : yamlOf(template).trimEnd())
      return 0
    } catch (error) {
      if (error instanceof StackError) throw new UsageError(error.message.replace(/^redrive: /, ''))
      throw error
    }
  },
}

interface Wanted {
  readonly service: ServiceOptions
  readonly consumers: readonly ConsumerOptions[]
}

function fromFile(values: OptionValues, folder: string): Wanted {
  const beside = Object.keys(values).filter((option) => !['from', 'json', 'yaml'].includes(option))
  if (beside.length > 0) throw new UsageError(`--${beside[0]} can't stand beside --from: write it into the file.`)
  const path = resolve(folder, required(values, 'from', 'stack.json'))
  const content = parsed(path)
  const known = typeof content === 'object' && content !== null ? Object.keys(content).sort().join() : ''
  if (known !== 'consumers,service' || !Array.isArray((content as { consumers: unknown }).consumers)) {
    throw new UsageError(`${path} must hold {"service": {…}, "consumers": [{…}]} and nothing else.`)
  }
  // What is in them is checked by redrive/stack, by name.
  return content as Wanted
}

function parsed(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    const why = error instanceof SyntaxError ? `is not JSON: ${error.message}` : 'can not be read'
    throw new UsageError(`${path} ${why}.`)
  }
}

function asGiven(values: OptionValues): Wanted {
  const specs: unknown = values['consumer']
  if (!Array.isArray(specs)) throw new UsageError('--consumer is missing. Give it like this: --consumer orders,timeout=30')
  const table = optional(values, 'table')
  const noTable = values['no-table'] === true
  if (noTable && table !== undefined) throw new UsageError('--table and --no-table: one of them.')
  const alarm = given({
    email: optional(values, 'email'),
    topicArn: optional(values, 'topic'),
    owner: optional(values, 'owner'),
    runbook: optional(values, 'runbook'),
  })
  const service = given({
    service: required(values, 'service', 'shop'),
    stage: required(values, 'stage', 'prod'),
    alarm: 'email' in alarm || 'topicArn' in alarm ? alarm : undefined,
    table: noTable ? false : table && { arn: table },
    retention: wholeNumber(values, 'retention', 60, 1_209_600),
    removal: optional(values, 'removal'),
    dashboard: values['no-dashboard'] === true ? false : undefined,
  }) as unknown as ServiceOptions
  const [forNobody] = service.alarm === undefined ? ['owner', 'runbook'].filter((option) => option in alarm) : []
  if (forNobody !== undefined) throw new UsageError(`--${forNobody} needs --email or --topic: without them there are no alarms.`)
  return { service, consumers: specs.map((spec) => consumerOf(String(spec))) }
}

function number(value: string): number {
  if (/^\d+$/.test(value)) return Number(value)
  throw new UsageError(`--consumer: '${value}' must be a whole number.`)
}

/** The settings of a consumer by their names on the command line. */
const SETTINGS: Readonly<Record<string, (value: string) => Partial<ConsumerOptions>>> = {
  timeout: (value) => ({ functionTimeout: number(value) }),
  batch: (value) => ({ batchSize: number(value) }),
  window: (value) => ({ batchWindow: number(value) }),
  concurrency: (value) => ({ maximumConcurrency: number(value) }),
  pollers: (value) => {
    const [minimum = '', maximum = ''] = value.split('-')
    return { provisionedPollers: { minimum: number(minimum), maximum: number(maximum) } }
  },
  kms: (value) => ({ kmsKeyArn: value }),
  dlq: (value) => ({ deadLetterQueue: { arn: value } }),
  attempts: (value) => ({ maxAttempts: number(value) }),
  'max-age': (value) => ({ maxAge: number(value) }),
  name: (value) => ({ name: value }),
  function: (value) => ({ functionName: value }),
  id: (value) => ({ logicalName: value }),
}

function consumerOf(spec: string): ConsumerOptions {
  const [queue = '', ...settings] = spec.split(',').map((part) => part.trim())
  if (queue === '' || queue.includes('=')) {
    throw new UsageError(`--consumer '${spec}' must begin with a queue's name or ARN, like this: --consumer orders,timeout=30`)
  }
  const read = settings.map((setting) => settingOf(spec, setting))
  if (!read.some((one) => 'functionTimeout' in one)) {
    throw new UsageError(`--consumer '${spec}' lacks the function's timeout. Give it like this: --consumer ${queue},timeout=30`)
  }
  return Object.assign(
    { logicalName: logicalNameOf(queue), queue: queue.startsWith('arn:') ? { arn: queue } : { make: queue } },
    ...read,
  )
}

function settingOf(spec: string, setting: string): Partial<ConsumerOptions> {
  if (setting === 'fifo') return { fifo: true }
  const [, name = '', value = ''] = /^([^=]*)=?(.*)$/.exec(setting) ?? []
  const known = Object.hasOwn(SETTINGS, name) ? SETTINGS[name] : undefined
  if (known !== undefined && value !== '') return known(value)
  if (known !== undefined) throw new UsageError(`--consumer '${spec}': ${name} has no value. Give it like this: ${name}=…`)
  const near = nearestOf(name, [...Object.keys(SETTINGS), 'fifo'])
  const hint = near === undefined ? `There are: fifo, ${Object.keys(SETTINGS).join(', ')}.` : `Did you mean '${near}'?`
  throw new UsageError(`--consumer '${spec}': there is no setting '${name}'. ${hint}`)
}

/** `order-events.fifo` → `OrderEvents`. */
function logicalNameOf(queue: string): string {
  const words = queue
    .slice(queue.lastIndexOf(':') + 1)
    .replace(/\.fifo$/, '')
    .split(/[^A-Za-z0-9]+/)
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  return /^[A-Z]/.test(name) ? name : `Queue${name}`
}

function given<T extends object>(options: T): Partial<T> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Partial<T>
}
