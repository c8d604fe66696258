/** Keeps the messages of a running batch hidden, each for as long as its fate is open. */
import type { SourceQueue } from '../aws/sqs-receive.ts'
import type { Clock, Logger } from '../flow/ports.ts'

/** A message that is kept hidden. */
export interface HiddenMessage {
  readonly messageId: string
  readonly receiptHandle: string
}

/** The heartbeat of one batch. */
export interface Heartbeat {
  /**
   * Leaves a message alone from now on. Resolves once no request that names it is under way any more: whoever awaits it may
   * set a visibility timeout without it being overwritten by a late heartbeat.
   */
  settle(messageId: string): Promise<void>
  /** False once somebody settled the message. */
  isOpen(messageId: string): boolean
  /** Leaves all of them alone. Resolves once no request is under way. */
  stop(): Promise<void>
}

/** SQS hides a message for at most 12 hours from its receive, however often that is extended; a request beyond is an error (F9). */
export const LONGEST_HIDDEN_SECONDS = 43_200

/** Seconds kept clear of the 12 hours: our clock starts when the answer arrived, the one of SQS before that. */
const MARGIN_SECONDS = 10

/** Refusals after which asking again is of no use: the message is gone, or somebody else's (F21). */
const GIVE_UP = /InvalidParameterValue|ReceiptHandleIsInvalid|MessageNotInflight/

/** What a heartbeat needs of its worker. */
interface Beating {
  readonly messages: readonly HiddenMessage[]
  readonly queue: Pick<SourceQueue, 'facts' | 'hide'>
  readonly clock: Clock
  readonly logger: Logger
}

/**
 * Starts a heartbeat: every third of the queue's visibility timeout (at the earliest after half a second), all open messages
 * are hidden for that timeout again, ten a request. So a process that dies gives its messages back within one timeout.
 * A queue with a timeout of 0 hides nothing and gets no heartbeat.
 */
export function startHeartbeat(beating: Beating): Heartbeat {
  const open = new Map(beating.messages.map((message) => [message.receiptHandle, message.messageId]))
  const settled = new Set<string>()
  const keepHidden = hider(beating, open)
  const every = Math.max(500, (beating.queue.facts.visibilityTimeout * 1000) / 3)
  let underWay: { readonly ids: ReadonlySet<string>; readonly call: Promise<void> } | undefined
  let cancel = (): void => {}

  const schedule = (): void => {
    if (beating.queue.facts.visibilityTimeout <= 0 || open.size === 0) return
    cancel = beating.clock.after(every, () => {
      const ids = new Set(open.values())
      underWay = { ids, call: keepHidden().finally(() => (underWay = undefined)) }
      void underWay.call.then(schedule)
    })
  }

  schedule()
  return {
    async settle(messageId) {
      settled.add(messageId)
      for (const [receiptHandle, id] of open) if (id === messageId) open.delete(receiptHandle)
      if (open.size === 0) cancel()
      if (underWay?.ids.has(messageId)) await underWay.call
    },
    isOpen: (messageId) => !settled.has(messageId),
    async stop() {
      open.clear()
      cancel()
      await underWay?.call
    },
  }
}

/** One beat: hides what is open, and gives up what SQS will hide no longer. */
function hider({ queue, clock, logger }: Beating, open: Map<string, string>): () => Promise<void> {
  const receivedAt = clock.now()
  return async () => {
    const left = Math.floor(LONGEST_HIDDEN_SECONDS - MARGIN_SECONDS - (clock.now() - receivedAt) / 1000)
    const seconds = Math.min(queue.facts.visibilityTimeout, left)
    if (seconds <= 0) {
      logger.warn('12 hours since the receive: these messages are not kept hidden any longer', { messageIds: [...open.values()] })
      open.clear()
      return
    }
    const entries = [...open].map(([receiptHandle, messageId]) => ({ receiptHandle, messageId, seconds }))
    const results = await queue.hide(entries)
    for (const [position, result] of results.entries()) {
      const { receiptHandle, messageId } = entries[position]!
      // Of a message that was settled meanwhile a refusal means nothing.
      if (result.is === 'accepted' || !open.has(receiptHandle)) continue
      if (GIVE_UP.test(result.code)) open.delete(receiptHandle)
      const { code, message } = result
      logger.warn('could not keep a message hidden: it may be delivered again while it runs', { messageId, code, message })
    }
  }
}
