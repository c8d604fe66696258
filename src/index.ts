export { classify } from './errors/classify.ts'
export { PermanentError, RetryableError } from './errors/errors.ts'
export type { Matcher } from './errors/matcher.ts'
export type { Verdict, VerdictName } from './errors/verdict.ts'
export { permanent, retryable } from './errors/wrappers.ts'
export { type Backoff, exponential, type Jitter, schedule } from './flow/backoff.ts'
export { NotAnSqsEventError } from './flow/check-event.ts'
export { OptionsError } from './flow/check-options.ts'
export type { DeadReason } from './flow/decide.ts'
export type {
  LambdaContext,
  SqsBatchResponse,
  SqsEvent,
  SqsMessageAttribute,
  SqsRecord,
  SqsRecordAttributes,
} from './flow/event.ts'
export type { Evidence } from './flow/evidence.ts'
export type { Key } from './flow/key.ts'
export type { DecodedMessage, Handler, Message, ReceivedMessage } from './flow/message.ts'
export type { ClassifyAnswer, DeadMessage, FailedMessage, Options, SdkClient, StoreMaker } from './flow/options.ts'
export type { BeginRequest, BeginResult, EndRequest, EndResult, IdempotencyStore, Log, Logger, Metrics } from './flow/ports.ts'
export type { HistoryNote, LeaseRecord, LeaseState } from './flow/record.ts'
export type { Payload, Schema } from './flow/schema.ts'
export { type MemoryStoreOptions, memoryStore } from './memory-store.ts'
export {
  consumer,
  type EachMessageHandler,
  type Middleware,
  type RedriveMiddleware,
  redrive,
  type SqsHandler,
} from './middleware.ts'
export { dynamoStore } from './stores.ts'
