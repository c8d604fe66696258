/** An SDK client that writes its commands down and answers as SQS would, or as a test says. */
import type { SdkClient } from '../../src/flow/options.ts'

export interface Entry {
  readonly Id: string
  readonly ReceiptHandle?: string
  readonly VisibilityTimeout?: number
  readonly MessageBody?: string
  readonly MessageAttributes?: Record<string, { DataType?: string; StringValue?: string; BinaryValue?: Uint8Array }>
  readonly MessageGroupId?: string
  readonly MessageDeduplicationId?: string
  readonly MessageSystemAttributes?: unknown
}

export interface Request {
  readonly name: string
  readonly queueUrl: string
  readonly entries: readonly Entry[]
}

export interface StubSqs extends SdkClient {
  readonly requests: Request[]
  of(action: 'hide' | 'bury'): Request[]
}

const NAMES = { hide: 'ChangeMessageVisibilityBatchCommand', bury: 'SendMessageBatchCommand' }

/** All of it done. */
export const accepted = ({ entries }: Request) => ({ Successful: entries.map(({ Id }) => ({ Id })), Failed: [] })

/** These entries refused, the others done. */
export const failing = (request: Request, which: (entry: Entry) => boolean, Code: string, Message = 'no') => ({
  Successful: request.entries.filter((entry) => !which(entry)).map(({ Id }) => ({ Id })),
  Failed: request.entries.filter(which).map(({ Id }) => ({ Id, SenderFault: true, Code, Message })),
})

/** An error as the SDK throws it. */
export const sdkError = (name: string, message: string, more: object = {}) =>
  Object.assign(new Error(message), { name, $fault: 'client', $metadata: { httpStatusCode: 400 }, ...more })

export function stubSqs(answer: (request: Request) => unknown = accepted): StubSqs {
  const requests: Request[] = []
  return {
    requests,
    of: (action) => requests.filter(({ name }) => name === NAMES[action]),
    send: async (command: { readonly input: { QueueUrl: string; Entries: Entry[] } }) => {
      const request = { name: command.constructor.name, queueUrl: command.input.QueueUrl, entries: command.input.Entries }
      requests.push(request)
      return await answer(request)
    },
  }
}
