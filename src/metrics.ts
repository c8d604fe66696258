import type { Clock, Metrics } from './flow/ports.ts'

/** CloudWatch takes as many values a metric and event (F105). */
const MOST_VALUES = 100

type Unit = 'Count' | 'Seconds' | 'Milliseconds'

interface Series {
  readonly unit: Unit
  readonly values: number[]
}

/**
 * Metrics of one invocation in CloudWatch's embedded metric format: namespace `redrive`, dimension `consumer`. One JSON object a
 * line, written around the runtime's patched console (F105, F106):
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export function embeddedMetrics(
  consumer: string,
  clock: Clock,
  write: (line: string) => void = (line) => void process.stdout.write(line),
): Metrics {
  const series = new Map<string, Series>()
  const add = (name: string, value: number, unit: Unit): void => {
    const known = series.get(name)
    if (known === undefined) series.set(name, { unit, values: [value] })
    else if (unit === 'Count') known.values[0] = (known.values[0] ?? 0) + value
    else known.values.push(value)
  }
  return {
    count: (name, value) => add(name, value, 'Count'),
    measure: (name, value, unit) => add(name, value, unit),
    flush: () => {
      const rest = new Map(series)
      series.clear()
      while (rest.size > 0) {
        write(`${JSON.stringify(document(consumer, clock.now(), rest))}\n`)
        for (const [name, { values }] of rest)
          if (values.splice(0, MOST_VALUES).length > 0 && values.length === 0) rest.delete(name)
      }
    },
  }
}

function document(consumer: string, timestamp: number, series: ReadonlyMap<string, Series>): Record<string, unknown> {
  const metrics = [...series].map(([Name, { unit }]) => ({ Name, Unit: unit }))
  const values = [...series].map(([name, series]) => [
    name,
    series.unit === 'Count' ? series.values[0] : series.values.slice(0, MOST_VALUES),
  ])
  return {
    _aws: { Timestamp: timestamp, CloudWatchMetrics: [{ Namespace: 'redrive', Dimensions: [['consumer']], Metrics: metrics }] },
    consumer,
    ...Object.fromEntries(values),
  }
}

/** A sink that never throws, whatever the user's own does; nowhere, where there is none. */
export function safely(metrics: Metrics | undefined): Required<Metrics> {
  const attempt = async (write: () => unknown): Promise<void> => {
    try {
      await write()
    } catch {
      // Metrics change no outcome.
    }
  }
  return {
    count: (name, value) => void attempt(() => metrics?.count(name, value)),
    measure: (name, value, unit) => void attempt(() => metrics?.measure(name, value, unit)),
    flush: () => attempt(() => metrics?.flush?.()),
  }
}
