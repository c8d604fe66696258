import type { ReceivedMessage, SqsSender } from '../../../src/aws/sqs-receive.ts'
import type { Logger } from '../../../src/flow/ports.ts'

type Input = Record<string, unknown> & { readonly Entries?: readonly Record<string, unknown>[] }

/** One call that the worker made: the command's name without `Command`, and its input. */
export interface Call {
  readonly name: string
  readonly input: Input
}

/** A queue that gives out what a test puts in, and remembers all that it was asked. */
export interface StubSqs extends SqsSender {
  readonly calls: readonly Call[]
  /** The next receive that waits (or comes) gets these. */
  give(messages: readonly ReceivedMessage[] | Error): void
  /** Inputs of the calls of one name, e.g. `DeleteMessageBatch`. */
  inputs(name: string): Input[]
  /** `[messageId, seconds]` of every visibility change, in order. */
  hidden(): [string, number][]
  /** Message ids of every deletion, in order. */
  deleted(): string[]
  /** Resolves once the command has been called so often. */
  called(name: string, times?: number): Promise<void>
  /** Answers commands of that name from now on, instead of accepting all. */
  answer(name: string, answer: (input: Input) => unknown): void
}

const ARN = 'arn:aws:sqs:eu-west-1:123456789012:orders'

export function stubSqs(options: { readonly visibilityTimeout?: number; readonly arn?: string } = {}): StubSqs {
  const calls: Call[] = []
  const answers = new Map<string, (input: Input) => unknown>()
  const given: (readonly ReceivedMessage[] | Error)[] = []
  let waiting: (() => void)[] = []
  let watchers: (() => void)[] = []

  const receive = async (signal: AbortSignal | undefined): Promise<unknown> => {
    while (given.length === 0) {
      await new Promise<void>((resolve, reject) => {
        waiting.push(resolve)
        signal?.addEventListener('abort', () => reject(signal.reason))
      })
    }
    const next = given.shift()!
    if (next instanceof Error) throw next
    return { Messages: next }
  }

  const entriesOf = (name: string) => stub.inputs(name).flatMap(({ Entries = [] }) => Entries)

  const stub: StubSqs = {
    calls,
    async send(command: never, sending) {
      const { input } = command as { input: Input }
      const name = (command as object).constructor.name.replace(/Command$/, '')
      calls.push({ name, input })
      for (const watcher of watchers) watcher()
      const answer = answers.get(name)
      if (answer) return answer(input)
      if (name === 'GetQueueAttributes') {
        return { Attributes: { QueueArn: options.arn ?? ARN, VisibilityTimeout: String(options.visibilityTimeout ?? 30) } }
      }
      if (name === 'ReceiveMessage') return receive(sending?.abortSignal)
      return { Successful: (input.Entries ?? []).map(({ Id }) => ({ Id })), Failed: [] }
    },
    give(messages) {
      given.push(messages)
      const wake = waiting
      waiting = []
      for (const resolve of wake) resolve()
    },
    inputs: (name) => calls.filter((call) => call.name === name).map(({ input }) => input),
    hidden: () => entriesOf('ChangeMessageVisibilityBatch').map((entry) => [idOf(entry), Number(entry['VisibilityTimeout'])]),
    deleted: () => entriesOf('DeleteMessageBatch').map(idOf),
    called: (name, times = 1) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (stub.inputs(name).length < times) return
          watchers = watchers.filter((watcher) => watcher !== check)
          resolve()
        }
        watchers.push(check)
        check()
      }),
    answer: (name, answer) => void answers.set(name, answer),
  }
  return stub
}

const idOf = (entry: Readonly<Record<string, unknown>>): string => String(entry['ReceiptHandle']).replace('handle of ', '')

export const queueUrl = 'https://sqs.eu-west-1.amazonaws.com/123456789012/orders'

export function messages(...ids: string[]): ReceivedMessage[] {
  return ids.map((id) => ({
    MessageId: id,
    ReceiptHandle: `handle of ${id}`,
    Body: `body of ${id}`,
    MD5OfBody: '',
    Attributes: { ApproximateReceiveCount: '1' } as Record<string, string>,
  }))
}

export interface StubLogger extends Logger {
  readonly lines: readonly { readonly level: string; readonly message: string; readonly fields: Record<string, unknown> }[]
}

export function stubLogger(): StubLogger {
  const lines: { level: string; message: string; fields: Record<string, unknown> }[] = []
  const at =
    (level: string) =>
    (message: string, fields: Record<string, unknown> = {}): void =>
      void lines.push({ level, message, fields })
  return { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}
