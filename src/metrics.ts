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
      while (series.size > 0) {
        const parts = [...series].map(([name, { unit, values }]) => ({ name, unit, values: values.splice(0, MOST_VALUES) }))
        write(`${JSON.stringify(document(consumer, clock.now(), parts))}\n`)
        for (const [name, { values }] of series) if (values.length === 0) series.delete(name)
      }
    },
  }
}

interface Part extends Series {
  readonly name: string
}

const document = (consumer: string, timestamp: number, parts: readonly Part[]): Record<string, unknown> => ({
  _aws: {
    Timestamp: timestamp,
    CloudWatchMetrics: [
      { Namespace: 'redrive', Dimensions: [['consumer']], Metrics: parts.map(({ name, unit }) => ({ Name: name, Unit: unit })) },
    ],
  },
  consumer,
  ...Object.fromEntries(parts.map(({ name, unit, values }) => [name, unit === 'Count' ? values[0] : values])),
})

/** A sink whose calls never throw. */
export interface SafeMetrics extends Metrics {
  flush(): Promise<void>
}

/** A sink that never throws, whatever the user's own does; nowhere, where there is none. */
export function safely(metrics: Metrics | undefined): SafeMetrics {
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
