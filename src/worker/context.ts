/** Lambda's context object, as a worker fills it. */
import { fateDecided, type HostContext, type Shutdown, shutdownSignal } from '../flow/event.ts'
import type { Clock } from '../flow/ports.ts'

/** The fields that every Lambda context has and that middleware reads, beside what redrive needs. */
export interface WorkerContext extends HostContext {
  readonly callbackWaitsForEmptyEventLoop: boolean
  readonly awsRequestId: string
  readonly functionName: string
  readonly functionVersion: string
  readonly invokedFunctionArn: string
  readonly memoryLimitInMB: string
  readonly logGroupName: string
  readonly logStreamName: string
  /** Milliseconds until the worker's timeout; negative once it is over, as on Lambda. */
  getRemainingTimeInMillis(): number
}

/** Makes the context of one invocation. `deadline` is in epoch milliseconds. */
export function workerContext(options: {
  readonly requestId: string
  readonly functionName: string
  readonly queueArn: string
  readonly deadline: number
  readonly clock: Clock
  readonly onFate: (messageId: string) => Promise<void>
  readonly shutdown: Shutdown
}): WorkerContext {
  const [, partition, , region, account] = options.queueArn.split(':')
  return {
    callbackWaitsForEmptyEventLoop: true,
    awsRequestId: options.requestId,
    functionName: options.functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:${partition}:lambda:${region}:${account}:function:${options.functionName}`,
    memoryLimitInMB: '0',
    logGroupName: `/redrive/worker/${options.functionName}`,
    logStreamName: String(process.pid),
    getRemainingTimeInMillis: () => options.deadline - options.clock.now(),
    [fateDecided]: options.onFate,
    [shutdownSignal]: options.shutdown,
  }
}
