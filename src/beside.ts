import type { ReceivedMessage } from './flow/message.ts'
import { onDemand } from './flow/on-demand.ts'
import type { Invocation } from './invocation.ts'

/** Work that no outcome waits for, but the answer does. What it throws is logged. */
export function beside(what: string, message: ReceivedMessage, work: () => unknown, invocation: Invocation): void {
  const working = (async () => await work())()
  const logged = working.catch(async (error: unknown) => {
    const { sayBesideFailed } = await onDemand(() => import('./trouble.ts'))
    sayBesideFailed(what, message, error, invocation)
  })
  invocation.alsoAwait(logged)
}
