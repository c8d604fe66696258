import { LARGEST_MESSAGE, letterBytes } from '../flow/letter.ts'
import { onDemand } from '../flow/on-demand.ts'
import type { SdkClient } from '../flow/options.ts'
import type { Clock, EntryResult, Letter, Queue } from '../flow/ports.ts'
import { Gatherer } from './gather.ts'
import { queueUrl } from './queue-url.ts'

/** SQS takes ten entries a request (F2). */
const MOST_ENTRIES = 10

/** What redrive needs to reach SQS. Everything is made when first needed: a batch without failures loads no SDK. */
export interface SqsEnvironment {
  readonly client: SdkClient | undefined
  readonly clock: Clock
  readonly knownQueueUrl: string | undefined
  readonly endpoint: string | undefined
}

type Sdk = typeof import('@aws-sdk/client-sqs')
type Refusal = Extract<EntryResult, { is: 'refused' }>

/** Refusals that have nothing to do with one entry: to ask again for each would only make it worse. */
const HITS_ALL =
  /Throttl|TooManyRequests|OverLimit|AccessDenied|QueueDoesNotExist|NonExistentQueue|Kms|KMS|Token|Signature|Credential|Security|Address/

const ACCEPTED: EntryResult = { is: 'accepted' }
const refused = (code: string, message: string): Refusal => ({ is: 'refused', code, message })

/** SQS for one consumer. `queue(signal)` is SQS for one invocation: its requests end with the signal. */
export class Sqs {
  readonly #environment: SqsEnvironment
  readonly #maximumBytes = new Map<string, number>()
  #loading: Promise<{ sdk: Sdk; client: SdkClient }> | undefined

  constructor(environment: SqsEnvironment) {
    this.#environment = environment
  }

  queue(signal: AbortSignal): Queue {
    const { clock } = this.#environment
    const hiding = byUrl((url) => {
      const send = (entries: readonly HideEntry[]) => this.#hide(url, entries, signal)
      return new Gatherer(clock, { most: MOST_ENTRIES, mostBytes: () => Number.POSITIVE_INFINITY }, send)
    })
    const burying = byUrl((url) => {
      const send = (letters: readonly Letter[]) => this.#bury(url, letters, signal)
      return new Gatherer(clock, { most: MOST_ENTRIES, mostBytes: () => this.#limitOf(url) }, send)
    })
    return {
      hide: async ({ queueArn, ...entry }) => {
        const gatherer = hiding(queueUrl(queueArn, this.#environment.knownQueueUrl, this.#environment.endpoint))
        const result = await gatherer.add(entry)
        // Over the 12 hours since the receive: half is surely nearer (F21a). Other refusals (a stale handle) are final.
        const beyond = result.is === 'refused' && /beyond the limit|Total VisibilityTimeout/i.test(result.message)
        return beyond ? await gatherer.add({ ...entry, seconds: Math.floor(entry.seconds / 2) }) : result
      },
      bury: async ({ queueUrl: url, fit }) => {
        const gatherer = burying(url)
        const limit = this.#limitOf(url)
        const letter = fit(limit)
        const result = await gatherer.add(letter, letterBytes(letter))
        const lower = result.is === 'refused' ? lowerLimit(result, limit) : undefined
        if (lower === undefined) return result
        this.#maximumBytes.set(url, lower)
        const smaller = fit(lower)
        return await gatherer.add(smaller, letterBytes(smaller))
      },
    }
  }

  #limitOf(url: string): number {
    return this.#maximumBytes.get(url) ?? LARGEST_MESSAGE
  }

  async #hide(url: string, entries: readonly HideEntry[], signal: AbortSignal): Promise<EntryResult[]> {
    return await this.#batch(entries, signal, ({ ChangeMessageVisibilityBatchCommand }, batch) => {
      const Entries = batch.map(({ receiptHandle, seconds }, position) => ({
        Id: String(position),
        ReceiptHandle: receiptHandle,
        VisibilityTimeout: seconds,
      }))
      return new ChangeMessageVisibilityBatchCommand({ QueueUrl: url, Entries })
    })
  }

  async #bury(url: string, letters: readonly Letter[], signal: AbortSignal): Promise<EntryResult[]> {
    return await this.#batch(letters, signal, ({ SendMessageBatchCommand }, batch) => {
      return new SendMessageBatchCommand({ QueueUrl: url, Entries: batch.map(sendEntry) })
    })
  }

  async #batch<Entry>(
    entries: readonly Entry[],
    signal: AbortSignal,
    command: (sdk: Sdk, entries: readonly Entry[]) => unknown,
  ): Promise<EntryResult[]> {
    try {
      const { sdk, client } = await this.#loaded()
      const answer = await client.send(command(sdk, entries) as never, { abortSignal: signal })
      return readBatch(answer, entries.length)
    } catch (error) {
      const { name = 'Error', message = String(error), $metadata, $fault } = Object(error)
      // A request that is refused because of one entry must not fail the others: each goes alone, once.
      if (entries.length > 1 && ($metadata?.httpStatusCode === 400 || $fault === 'client') && !HITS_ALL.test(name)) {
        const alone = await Promise.all(entries.map((entry) => this.#batch([entry], signal, command)))
        return alone.flat()
      }
      return entries.map(() => refused(name, message))
    }
  }

  #loaded(): Promise<{ sdk: Sdk; client: SdkClient }> {
    this.#loading ??= this.#load().catch((error: unknown) => {
      this.#loading = undefined
      throw error
    })
    return this.#loading
  }

  async #load(): Promise<{ sdk: Sdk; client: SdkClient }> {
    const sdk = await onDemand(() => import('@aws-sdk/client-sqs'))
    const client =
      this.#environment.client ??
      new sdk.SQSClient({ requestHandler: { connectionTimeout: 1_000, requestTimeout: 5_000, throwOnRequestTimeout: true } })
    return { sdk, client }
  }
}

interface HideEntry {
  readonly receiptHandle: string
  readonly seconds: number
}

function byUrl<G>(make: (url: string) => G): (url: string) => G {
  const made = new Map<string, G>()
  return (url) => {
    const gatherer = made.get(url) ?? make(url)
    made.set(url, gatherer)
    return gatherer
  }
}

const sendEntry = (letter: Letter, position: number) => ({
  // By position: message ids may have characters that an entry id may not (F6, B16).
  Id: String(position),
  MessageBody: letter.body,
  MessageAttributes: { ...letter.attributes },
  ...(letter.groupId !== undefined && { MessageGroupId: letter.groupId }),
  ...(letter.deduplicationId !== undefined && { MessageDeduplicationId: letter.deduplicationId }),
  ...(letter.traceHeader !== undefined && {
    MessageSystemAttributes: { AWSTraceHeader: { DataType: 'String', StringValue: letter.traceHeader } },
  }),
})

interface BatchAnswer {
  readonly Successful?: readonly { readonly Id?: string }[]
  readonly Failed?: readonly { readonly Id?: string; readonly Code?: string; readonly Message?: string }[]
}

/** HTTP 200 says nothing of the entries: only what is in `Successful` was done (F22). */
function readBatch(answer: unknown, entries: number): EntryResult[] {
  const { Successful = [], Failed = [] } = Object(answer) as BatchAnswer
  const accepted = new Set(Successful.map(({ Id }) => Id))
  const failed = new Map(Failed.map((entry) => [entry.Id, entry]))
  return Array.from({ length: entries }, (_, position) => {
    const id = String(position)
    const failure = failed.get(id)
    if (failure !== undefined) return refused(failure.Code ?? 'Failed', failure.Message ?? 'SQS named no reason.')
    return accepted.has(id) ? ACCEPTED : refused('NotNamed', "SQS's answer names this entry neither as done nor as failed.")
  })
}

/** A queue with a lower limit for its messages says so when it refuses one. */
function lowerLimit({ message }: Refusal, current: number): number | undefined {
  const said = /(?:shorter|longer) than (\d+) bytes/i.exec(message)?.[1]
  if (said === undefined) return undefined
  const limit = Number(said)
  return limit < current ? limit : undefined
}
