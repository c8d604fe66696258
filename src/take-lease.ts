import type { Decision, Failed, Leased, Opened, Settled } from './decision.ts'
import { tallyOfReceives } from './flow/attempts.ts'
import { onDemand } from './flow/on-demand.ts'
import { tooOld } from './flow/too-old.ts'
import type { Invocation } from './invocation.ts'
import { noTime } from './open-message.ts'

/** The lease of a message whose handler starts at once, or what keeps it from starting. Without a store there is no lease. */
export async function takeLease(
  opened: Opened,
  invocation: Invocation,
  settled: Promise<Settled>,
): Promise<Leased | Failed | Decision> {
  const { store } = invocation.setup
  const { message, key } = opened
  if (store !== undefined) {
    const { leaseFromStore } = await onDemand(() => import('./lease-from-store.ts'))
    return await leaseFromStore(opened, store, invocation, settled)
  }
  if (!invocation.gate.mayStart()) return noTime(message)
  if (tooOld(message.sentAt, invocation.waiting()))
    return { is: 'decided', message, key, outcome: { is: 'dead', reason: 'too-old' } }
  return { is: 'leased', message, key, record: undefined, tally: tallyOfReceives(message.receiveCount) }
}
