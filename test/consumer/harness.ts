/** What every test of a consumer needs: the consumer on a clock that stands still, with what it sends, logs and counts written down. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { HostContext } from '../../src/flow/event.ts'
import type { Evidence } from '../../src/flow/evidence.ts'
import type { AnyOptions, SdkClient } from '../../src/flow/options.ts'
import { consumer, type Handler, type LeaseRecord, type Logger, memoryStore, type SqsEvent } from '../../src/index.ts'
import {
  type Controls,
  controlled,
  type Letter,
  lambdaContext,
  type RecordedQueue,
  type RecordParts,
  recordedQueue,
  sqsEvent,
  type VirtualClock,
  virtualClock,
} from '../../src/testing/index.ts'

export const DLQ = 'https://sqs.eu-central-1.amazonaws.com/111122223333/orders-dlq'

export interface LogLine {
  readonly level: keyof Logger
  readonly message: string
  readonly fields: Record<string, unknown>
}

export interface Bench {
  readonly clock: VirtualClock
  readonly queue: RecordedQueue
  /** The idempotency records, by namespaced key. */
  readonly records: Map<string, LeaseRecord>
  readonly lines: LogLine[]
  readonly counts: Record<string, number>
  readonly measured: { readonly name: string; readonly value: number; readonly unit: string }[]
  /** The ids of the messages that ran, in order. */
  readonly ran: string[]
  /** Invokes with these messages (a text is a message id) or this event; gives the ids in the answer. */
  invoke(event: readonly (RecordParts | string)[] | SqsEvent, context?: HostContext): Promise<string[]>
  /** The one record, where there is one key. */
  record(): LeaseRecord
  /** Id and seconds of each visibility timeout, in order. */
  hidden(): [string, number][]
}

export interface World extends Omit<Controls, 'queue' | 'clock'> {
  readonly queue?: RecordedQueue
  /** An SDK client, called through redrive's own SQS code; then `queue` stays empty. */
  readonly sqs?: SdkClient
  /** @default 30_000 */
  readonly remainingMs?: number
}

/**
 * A consumer with a memory store and a dead-letter queue. Chance is 0.5: delays without jitter, fractions rounded down. An
 * option given as `undefined` takes the default away.
 */
export function bench(handler: Handler, options: AnyOptions = {}, world: World = {}): Bench {
  const clock = virtualClock()
  const queue = world.queue ?? recordedQueue()
  const records = new Map<string, LeaseRecord>()
  const lines: LogLine[] = []
  const counts: Record<string, number> = {}
  const measured: Bench['measured'] = []
  const ran: string[] = []
  const line =
    (level: keyof Logger) =>
    (message: string, fields: Record<string, unknown> = {}) =>
      void lines.push({ level, message, fields })
  const count = (name: string, value: number) => {
    // A zero only keeps a series going; what happened is what counts here.
    if (value !== 0) counts[name] = (counts[name] ?? 0) + value
  }
  const measure = (name: string, value: number, unit: string) => void measured.push({ name, value, unit })
  const defaults: AnyOptions = {
    partialBatch: true,
    deadLetterQueue: DLQ,
    store: memoryStore({ records }),
    logger: { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') },
    metrics: { count, measure },
  }
  const handle = consumer(
    controlled(
      { ...defaults, ...(world.sqs && { clients: { sqs: world.sqs } }), ...options },
      { clock, random: world.random ?? (() => 0.5), ...(world.sqs === undefined && { queue }) },
    ),
    (payload: unknown, message: Parameters<Handler>[1]) => {
      ran.push(message.record.messageId)
      return handler(payload, message)
    },
  )
  return {
    clock,
    queue,
    records,
    lines,
    counts,
    measured,
    ran,
    invoke: async (event, context = lambdaContext(world.remainingMs, clock)) => {
      const answer = await clock.until(handle('Records' in event ? event : messages(event), context))
      assert.deepEqual(Object.keys(answer), ['batchItemFailures'])
      return answer.batchItemFailures.map((failure) => {
        assert.deepEqual(Object.keys(failure), ['itemIdentifier'])
        return failure.itemIdentifier
      })
    },
    record: () => {
      assert.equal(records.size, 1)
      return [...records.values()][0] as LeaseRecord
    },
    hidden: () =>
      queue.hidden.map(({ receiptHandle, seconds }) => [receiptHandle.replace(/^handle-of-(.*)-\d+$/, '$1'), seconds]),
  }
}

/** An event with these messages; a text is a message id. */
export const messages = (list: readonly (RecordParts | string)[]): SqsEvent =>
  sqsEvent(list.map((part) => (typeof part === 'string' ? { messageId: part } : part)))

/** What the handler does for each message id; the others are done. */
export const byId =
  (script: Record<string, (message: Parameters<Handler>[1]) => unknown>): Handler =>
  (_payload, message) =>
    script[message.record.messageId]?.(message)

export const throwing =
  (error: unknown): (() => never) =>
  () => {
    throw error
  }

/** A handler that never settles. */
export const hang = (): Promise<never> => new Promise(() => {})

/** The evidence of a letter. */
export const evidenceOf = (letter: Letter | undefined): Evidence => JSON.parse(letter?.attributes['redrive']?.StringValue ?? '')

/** The input of a case from the field (the cases are named in the tests' titles). */
export const caseInput = <T>(name: string): T =>
  JSON.parse(readFileSync(new URL(`../fixtures/cases/${name}.json`, import.meta.url), 'utf8')) as T
