import type { Decision, Leased, Settled } from './decision.ts'
import type { EndRequest, EndResult, IdempotencyStore } from './flow/ports.ts'
import type { Invocation } from './invocation.ts'
import { sayLeaseLost, sayStoreFailed } from './trouble.ts'
import { withinTime } from './within-time.ts'

/** How long a record lives: the longest retention of a queue and of its dead-letter queue, and a margin. In seconds. */
const KEEP_RECORD = 30 * 86_400

/** The times that each write of a record carries. */
export const recordTimes = ({ setup: { clock } }: Invocation): { now: number; expiresAt: number } => {
  const now = clock.now()
  return { now, expiresAt: Math.ceil(now / 1000) + KEEP_RECORD }
}

/** What an owner's write says, without what each of them says. */
export type End = EndRequest extends infer Each
  ? Each extends EndRequest
    ? Omit<Each, 'record' | 'now' | 'expiresAt'>
    : never
  : never

/**
 * The owner's write, where there is a record of ours. `undefined`: it is stored, or out of reach. A lost lease is neither:
 * another run owns the record by now, what it says holds, and the old receipt handle sets no visibility any more.
 */
export async function endRun(end: End, { record, message }: Decision, invocation: Invocation): Promise<Settled | undefined> {
  if (record === undefined) return undefined
  const ended = await write({ record, ...recordTimes(invocation), ...end } as EndRequest, invocation)
  if (ended.is === 'stored') return undefined
  if (ended.is === 'unreachable') sayStoreFailed(end.to, message, ended.error, invocation)
  if (ended.is === 'unreachable' || end.to === 'delivered') return undefined
  // Our own handler resolved after it was cut, and its completion was stored before the cut could be.
  if (ended.seen?.run === record.run && ended.seen.state === 'done') return { outcome: { is: 'done' }, stays: false }
  sayLeaseLost(message, invocation)
  if (ended.seen?.state === 'done') return { outcome: { is: 'duplicate' }, stays: false }
  await invocation.fateDecided(message)
  return { outcome: { is: 'busy' }, stays: true }
}

/** A completion is tried until half of the reserve is gone, all else once: it comes again anyway. */
async function write(request: EndRequest, invocation: Invocation): Promise<EndResult | { is: 'unreachable'; error: unknown }> {
  const { setup, deadline, answered } = invocation
  const { clock } = setup
  const store = setup.store as IdempotencyStore
  // Also one that hangs must leave time for the visibility timeout.
  const by = deadline.recordBy
  for (let pause = 50; ; pause = Math.min(pause * 2, 1_000)) {
    const ended = await withinTime(clock, by, store.end(request, answered)).catch(
      (error: unknown) => ({ is: 'unreachable', error }) as const,
    )
    if (ended.is !== 'unreachable' || request.to !== 'done' || clock.now() + pause >= by) return ended
    await new Promise<void>((resolve) => clock.after(pause, resolve))
  }
}

/** The handler of a message that was cut has resolved after all. */
export async function recordLateSuccess({ record, message }: Leased, invocation: Invocation): Promise<void> {
  const { store, logger } = invocation.setup
  if (store === undefined || record === undefined) return
  const ended = store.end({ to: 'done', record, ...recordTimes(invocation) })
  const { is } = await ended.catch(() => ({ is: 'unreachable' }))
  logger.info('A handler that was cut at the deadline has resolved since.', {
    messageId: message.record.messageId,
    completion: is,
  })
}
