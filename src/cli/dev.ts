/** `redrive dev`: a handler on this machine, with queues and table in this process. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
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
import { handlerPlace } from './load-handler.ts'
import { type LocalQueue, startLocalQueue } from './local-queue.ts'

const help = `redrive dev: runs a Lambda handler on this machine, with SQS and DynamoDB in the process. Reloads when its code changes.

Usage: redrive dev --handler FILE#EXPORT --queue NAME [options]

  --handler FILE#EXPORT  the handler; the export is 'handler' unless named. With Node 24 it may be a TypeScript file
  --queue NAME           the queue to make, with its dead-letter queue NAME-dlq
  --fifo                 a FIFO queue; .fifo is added to the name
  --port N               the port of the embedded SQS on 127.0.0.1 (default: a free one)
  --endpoint URL         use LocalStack or another emulator there instead of the embedded one
  --region NAME          the region (default AWS_REGION, else us-east-1)
  --timeout S            seconds that a handler may run (default 900)

The embedded emulators are two packages of their own: npm install --save-dev fauxqs dynalite
Messages are kept while redrive dev runs, also when the handler reloads.

Examples:
  redrive dev --handler src/orders.ts --queue orders
  redrive dev --handler ./dist/ledger.js#ledger --queue ledger --fifo
  redrive dev --handler src/orders.ts --queue orders --endpoint http://127.0.0.1:4566

Exit codes: 0 ended by a signal; 1 handlers were still running; 2 not started.`

/** The command `redrive dev`. */
export const dev: Command = {
  name: 'dev',
  summary: 'run a Lambda handler on this machine, on embedded queues, reloading on change',
  help,
  options: {
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
  const place = handlerPlace(required(values, 'handler', 'src/orders.ts#handler'), terminal.folder)
  const name = required(values, 'queue', 'orders')
  if (!/^[A-Za-z0-9_-]{1,70}(\.fifo)?$/.test(name)) {
    throw new UsageError(`--queue is '${name}'. It is the queue's name: letters, digits, - and _, at most 70.`)
  }
  const fifo = values['fifo'] === true || name.endsWith('.fifo')
  const port = wholeNumber(values, 'port', 0, 65_535)
  const timeout = wholeNumber(values, 'timeout', 1, 43_000)
  const endpoint = webAddress(values, 'endpoint', 'http://127.0.0.1:4566')
  const region = optional(values, 'region') ?? terminal.env['AWS_REGION'] ?? terminal.env['AWS_DEFAULT_REGION'] ?? 'us-east-1'

  const local = await startLocalQueue({ name, fifo, port, endpoint, region })
  try {
    terminal.out(welcome(local))
    const options = [
      '--handler',
      `${place.path}#${place.exportName}`,
      '--queue',
      local.queue.url,
      '--endpoint',
      local.sqsEndpoint,
    ]
    // Short waits: the emulators go on with a receive whose caller has left, and would hide the next message for nobody.
    options.push('--wait', '1', ...(timeout === undefined ? [] : ['--timeout', String(timeout)]))
    return await runWatched(options, { ...terminal.env, ...environment(local, terminal) }, terminal)
  } finally {
    await local.stop()
  }
}

/** Runs `redrive work` in a child process that Node restarts when a file changes that it has imported. */
async function runWatched(
  options: readonly string[],
  env: Record<string, string | undefined>,
  terminal: Terminal,
): Promise<number> {
  const binary = fileURLToPath(new URL(`./bin${extname(import.meta.url)}`, import.meta.url))
  const nodeOptions = [...process.execArgv.filter((option) => !option.startsWith('--test')), '--watch', '--watch-preserve-output']
  const child = spawn(process.execPath, [...nodeOptions, binary, 'work', ...options], {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const forget = terminal.onEnd(() => void child.kill('SIGTERM'))
  try {
    const [code] = (await once(child, 'exit')) as [number | null]
    return code ?? 1
  } finally {
    forget()
  }
}

function environment(local: LocalQueue, { env }: Terminal): Record<string, string> {
  const anyCredentials = [
    'AWS_ACCESS_KEY_ID',
    'AWS_PROFILE',
    'AWS_WEB_IDENTITY_TOKEN_FILE',
    'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI',
  ]
  const credentials = { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' }
  return {
    ...(anyCredentials.some((name) => env[name]) ? {} : credentials),
    AWS_REGION: local.region,
    AWS_ENDPOINT_URL_SQS: local.sqsEndpoint,
    AWS_ENDPOINT_URL_DYNAMODB: local.dynamoDbEndpoint,
    REDRIVE_QUEUE_URL: local.queue.url,
    REDRIVE_DLQ_URL: local.queue.deadLetterUrl,
    REDRIVE_TABLE: local.table,
    REDRIVE_PARTIAL: '1',
  }
}

function welcome({ queue, fifo, sqsEndpoint, region, table, note }: LocalQueue): string {
  const body = '{"id":"1"}'
  const group = fifo ? ' --message-group-id group-1 --message-deduplication-id "$(date +%s)"' : ''
  // No $(…) in here: it stands between single quotes.
  const fields = {
    QueueUrl: queue.url,
    MessageBody: body,
    ...(fifo ? { MessageGroupId: 'group-1', MessageDeduplicationId: '1' } : {}),
  }
  return [
    ...(note ? [note] : []),
    `queue         ${queue.url}`,
    `dead letters  ${queue.deadLetterUrl}`,
    `table         ${table}`,
    '',
    'Send a message:',
    `  AWS_ACCESS_KEY_ID=local AWS_SECRET_ACCESS_KEY=local aws sqs send-message --endpoint-url ${sqsEndpoint} --region ${region} --queue-url ${queue.url}${group} --message-body '${body}'`,
    `without the AWS CLI${fifo ? ' (with another MessageDeduplicationId each time)' : ''}:`,
    `  curl -s ${sqsEndpoint}/ -H 'content-type: application/x-amz-json-1.0' -H 'x-amz-target: AmazonSQS.SendMessage' -d '${JSON.stringify(fields)}'`,
    '',
  ].join('\n')
}
