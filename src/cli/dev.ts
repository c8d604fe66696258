/** `redrive dev`: a service, or one handler, on this machine, with queues and table in this process. */
import {
  type Command,
  type OptionValues,
  optional,
  required,
  type Terminal,
  UsageError,
  webAddress,
  wholeNumber,
} from './command.ts'
import { startLocalAws } from './dev-local.ts'
import { type LocalConsumer, queueLines, runConsumers } from './dev-run.ts'
import { type LocalService, readService } from './dev-service.ts'
import { handlerPlace } from './load-handler.ts'

const help = `redrive dev: runs a service on this machine, with SQS and DynamoDB in the process. Reloads when its code changes.

Usage: redrive dev [--stage NAME] [options]                    in the folder of a serverless.yml
       redrive dev --handler FILE#EXPORT --queue NAME [options]  without one

Of a serverless.yml it runs every function with a redrive event, on queues of the same names, with its environment.

  --config FILE          the serverless.yml (default: the one in this folder)
  --stage NAME           its stage (default: what it says, else dev)
  --handler FILE#EXPORT  one handler; the export is 'handler' unless named. With Node 24 it may be a TypeScript file
  --queue NAME           the queue to make for it, with its dead-letter queue NAME-dlq
  --fifo                 a FIFO queue; .fifo is added to the name
  --timeout S            seconds that the handler may run (default 900)
  --port N               the port of the embedded SQS on 127.0.0.1 (default: a free one)
  --endpoint URL         use LocalStack or another emulator there instead of the embedded one
  --region NAME          the region (default AWS_REGION, else us-east-1)

The embedded emulators, and what reads serverless.yml, are packages of their own: npm install --save-dev fauxqs dynalite yaml
Messages are kept while redrive dev runs, also when a handler reloads.

Examples:
  redrive dev
  redrive dev --stage test --endpoint http://127.0.0.1:4566
  redrive dev --handler src/orders.ts --queue orders
  redrive dev --handler ./dist/ledger.js#ledger --queue ledger --fifo

Exit codes: 0 ended by a signal; 1 handlers were still running; 2 not started.`

/** The command `redrive dev`. */
export const dev: Command = {
  name: 'dev',
  summary: 'run a service or one handler on this machine, on embedded queues, reloading on change',
  help,
  options: {
    config: { type: 'string' },
    stage: { type: 'string' },
    handler: { type: 'string' },
    queue: { type: 'string' },
    fifo: { type: 'boolean' },
    port: { type: 'string' },
    endpoint: { type: 'string' },
    region: { type: 'string' },
    timeout: { type: 'string' },
  },
  run,
}

async function run(values: OptionValues, terminal: Terminal): Promise<number> {
  const region = optional(values, 'region') ?? terminal.env['AWS_REGION'] ?? terminal.env['AWS_DEFAULT_REGION'] ?? 'us-east-1'
  const port = wholeNumber(values, 'port', 0, 65_535)
  const endpoint = webAddress(values, 'endpoint', 'http://127.0.0.1:4566')
  const { consumers, notes } = await whatToRun(values, region, terminal)
  const local = await startLocalAws({ queues: consumers, port, endpoint, region })
  try {
    for (const note of [...notes, ...(local.note ? [local.note] : [])]) terminal.out(note)
    for (const [index, consumer] of consumers.entries()) terminal.out(queueLines(consumer, local.queues[index]!, local))
    return await runConsumers(consumers, local, terminal)
  } finally {
    await local.stop()
  }
}

/** One handler where one is named, else the service. */
async function whatToRun(values: OptionValues, region: string, terminal: Terminal): Promise<LocalService> {
  const ofOne = ['handler', 'queue', 'fifo', 'timeout'].filter((name) => values[name] !== undefined)
  const ofService = ['config', 'stage'].filter((name) => values[name] !== undefined)
  if (ofOne.length === 0)
    return readService({ config: optional(values, 'config'), stage: optional(values, 'stage'), region }, terminal)
  if (ofService.length === 0) return { consumers: [oneHandler(values, terminal)], notes: [] }
  throw new UsageError(`--${ofOne[0]} is for one handler, --${ofService[0]} for a service: give one of them.`)
}

function oneHandler(values: OptionValues, terminal: Terminal): LocalConsumer {
  const place = handlerPlace(required(values, 'handler', 'src/orders.ts#handler'), terminal.folder)
  const name = required(values, 'queue', 'orders')
  if (!/^[A-Za-z0-9_-]{1,70}(\.fifo)?$/.test(name)) {
    throw new UsageError(`--queue is '${name}'. It is the queue's name: letters, digits, - and _, at most 70.`)
  }
  const fifo = values['fifo'] === true || name.endsWith('.fifo')
  return { place, name, fifo, timeout: wholeNumber(values, 'timeout', 1, 43_000), environment: {} }
}
