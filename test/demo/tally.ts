import type { Logger, Metrics } from 'redrive'

/** What redrive said of itself while the demo ran: its own metrics, and the rules in its log lines. */
export interface Tally {
  readonly metrics: Metrics
  readonly logger: Logger
  /** A count by its name: an outcome, `attempts`, `store_failed`, … */
  of(name: string): number
  /** How many retries each rule caused. */
  readonly retries: ReadonlyMap<string, number>
}

/** `show` gets redrive's log lines. */
export function startTally(show: (line: string) => void): Tally {
  const counts = new Map<string, number>()
  const retries = new Map<string, number>()
  const log =
    (level: string) =>
    (message: string, fields: Record<string, unknown> = {}): void => {
      show(JSON.stringify({ level, message, ...fields }))
      if (fields['outcome'] === 'retry') add(retries, String(fields['rule']), 1)
    }
  return {
    metrics: { count: (name, value) => add(counts, name, value), measure: () => {} },
    logger: { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') },
    of: (name) => counts.get(name) ?? 0,
    retries,
  }
}

function add(counts: Map<string, number>, name: string, value: number): void {
  counts.set(name, (counts.get(name) ?? 0) + value)
}
