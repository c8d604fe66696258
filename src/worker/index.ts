/** `redrive/worker`: run a Lambda handler in a process of your own, and SQS and DynamoDB in this process for tests. */
export type { CreatedQueue } from '../aws/create.ts'
export { type Answer, readAnswer, readAnswerText } from './answer.ts'
export type { WorkerContext } from './context.ts'
export {
  type EmbeddedDynamoDb,
  type EmbeddedSqs,
  type InspectedMessage,
  type QueueContents,
  startEmbeddedDynamoDb,
  startEmbeddedSqs,
} from './embedded.ts'
export { lambdaEvent } from './event.ts'
export type { LambdaHandler } from './invoke.ts'
export { WorkerStartError } from './start-error.ts'
export { startWorker, type Worker, type WorkerEnd } from './worker.ts'
export type { WorkerOptions } from './worker-options.ts'
