/** What things are called, and how the rest of a template speaks of them. */
import type { ConsumerOptions, ServiceOptions, Value } from './options.ts'
import { attribute, joined, queueNameOf, queueUrlOf, REGION, ref, regionOf, tableNameOf } from './values.ts'

/** Logical ids of what all consumers share. */
export const TABLE = 'RedriveTable'
export const TOPIC = 'RedriveAlarmTopic'
export const SUBSCRIPTION = 'RedriveAlarmEmail'
export const DASHBOARD = 'RedriveDashboard'

/** A queue as the rest of the template needs it. */
export interface QueueNames {
  /** Of a queue that is made. */
  readonly logicalId?: string
  readonly arn: Value
  readonly name: Value
  readonly url: Value
  readonly region: Value
}

/** Whether the consumer's queues are FIFO queues. */
export function isFifo({ fifo, queue }: ConsumerOptions): boolean {
  if (fifo !== undefined) return fifo
  const name = 'make' in queue ? queue.make : queue.arn
  return typeof name === 'string' && name.endsWith('.fifo')
}

const FIFO = '.fifo'
const plain = (name: string): string => (name.endsWith(FIFO) ? name.slice(0, -FIFO.length) : name)

/** The name of a queue that is made. */
export function madeName(make: string, fifo: boolean): string {
  return fifo ? `${plain(make)}${FIFO}` : make
}

/** The consumer's queue. */
export function queueOf(consumer: ConsumerOptions): QueueNames {
  const { queue, logicalName } = consumer
  if ('arn' in queue) return theirs(queue.arn)
  return made(`${logicalName}Queue`, madeName(queue.make, isFifo(consumer)))
}

/** Where its dead messages go. */
export function deadLetterQueueOf(consumer: ConsumerOptions): QueueNames {
  if (consumer.deadLetterQueue !== undefined) return theirs(consumer.deadLetterQueue.arn)
  return made(`${consumer.logicalName}DeadLetterQueue`, deadLetterQueueName(queueOf(consumer).name, isFifo(consumer)))
}

function made(logicalId: string, name: Value): QueueNames {
  return { logicalId, arn: attribute(logicalId, 'Arn'), name, url: ref(logicalId), region: REGION }
}

function theirs(arn: Value): QueueNames {
  return { arn, name: queueNameOf(arn), url: queueUrlOf(arn), region: regionOf(arn) }
}

function deadLetterQueueName(queue: Value, fifo: boolean): Value {
  if (typeof queue === 'string') return `${plain(queue)}-dlq${fifo ? FIFO : ''}`
  if (!fifo) return joined(queue, '-dlq')
  return joined({ 'Fn::Select': [0, { 'Fn::Split': [FIFO, queue] }] }, `-dlq${FIFO}`)
}

/** The idempotency table, if there is one. */
export function tableOf({ table }: ServiceOptions): { readonly arn: Value; readonly name: Value } | undefined {
  if (table === false) return undefined
  if (table !== undefined) return { arn: table.arn, name: tableNameOf(table.arn) }
  return { arn: attribute(TABLE, 'Arn'), name: ref(TABLE) }
}

/** The dimension of the consumer's own metrics: its `name`, else its queue's, as the runtime has it. */
export const dimensionOf = (consumer: ConsumerOptions): Value => consumer.name ?? queueOf(consumer).name

/** What people call the consumer, in names of alarms and on the dashboard. */
export function labelOf(consumer: ConsumerOptions): string {
  const name = dimensionOf(consumer)
  return typeof name === 'string' ? name : consumer.logicalName
}

/** In front of all names that are for people, e.g. `shop-prod`. */
export const prefixOf = ({ service, stage }: ServiceOptions): string => `${service}-${stage}`
