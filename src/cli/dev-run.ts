/** Runs handlers on local queues, each in a process of its own that starts again when its code changes. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CreatedQueue } from '../aws/create.ts'
import type { Terminal } from './command.ts'
import type { LocalAws, WantedQueue } from './dev-local.ts'
import type { HandlerPlace } from './load-handler.ts'

/** A handler and its queue, before anything runs. */
export interface LocalConsumer extends WantedQueue {
  readonly place: HandlerPlace
  readonly timeout: number | undefined
  /** What its environment has beside the terminal's own and that of redrive. */
  readonly environment: Readonly<Record<string, string>>
  /** @default true */
  readonly table?: boolean
}

/** Runs until the terminal says to end. Resolves with the worst exit code. */
export async function runConsumers(consumers: readonly LocalConsumer[], local: LocalAws, terminal: Terminal): Promise<number> {
  const codes = consumers.map((consumer, index) => runWatched(consumer, local.queues[index]!, local, terminal))
  return Math.max(...(await Promise.all(codes)))
}

/** Runs `redrive work` in a child process that Node restarts when a file changes that it has imported. */
async function runWatched(consumer: LocalConsumer, queue: CreatedQueue, local: LocalAws, terminal: Terminal): Promise<number> {
  const { place, timeout } = consumer
  const binary = fileURLToPath(new URL(`./bin${extname(import.meta.url)}`, import.meta.url))
  const nodeOptions = [...process.execArgv.filter((option) => !option.startsWith('--test')), '--watch', '--watch-preserve-output']
  const options = ['--handler', `${place.path}#${place.exportName}`, '--queue', queue.url, '--endpoint', local.sqsEndpoint]
  // Short waits: the emulators go on with a receive whose caller has left, and would hide the next message for nobody.
  options.push('--wait', '1', ...(timeout === undefined ? [] : ['--timeout', String(timeout)]))
  const child = spawn(process.execPath, [...nodeOptions, binary, 'work', ...options], {
    env: { ...terminal.env, ...consumer.environment, ...redriveEnvironment(consumer, queue, local, terminal) },
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

const ANY_CREDENTIALS = [
  'AWS_ACCESS_KEY_ID',
  'AWS_PROFILE',
  'AWS_WEB_IDENTITY_TOKEN_FILE',
  'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI',
]

function redriveEnvironment(
  { table = true }: LocalConsumer,
  queue: CreatedQueue,
  local: LocalAws,
  { env }: Terminal,
): Record<string, string> {
  const credentials = { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' }
  return {
    ...(ANY_CREDENTIALS.some((name) => env[name]) ? {} : credentials),
    AWS_REGION: local.region,
    AWS_ENDPOINT_URL_SQS: local.sqsEndpoint,
    AWS_ENDPOINT_URL_DYNAMODB: local.dynamoDbEndpoint,
    REDRIVE_QUEUE_URL: queue.url,
    REDRIVE_DLQ_URL: queue.deadLetterUrl,
    ...(table ? { REDRIVE_TABLE: local.table } : {}),
    REDRIVE_PARTIAL: '1',
  }
}

/** What a person needs to know of a queue, and the lines that send a message to it. */
export function queueLines({ place, fifo, table: hasTable = true }: LocalConsumer, queue: CreatedQueue, local: LocalAws): string {
  const { sqsEndpoint, region, table } = local
  const body = '{"id":"1"}'
  const group = fifo ? ' --message-group-id group-1 --message-deduplication-id "$(date +%s)"' : ''
  // No $(…) in here: it stands between single quotes.
  const fields = {
    QueueUrl: queue.url,
    MessageBody: body,
    ...(fifo ? { MessageGroupId: 'group-1', MessageDeduplicationId: '1' } : {}),
  }
  return [
    `handler       ${place.path}#${place.exportName}`,
    `queue         ${queue.url}`,
    `dead letters  ${queue.deadLetterUrl}`,
    ...(hasTable ? [`table         ${table}`] : []),
    '',
    'Send a message:',
    `  AWS_ACCESS_KEY_ID=local AWS_SECRET_ACCESS_KEY=local aws sqs send-message --endpoint-url ${sqsEndpoint} --region ${region} --queue-url ${queue.url}${group} --message-body '${body}'`,
    `without the AWS CLI${fifo ? ' (with another MessageDeduplicationId each time)' : ''}:`,
    `  curl -s ${sqsEndpoint}/ -H 'content-type: application/x-amz-json-1.0' -H 'x-amz-target: AmazonSQS.SendMessage' -d '${JSON.stringify(fields)}'`,
    '',
  ].join('\n')
}
