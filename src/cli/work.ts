/** `redrive work`: a Lambda handler as a container's process. */
import { makeSqsClient } from '../aws/create.ts'
import type { WorkerEnd } from '../worker/worker.ts'
import { startWorker } from '../worker/worker.ts'
import { type Command, type OptionValues, optional, required, type Terminal, webAddress, wholeNumber } from './command.ts'
import { handlerPlace, loadHandler } from './load-handler.ts'
import { terminalLogger } from './log.ts'

const QUEUE_EXAMPLE = 'https://sqs.eu-west-1.amazonaws.com/123456789012/orders'

const help = `redrive work: runs a Lambda handler as a long-lived process, for containers.

It polls the queue, calls the handler as Lambda does, reads its partial batch response, and deletes what is done.

Usage: redrive work --handler FILE#EXPORT --queue URL [options]

  --handler FILE#EXPORT  the handler; the export is 'handler' unless named
  --queue URL            the queue's URL
  --batch-size N         messages a batch, 1 to 10 (default 10)
  --concurrency N        batches at the same time, from 1 (default 1)
  --timeout S            seconds that a handler may run, 1 to 43000 (default 900)
  --wait S               seconds a receive waits for messages, 0 to 20 (default 20); an idle worker takes that long to stop
  --endpoint URL         where SQS is, for emulators and VPC endpoints
  --region NAME          the region (default: the one in the queue's URL, else AWS_REGION)

SIGTERM and SIGINT: it stops receiving, lets running handlers finish, gives back the rest, and leaves within 30 seconds.
A second signal ends it at once. Log lines are JSON; REDRIVE_LOG_LEVEL is debug, info, warn or error.

Examples:
  redrive work --handler ./dist/orders.js --queue ${QUEUE_EXAMPLE}
  redrive work --handler ./dist/ledger.js#ledger --queue $QUEUE_URL --concurrency 4 --timeout 120

Exit codes: 0 stopped by a signal, every batch answered; 1 handlers still ran after their timeout, or after 29 seconds of
stopping; 2 not started.`

/** The command `redrive work`. */
export const work: Command = {
  name: 'work',
  summary: 'run a Lambda handler in a container: poll a queue, run, delete what is done',
  help,
  options: {
    handler: { type: 'string' },
    queue: { type: 'string' },
    'batch-size': { type: 'string' },
    concurrency: { type: 'string' },
    timeout: { type: 'string' },
    wait: { type: 'string' },
    endpoint: { type: 'string' },
    region: { type: 'string' },
  },
  run,
}

async function run(values: OptionValues, terminal: Terminal): Promise<number> {
  const place = handlerPlace(required(values, 'handler', './dist/orders.js#handler'), terminal.folder)
  required(values, 'queue', QUEUE_EXAMPLE)
  const queueUrl = webAddress(values, 'queue', QUEUE_EXAMPLE)!
  const batchSize = wholeNumber(values, 'batch-size', 1, 10)
  const concurrency = wholeNumber(values, 'concurrency', 1, 1_000)
  const timeout = wholeNumber(values, 'timeout', 1, 43_000)
  const waitSeconds = wholeNumber(values, 'wait', 0, 20)
  const { endpoint, region } = surroundings(queueUrl, values, terminal)
  const logger = terminalLogger(terminal)

  const stopping = new AbortController()
  const forget = terminal.onEnd(() => stopping.abort())
  const sqs = await makeSqsClient({ endpoint, region, sockets: 3 * (concurrency ?? 1) })
  try {
    const handler = await loadHandler(place)
    const worker = await startWorker({ handler, queueUrl, sqs, logger, batchSize, concurrency, timeout, waitSeconds })
    logger.info('waiting for messages', { queueUrl, handler: `${place.path}#${place.exportName}` })
    const stop = (): void => {
      logger.info('stopping: no more messages are received', { queueUrl })
      void worker.stop()
    }
    if (stopping.signal.aborted) stop()
    else stopping.signal.addEventListener('abort', stop)
    const end = await worker.finished
    logger[end.is === 'stopped' ? 'info' : 'error'](END[end.is], { ...end })
    return end.is === 'stopped' ? 0 : 1
  } finally {
    forget()
    sqs.destroy()
  }
}

const END: Readonly<Record<WorkerEnd['is'], string>> = {
  stopped: 'stopped: every batch was answered',
  cut: 'left with handlers still running: their messages come again when their visibility timeout ends',
  overrun: 'left because a handler ran past its timeout: its messages come again when their visibility timeout ends',
}

/** Gives the handler the environment that it would have on Lambda, before it is imported. */
function surroundings(
  queueUrl: string,
  values: OptionValues,
  { env }: Terminal,
): { endpoint: string | undefined; region: string | undefined } {
  const { host, origin } = new URL(queueUrl)
  const regionInUrl = /(?:^|\.)sqs\.([a-z0-9-]+)\.|^([a-z0-9-]+)\.queue\./.exec(host)
  const onAws = /\.(amazonaws\.(com|eu|com\.cn)|c2s\.ic\.gov|sc2s\.sgov\.gov|api\.aws)$/.test(host)
  const endpoint =
    webAddress(values, 'endpoint', 'http://127.0.0.1:4566') ??
    env['AWS_ENDPOINT_URL_SQS'] ??
    env['AWS_ENDPOINT_URL'] ??
    (onAws ? undefined : origin)
  const asked = optional(values, 'region')
  // The queue's own region comes first: a request that is signed for another one is refused there.
  const ofQueue = asked ?? regionInUrl?.[1] ?? regionInUrl?.[2]
  const region = ofQueue ?? env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION'] ?? (onAws ? undefined : 'us-east-1')
  if (endpoint) env['AWS_ENDPOINT_URL_SQS'] = endpoint
  if (asked) env['AWS_REGION'] = asked
  else if (region) env['AWS_REGION'] ??= region
  env['REDRIVE_QUEUE_URL'] ??= queueUrl
  // The worker reads partial batch responses, always.
  env['REDRIVE_PARTIAL'] = '1'
  return { endpoint, region }
}
