import { markClass } from './brand.ts'

/** One thing that is wrong with a message, and where in it. */
export interface Issue {
  readonly path: string
  readonly message: string
}

/** Which of the framework's own checks refused the message. */
export type MessageRule = `message.${string}`

/**
 * The message itself can't be used: not JSON, a wrong envelope, a schema misfit, no key. The framework throws it, never a
 * library: only the place tells whether a SyntaxError or a ZodError is about this message or about some answer.
 */
export class MessageError extends Error {
  static {
    markClass(MessageError, 'MessageError', 'permanent')
  }

  /** The rule in the verdict, such as `message.not-json`. */
  readonly rule: MessageRule
  /** What is wrong, each with its path, where a schema told. */
  declare readonly issues?: readonly Issue[]

  constructor(
    rule: MessageRule,
    message: string,
    options: { readonly cause?: unknown; readonly issues?: readonly Issue[] | undefined } = {},
  ) {
    super(message, options)
    this.rule = rule
    if (options.issues !== undefined) this.issues = options.issues
  }
}
