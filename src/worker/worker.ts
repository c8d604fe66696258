/** Polls a queue and runs a Lambda handler for each batch, until it is told to stop. */
import { randomUUID } from 'node:crypto'
import { openQueue, type ReceivedMessage } from '../aws/sqs-receive.ts'
import type { Clock, Random } from '../flow/ports.ts'
import { giveBack, type Host, type InvocationEnd, invoke } from './invoke.ts'
import { queueNotUsable } from './start-error.ts'
import { systemClock } from './system.ts'
import { checkOptions, type WorkerOptions } from './worker-options.ts'

/** How a worker ended. Only `stopped` is a good end: after the others the process must exit, for handlers still run in it. */
export type WorkerEnd =
  /** Told to stop; every batch was answered. */
  | { readonly is: 'stopped' }
  /** Told to stop; after 29 seconds some handlers still ran. Their messages come again when their visibility timeout ends. */
  | { readonly is: 'cut'; readonly running: number }
  /** A handler still ran 3 seconds after its timeout, past the end of its leases. */
  | { readonly is: 'overrun'; readonly requestId: string; readonly messageIds: readonly string[] }

/** A running worker. */
export interface Worker {
  /**
   * Stops receiving, lets running handlers finish, gives back what has not started, and resolves within 30 seconds. After
   * 25 seconds `leaving` aborts in the context: the core then cuts what still runs. May be called more than once.
   */
  stop(): Promise<void>
  /** Resolves when the worker has ended, for whatever reason. Never rejects. */
  readonly finished: Promise<WorkerEnd>
}

/** After `stop()`: when the core is told to cut, and when the worker leaves whatever happens. Kubernetes and ECS kill after 30 s. */
const LEAVING_AFTER_MS = 25_000
const LEFT_AFTER_MS = 29_000

/** A receive that takes longer than its own wait plus this hangs, and is given up. */
const RECEIVE_GRACE_MS = 10_000

/** The pause after the first failure in a row doubles with each further one, up to the cap; jitter takes off up to half. */
const PAUSE_BASE_MS = 1_000
const PAUSE_CAP_MS = 30_000

/**
 * Starts a worker. Rejects with a `WorkerStartError` for a wrong option and for a queue that does not exist or can't be
 * reached. From then on errors of SQS are logged and tried again, and never end the worker.
 *
 * Answers are read as Lambda reads them: what is not reported as failed is deleted. A reported message, and a whole batch
 * after a throw, comes again when its visibility timeout ends: the one that the core set, else the one of the last heartbeat.
 */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  checkOptions(options)
  const { handler, logger, timeout = 900, clock = systemClock } = options
  const queue = await openQueue(options.sqs, options.queueUrl).catch((error: unknown) => {
    throw queueNotUsable(options.queueUrl, error)
  })
  if (queue.facts.visibilityTimeout === 0) {
    logger.warn('the queue has a visibility timeout of 0: every message is delivered again while it runs', {
      queueUrl: options.queueUrl,
    })
  }
  const draining = new AbortController()
  const leaving = new AbortController()
  const shutdown = { draining: draining.signal, leaving: leaving.signal }
  const functionName = options.functionName ?? queue.facts.arn.split(':').at(-1)!
  const host: Host = { handler, functionName, queue, timeout, clock, logger, shutdown }
  const finished = Promise.withResolvers<WorkerEnd>()
  const state = { running: 0 }

  const stop = async (): Promise<void> => {
    if (!draining.signal.aborted) {
      draining.abort()
      const cancels = [
        clock.after(LEAVING_AFTER_MS, () => leaving.abort()),
        clock.after(LEFT_AFTER_MS, () => finished.resolve({ is: 'cut', running: state.running })),
      ]
      void finished.promise.then(() => cancels.forEach((cancel) => void cancel()))
    }
    await finished.promise
  }
  const leave = (end: WorkerEnd): void => {
    finished.resolve(end)
    draining.abort()
    leaving.abort()
  }
  const polls = Array.from({ length: options.concurrency ?? 1 }, () => poll({ host, options, clock, state, leave }))
  void Promise.all(polls).then(() => leave({ is: 'stopped' }))
  return { stop, finished: finished.promise }
}

interface Poll {
  readonly host: Host
  readonly options: WorkerOptions
  readonly clock: Clock
  readonly state: { running: number }
  readonly leave: (end: WorkerEnd) => void
}

/** Receives and runs, one batch after another. Never rejects. */
async function poll({ host, options, clock, state, leave }: Poll): Promise<void> {
  const { queue, logger, shutdown } = host
  const { draining } = shutdown
  let failuresInARow = 0
  let attempt = randomUUID()
  while (!draining.aborted) {
    const messages = await receive(host, options, attempt)
    if (messages) attempt = randomUUID()
    if (draining.aborted) {
      await giveBack(queue, named(messages ?? []), logger)
      return
    }
    let failed = messages === undefined
    if (messages && messages.length > 0) {
      state.running += 1
      const end: InvocationEnd = await invoke(host, messages)
      state.running -= 1
      if (end.is === 'overrun') {
        logger.error('a handler still runs after its timeout: the process has to exit', { ...end })
        leave(end)
        return
      }
      // Lambda, too, slows its poller down when invocations fail, and only then (F62).
      failed = end.is === 'failed'
    }
    failuresInARow = failed ? failuresInARow + 1 : 0
    if (failed) await pause(failuresInARow, options.random ?? Math.random, clock, draining)
  }
}

/** `undefined`: the call failed. */
async function receive(host: Host, options: WorkerOptions, attempt: string): Promise<ReceivedMessage[] | undefined> {
  const { waitSeconds = 20, batchSize = 10 } = options
  // A running receive is not aborted when the worker stops: SQS goes on with it all the same, and hides the next message for
  // nobody, a whole visibility timeout long. It ends by itself, and what it brings is given back.
  const hung = new AbortController()
  const cancel = host.clock.after(waitSeconds * 1000 + RECEIVE_GRACE_MS, () => hung.abort(new Error('no answer to the receive')))
  try {
    const signal = AbortSignal.any([hung.signal, host.shutdown.leaving])
    return await host.queue.receive({ limit: batchSize, waitSeconds, attempt, signal })
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error))
    host.logger.error('could not receive: trying again', { error: message, errorName: name })
    return undefined
  } finally {
    cancel()
  }
}

function named(messages: readonly ReceivedMessage[]): { messageId: string; receiptHandle: string }[] {
  return messages.map(({ MessageId = '', ReceiptHandle = '' }) => ({ messageId: MessageId, receiptHandle: ReceiptHandle }))
}

async function pause(failures: number, random: Random, clock: Clock, signal: AbortSignal): Promise<void> {
  const longest = Math.min(PAUSE_CAP_MS, PAUSE_BASE_MS * 2 ** (failures - 1))
  await new Promise<void>((resolve) => {
    const wake = (): void => {
      cancel()
      signal.removeEventListener('abort', wake)
      resolve()
    }
    const cancel = clock.after(longest * (1 - random() / 2), wake)
    if (signal.aborted) wake()
    else signal.addEventListener('abort', wake)
  })
}
