import middy from '@middy/core'
import { consume } from './consumer.ts'
import { recordsOf } from './flow/check-event.ts'
import { OptionsError } from './flow/check-options.ts'
import { setupKey } from './flow/controls.ts'
import type { HostContext, LambdaContext, SqsBatchResponse, SqsEvent } from './flow/event.ts'
import type { Handler } from './flow/message.ts'
import type { Options } from './flow/options.ts'
import type { Payload, Schema } from './flow/schema.ts'
import { setUp } from './setup.ts'

/**
 * The base handler of a chain with `redrive()`. It checks its event itself, so it fits a chain of any event type. Two parameters,
 * as Node 24 demands of a Lambda handler (F72).
 */
export type EachMessageHandler = (event: unknown, context: unknown) => Promise<SqsBatchResponse>

/** What redrive reads and writes of Middy's request. */
export interface MiddlewareRequest {
  event: unknown
  context: unknown
  response?: unknown
}

/** A middleware, as Middy takes it. */
export interface Middleware {
  before?: (request: never) => unknown
  after?: (request: never) => unknown
  onError?: (request: never) => unknown
}

/** redrive's own Middy middleware, and the handler that goes with it. */
export interface RedriveMiddleware<P> {
  /** For `redrive doctor`. */
  readonly [setupKey]: unknown
  before: (request: MiddlewareRequest) => void
  after: (request: MiddlewareRequest) => void
  /**
   * Makes the base handler: `handler` runs once a message. It works in a chain that has this very `redrive()` alone, and rejects
   * in any other.
   */
  eachMessage(handler: Handler<P>): EachMessageHandler
}

/** A Lambda handler for an SQS event source mapping with ReportBatchItemFailures, to which more Middy middlewares can be added. */
export interface SqsHandler {
  (event: SqsEvent, context: LambdaContext): Promise<SqsBatchResponse>
  /** Adds a Middy middleware, Powertools' ones too. Returns the same handler. */
  use(middleware: Middleware | readonly Middleware[]): SqsHandler
}

/**
 * A Middy middleware that makes an SQS consumer of a chain, with `eachMessage` for the handler's part.
 *
 * Throws an OptionsError for an option that is unknown, not yet there, or has no sense, by its name.
 */
export function redrive<S extends Schema | undefined = undefined, B extends 'json' | 'text' = 'json', R = unknown>(
  options: Options<S, B, R> = {},
): RedriveMiddleware<Payload<S, B, R>> {
  const setup = setUp(options)
  const opened = new WeakSet<object>()
  const answers = new WeakSet<object>()

  return {
    [setupKey]: setup,
    before: function redriveBefore({ event, context }) {
      recordsOf(event)
      opened.add(context as object)
    },
    after: function redriveAfter({ response }) {
      if (!answers.has(Object(response))) throw new TypeError(foreignResponse(response))
    },
    eachMessage: (handler) => {
      checkHandler(handler)
      return async (event, context) => {
        if (!opened.delete(Object(context))) throw new TypeError(NOT_IN_CHAIN)
        const answer = await consume(event, context as HostContext, handler as Handler, setup)
        answers.add(answer)
        return answer
      }
    },
  }
}

/**
 * A whole SQS consumer for Lambda: decodes, validates, runs `handler` once a message, decides what each failure is worth, and
 * answers with the partial batch response. The same as `middy().use(redrive(options)).handler(…eachMessage(handler))`, with
 * Middy's early timeout off: redrive keeps its own deadline.
 *
 * Throws an OptionsError when the module loads and an option, an environment variable or the handler is wrong. The invocation
 * rejects for an event that is not SQS's; messages that fail never make it reject.
 */
export function consumer<S extends Schema | undefined = undefined, B extends 'json' | 'text' = 'json', R = unknown>(
  options: Options<S, B, R>,
  handler: Handler<NoInfer<Payload<S, B, R>>>,
): SqsHandler {
  const middleware = redrive(options)
  const chain = middy({ timeoutEarlyInMillis: 0 })
    .use(middleware)
    .handler(middleware.eachMessage(handler as Handler<Payload<S, B, R>>) as never)
  const invoke = (event: SqsEvent, context: LambdaContext): Promise<SqsBatchResponse> => chain(event, context as never)
  const use = (added: Middleware | readonly Middleware[]): SqsHandler => {
    chain.use(added as never)
    return consumer
  }
  const consumer: SqsHandler = Object.assign(invoke, { use, [setupKey]: middleware[setupKey] })
  return consumer
}

const NOT_IN_CHAIN =
  'redrive: this eachMessage handler is in a chain without its own redrive middleware, so nothing was handled: add .use(orders) before .handler(orders.eachMessage(…)).'

function foreignResponse(response: unknown): string {
  const what = Array.isArray(response) ? 'a list' : response === null ? 'null' : typeof response
  return (
    `redrive: the chain answered with ${what} that is not redrive's own. Lambda could read it as "all done", so the invocation ` +
    'fails and every message comes again. Make the handler with eachMessage(…), and let no other middleware replace its answer.'
  )
}

function checkHandler(handler: unknown): void {
  if (typeof handler === 'function' && handler.length <= 2) return
  const what = typeof handler === 'function' ? 'one with a callback: return a promise instead' : typeof handler
  throw new OptionsError(`redrive: the handler must be a function (payload, message), not ${what}.`)
}
