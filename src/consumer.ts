import { remarkOnce, sayReceived } from './announce.ts'
import type { Decision, Settled } from './decision.ts'
import type { HostContext, SqsBatchResponse } from './flow/event.ts'
import type { Handler, ReceivedMessage } from './flow/message.ts'
import { onDemand } from './flow/on-demand.ts'
import { type Lane, lanes } from './flow/order.ts'
import { respond } from './flow/respond.ts'
import { type Invocation, openInvocation } from './invocation.ts'
import { openMessage } from './open-message.ts'
import { run } from './run.ts'
import { settle, settleFrameworkFailure } from './settle.ts'
import type { Setup } from './setup.ts'
import { takeLease } from './take-lease.ts'

/**
 * One invocation, from the event to the partial batch response. Messages run side by side; a FIFO group runs one after another.
 *
 * event ─▶ message ─▶ lease ─▶ handler ─▶ verdict ─▶ outcome ─▶ effects ─▶ partial batch response
 */
export async function consume(
  event: unknown,
  context: HostContext | undefined,
  handler: Handler,
  setup: Setup,
): Promise<SqsBatchResponse> {
  const invocation = openInvocation(event, context, setup)
  remarkOnce(setup)
  if (invocation.messages.length > 0) sayReceived(invocation)
  const settled = new Map<ReceivedMessage, Settled>()
  const all = lanes(invocation.messages).map((lane) => runLane(lane, handler, invocation, settled))
  await invocation.untilAnswer(Promise.all(all))
  return respond(invocation.messages, (message) => settled.get(message)?.stays ?? true)
}

/** One message after another. Behind one that stays in the queue the rest is held, with that one's visibility (B31, B37). */
async function runLane(
  lane: Lane,
  handler: Handler,
  invocation: Invocation,
  settled: Map<ReceivedMessage, Settled>,
): Promise<void> {
  const way = async (message: ReceivedMessage, decision: Parameters<typeof handleMessage>[2]): Promise<Settled> => {
    const end = await handleMessage(message, invocation, decision)
    settled.set(message, end)
    return end
  }
  for (const [position, message] of lane.entries()) {
    const { stays, seconds } = await way(message, (ownEnd) =>
      invocation.slots.within(() => decide(message, handler, invocation, ownEnd)),
    )
    if (!stays) continue
    const held = { is: 'held', seconds } as const
    await Promise.all(
      lane.slice(position + 1).map((rest) => way(rest, async () => ({ is: 'decided', message: rest, outcome: held }))),
    )
    return
  }
}

/** Decides on one message and carries it out. Whatever fails on it, it is this message's failure alone. */
async function handleMessage(
  message: ReceivedMessage,
  invocation: Invocation,
  decision: (ownEnd: Promise<Settled>) => Promise<Decision>,
): Promise<Settled> {
  const { promise: ownEnd, resolve } = Promise.withResolvers<Settled>()
  try {
    resolve(await settle(await decision(ownEnd), invocation))
  } catch (error) {
    resolve(await settleFrameworkFailure(message, error, invocation))
  }
  return await ownEnd
}

async function decide(
  message: ReceivedMessage,
  handler: Handler,
  invocation: Invocation,
  ownEnd: Promise<Settled>,
): Promise<Decision> {
  const opened = await openMessage(message, invocation)
  const leased = opened.is === 'opened' ? await takeLease(opened, invocation, ownEnd) : opened
  const end = leased.is === 'leased' ? await run(handler, leased, invocation) : leased
  if (end.is === 'decided') return end
  // The rules load with the first failure.
  const { judge } = await onDemand(() => import('./judge.ts'))
  return judge(end, invocation)
}
