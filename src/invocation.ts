import { setMaxListeners } from 'node:events'
import type { Settled } from './decision.ts'
import { traceId } from './environment.ts'
import { recordsOf } from './flow/check-event.ts'
import { type Deadline, deadlineOf, StartGate } from './flow/deadline.ts'
import { fateDecided, type HostContext, shutdownSignal } from './flow/event.ts'
import type { Scene } from './flow/evidence.ts'
import { type ReceivedMessage, receive } from './flow/message.ts'
import { Slots } from './flow/order.ts'
import type { Log, Queue } from './flow/ports.ts'
import type { Waiting } from './flow/too-old.ts'
import { withFields } from './logger.ts'
import { embeddedMetrics, type SafeMetrics, safely } from './metrics.ts'
import type { Setup } from './setup.ts'
import { withinTime } from './within-time.ts'

/** One invocation: its messages, its times, and what its messages share. */
export interface Invocation {
  readonly setup: Setup
  readonly messages: readonly ReceivedMessage[]
  readonly deadline: Deadline
  /** Aborts at the deadline; handlers get it. */
  readonly signal: AbortSignal
  /** Resolves at the deadline. */
  readonly over: Promise<'over'>
  readonly gate: StartGate
  readonly slots: Slots
  readonly queue: Queue
  readonly consumer: string
  readonly scene: Scene
  readonly logger: Log
  readonly metrics: SafeMetrics
  /** The message that came last with a key, so that equal keys run one after another. */
  readonly lastOfKey: Map<string, Twin>
  /** Aborts when the answer leaves: requests of the effects get it. */
  readonly answered: AbortSignal
  /** Time and chance as of now. */
  waiting(): Waiting
  /** Tells a host that keeps messages invisible to leave this one alone, and waits until it does. */
  fateDecided(message: ReceivedMessage): Promise<void>
  /** Work that the answer waits for; it must not reject (see beside.ts). */
  alsoAwait(work: Promise<unknown>): void
  /** Waits for the work and all that was added to it, but not beyond the last moment for an answer; then metrics leave. */
  untilAnswer(work: Promise<unknown>): Promise<void>
}

/** A message as the next one with the same key needs to know it. */
export interface Twin {
  readonly settled: Promise<Settled>
  readonly fingerprint: string
  readonly messageId: string
}

/** Throws a NotAnSqsEventError for any other event. */
export function openInvocation(event: unknown, context: HostContext | undefined, setup: Setup): Invocation {
  const { clock, options } = setup
  const startedAt = clock.now()
  const messages = recordsOf(event).map((record) => receive(record, startedAt))
  const deadline = deadlineOf(startedAt, context?.getRemainingTimeInMillis?.())
  const consumer = setup.nameOf(messages[0]?.record.eventSourceARN ?? '')
  const answering = new AbortController()
  setMaxListeners(0, answering.signal)
  const logger = withFields(setup.logger, { consumer, requestId: context?.awsRequestId })
  const also: Promise<unknown>[] = []
  const metrics = safely(options.metrics === false ? undefined : (options.metrics ?? embeddedMetrics(consumer, clock)))
  const { signal, over, stop } = runOut(setup, deadline, context)
  const gate = new StartGate(deadline, clock)
  const forgetDraining = whenAborted(context?.[shutdownSignal]?.draining, () => gate.close())
  return {
    setup,
    messages,
    deadline,
    signal,
    over,
    gate,
    slots: new Slots(setup.concurrency),
    queue: setup.openQueue(answering.signal),
    consumer,
    scene: { consumer, functionVersion: context?.functionVersion, requestId: context?.awsRequestId, traceId: traceId() },
    logger,
    metrics,
    lastOfKey: new Map(),
    answered: answering.signal,
    waiting: () => ({ maxAge: setup.maxAge, now: clock.now(), random: setup.random }),
    fateDecided: async (message) => await context?.[fateDecided]?.(message.record.messageId),
    alsoAwait: (work) => void also.push(work),
    untilAnswer: async (work) => {
      await withinTime(
        clock,
        deadline.answerBy,
        work.then(() => Promise.all(also)),
      ).catch(() => {})
      stop()
      forgetDraining()
      answering.abort()
      await withinTime(clock, deadline.flushBy, metrics.flush()).catch(() => {})
    },
  }
}

/** The deadline as a signal and a promise. A host that must leave brings it forward. */
function runOut(setup: Setup, deadline: Deadline, context: HostContext | undefined) {
  const { clock } = setup
  const controller = new AbortController()
  // Fifty handlers that each hand the signal to their own requests are no leak.
  setMaxListeners(0, controller.signal)
  let resolve: (word: 'over') => void = () => {}
  const over = new Promise<'over'>((settle) => {
    resolve = settle
  })
  const end = (): void => {
    controller.abort(new DOMException('The invocation is at its deadline.', 'TimeoutError'))
    resolve('over')
  }
  const cancel = clock.after(deadline.at - clock.now(), end)
  const forget = whenAborted(context?.[shutdownSignal]?.leaving, end)
  const stop = (): void => {
    cancel()
    forget()
  }
  return { signal: controller.signal, over, stop }
}

/** Returns what forgets the task: a host's signals live longer than an invocation. */
function whenAborted(signal: AbortSignal | undefined, task: () => void): () => void {
  if (signal?.aborted) task()
  else signal?.addEventListener('abort', task, { once: true })
  return () => signal?.removeEventListener('abort', task)
}
