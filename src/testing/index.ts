import { type Controls, controls } from '../flow/controls.ts'
import type { Options } from '../flow/options.ts'
import type { Schema } from '../flow/schema.ts'

export type { Controls } from '../flow/controls.ts'
export type { Clock, EntryResult, Letter, LetterAttribute, Queue, Random } from '../flow/ports.ts'
export { type VirtualClock, virtualClock } from './clock.ts'
export { lambdaContext, type RecordParts, sqsEvent, sqsRecord } from './event.ts'
export { type RecordedQueue, recordedQueue } from './queue.ts'
export { seededRandom } from './random.ts'

/** The same options, with clock, chance or SQS replaced: for tests of a consumer. */
export function controlled<S extends Schema | undefined = undefined, B extends 'json' | 'text' = 'json', R = unknown>(
  options: Options<S, B, R>,
  replaced: Controls,
): Options<S, B, R> {
  return Object.assign({ ...options }, { [controls]: replaced })
}
