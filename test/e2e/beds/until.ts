import { setTimeout as wait } from 'node:timers/promises'

/** Waits until `look` finds something, and gives that. Rejects after `ms` with what was waited for. */
export async function until<T>(
  what: string,
  look: () => Promise<T | undefined | false>,
  ms: number,
  everyMs = 250,
  soFar: () => string = () => '',
): Promise<T> {
  const end = performance.now() + ms
  for (;;) {
    const found = await look()
    if (found !== undefined && found !== false) return found
    if (performance.now() > end) throw new Error(`Not within ${ms / 1000} s: ${what}. ${soFar()}`.trimEnd())
    await wait(everyMs)
  }
}
