import { onDemand } from './flow/on-demand.ts'

/** An error in a log line: name and message, cut. What describes errors is loaded with the first one. */
export async function said(error: unknown): Promise<string> {
  const { oneLine } = await onDemand(() => import('./errors/describe.ts'))
  return oneLine(error)
}
