/** One batch: event, handler, answer, deletion. What Lambda's poller and runtime do between a receive and the next. */
import { randomUUID } from 'node:crypto'
import type { ReceivedMessage, SourceQueue } from '../aws/sqs-receive.ts'
import type { Shutdown, SqsEvent } from '../flow/event.ts'
import type { Clock, Logger } from '../flow/ports.ts'
import { type Answer, readAnswer } from './answer.ts'
import { type WorkerContext, workerContext } from './context.ts'
import { lambdaEvent } from './event.ts'
import { type HiddenMessage, startHeartbeat } from './heartbeat.ts'

/**
 * A Lambda handler for SQS events: ours, a Middy chain, anything of @types/aws-lambda. It gets an event and a context, no
 * callback. Whatever it returns is read as Lambda reads it; a thenable is awaited.
 */
export type LambdaHandler = (event: never, context: never, callback: never) => unknown

/** What an invocation needs of its worker. */
export interface Host {
  readonly handler: LambdaHandler
  readonly functionName: string
  readonly queue: SourceQueue
  /** Seconds. */
  readonly timeout: number
  readonly clock: Clock
  readonly logger: Logger
  readonly shutdown: Shutdown
}

/** How an invocation ended. */
export type InvocationEnd =
  /** The answer was read and carried out. */
  | { readonly is: 'answered' }
  /** The handler threw, or its answer can't be read: nothing was deleted. */
  | { readonly is: 'failed' }
  /** The handler still runs after its timeout. */
  | { readonly is: 'overrun'; readonly requestId: string; readonly messageIds: readonly string[] }

/**
 * How long (ms) after its timeout a handler may still answer. Its leases are over by then: another worker may have begun
 * the same messages, so the process must not go on with it.
 */
export const OVERRUN_GRACE_MS = 3_000

type HandlerEnd = { readonly is: 'returned'; readonly value: unknown } | { readonly is: 'threw'; readonly error: unknown }

/** Runs the handler once for a batch and carries its answer out. Never rejects. */
export async function invoke(host: Host, received: readonly ReceivedMessage[]): Promise<InvocationEnd> {
  const { clock, logger, queue } = host
  const event = lambdaEvent(received, queue.facts)
  const messages = event.Records
  const messageIds = messages.map(({ messageId }) => messageId)
  const requestId = randomUUID()
  const deadline = clock.now() + host.timeout * 1000
  const heartbeat = startHeartbeat({ messages, queue, clock, logger })
  const onFate = (messageId: string): Promise<void> => heartbeat.settle(messageId)
  const { functionName, shutdown } = host
  const context = workerContext({ requestId, functionName, queueArn: queue.facts.arn, deadline, clock, onFate, shutdown })

  // The timer is also what keeps the process alive when a handler waits for something that never comes.
  const late = Promise.withResolvers<'late'>()
  const cancel = clock.after(host.timeout * 1000 + OVERRUN_GRACE_MS, () => late.resolve('late'))
  // Lambda parses the event anew: what a handler does to its copy is no concern of ours.
  const end = await Promise.race([run(host.handler, structuredClone(event), context), late.promise])
  cancel()
  if (end === 'late') {
    await heartbeat.stop()
    return { is: 'overrun', requestId, messageIds }
  }
  const answer = end.is === 'threw' ? undefined : readAnswer(end.value, messageIds)
  const decided = new Set(messageIds.filter((id) => !heartbeat.isOpen(id)))
  const draining = shutdown.draining.aborted
  await heartbeat.stop()
  return carryOut({ host, requestId, messages, decided, draining, end, answer })
}

async function run(handler: LambdaHandler, event: SqsEvent, context: WorkerContext): Promise<HandlerEnd> {
  try {
    return { is: 'returned', value: await (handler as (event: SqsEvent, context: WorkerContext) => unknown)(event, context) }
  } catch (error) {
    return { is: 'threw', error }
  }
}

async function carryOut(batch: {
  readonly host: Host
  readonly requestId: string
  readonly messages: readonly HiddenMessage[]
  /** Messages whose visibility the core has taken over. */
  readonly decided: ReadonlySet<string>
  /** The worker was stopping when the answer came. */
  readonly draining: boolean
  readonly end: HandlerEnd
  readonly answer: Answer | undefined
}): Promise<InvocationEnd> {
  const { host, requestId, messages, answer, end } = batch
  const { logger, queue } = host
  if (!answer || answer.is === 'refused') {
    // As on Lambda, nothing is deleted and nothing given back: the messages come again when their visibility timeout ends.
    const why = answer ? answer.why : 'the handler threw'
    logger.error(`the whole batch failed: ${why}`, { requestId, messages: messages.length, ...(answer ? {} : errorFields(end)) })
    return { is: 'failed' }
  }
  const done = messages.filter(({ messageId }) => !answer.failures.has(messageId))
  const kept = messages.filter(({ messageId }) => answer.failures.has(messageId))
  await remove(queue, done, { logger, requestId })
  const notStarted = batch.draining ? kept.filter(({ messageId }) => !batch.decided.has(messageId)) : []
  await giveBack(queue, notStarted, logger)
  logger.debug('batch answered', { requestId, deleted: done.length, kept: kept.length })
  return { is: 'answered' }
}

async function remove(
  queue: SourceQueue,
  done: readonly HiddenMessage[],
  { logger, requestId }: { readonly logger: Logger; readonly requestId: string },
): Promise<void> {
  const results = await queue.remove(done.map(({ receiptHandle }) => receiptHandle))
  for (const [position, result] of results.entries()) {
    if (result.is === 'accepted') continue
    const { code, message } = result
    const { messageId } = done[position]!
    logger.error('a message that is done could not be deleted: it comes again', { requestId, messageId, code, message })
  }
}

/** Makes messages visible at once, in the order received. What SQS refuses comes back when its timeout ends. */
export async function giveBack(queue: SourceQueue, messages: readonly HiddenMessage[], logger: Logger): Promise<void> {
  const results = await queue.hide(messages.map(({ receiptHandle }) => ({ receiptHandle, seconds: 0 })))
  for (const [position, result] of results.entries()) {
    if (result.is === 'accepted') continue
    const { code, message } = result
    const { messageId } = messages[position]!
    logger.warn('a message could not be given back: it comes again when its visibility timeout ends', {
      messageId,
      code,
      message,
    })
  }
}

function errorFields(end: HandlerEnd): Record<string, unknown> {
  if (end.is === 'returned') return {}
  const { error } = end
  if (!(error instanceof Error)) return { error: String(error) }
  return { error: error.message, errorName: error.name, stack: error.stack }
}
