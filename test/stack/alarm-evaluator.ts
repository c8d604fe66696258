/**
 * An alarm over data, minute by minute, as CloudWatch evaluates it:
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarm-evaluation.html
 */
import { evaluate, type FillOfNothing, type Series } from './metric-math.ts'

export type State = 'INSUFFICIENT_DATA' | 'OK' | 'ALARM'

/** Samples a minute by the metric's name. */
export type Data = Readonly<Record<string, Series>>

interface Metric {
  readonly MetricName: string
}

interface Query {
  readonly Id: string
  readonly MetricStat?: { readonly Metric: Metric; readonly Stat: string; readonly Period: number }
  readonly Expression?: string
  readonly ReturnData?: boolean
}

/** Properties of an `AWS::CloudWatch::Alarm`, as far as they decide. */
export interface Alarm {
  readonly MetricName?: string
  readonly Statistic?: string
  readonly Period?: number
  readonly Metrics?: readonly Query[]
  readonly ComparisonOperator: string
  readonly Threshold: number
  readonly DatapointsToAlarm: number
  readonly EvaluationPeriods: number
  readonly TreatMissingData: string
}

export interface Circumstances {
  /** So many of the newest minutes have not arrived yet. */
  readonly late?: number
  readonly fillOfNothing?: FillOfNothing
}

// CloudWatch looks back further than the alarm asks for, for data in the place of what is missing; AWS shows 5 for 3.
const LOOKS_FURTHER = 2

/** The state after each minute. */
export function states(alarm: Alarm, data: Data, circumstances: Circumstances = {}): State[] {
  const minutes = Math.max(...Object.values(data).map(({ length }) => length))
  let state: State = 'INSUFFICIENT_DATA'
  return Array.from({ length: minutes }, (_, minute) => {
    state = nextState(alarm, points(alarm, data, minute, circumstances), state)
    return state
  })
}

/** The minutes at which the alarm begins to ring. */
export function rings(alarm: Alarm, data: Data, circumstances?: Circumstances): number[] {
  const all = states(alarm, data, circumstances)
  return all.flatMap((state, minute) => (state === 'ALARM' && all[minute - 1] !== 'ALARM' ? [minute] : []))
}

/** What the alarm compares, at one minute: a value each period, the newest last. */
function points(alarm: Alarm, data: Data, minute: number, { late = 0, fillOfNothing = 'fills' }: Circumstances): Series {
  const periods = alarm.EvaluationPeriods + LOOKS_FURTHER
  const read = (name: string, stat: string, period: number): Series => {
    const length = period / 60
    return Array.from({ length: periods }, (_, index) => {
      const end = minute + 1 - (periods - 1 - index) * length
      const arrived = (data[name] ?? []).slice(Math.max(0, end - length), Math.max(0, Math.min(end, minute + 1 - late)))
      return statistic(stat, arrived)
    })
  }
  if (alarm.Metrics === undefined) return read(String(alarm.MetricName), String(alarm.Statistic), Number(alarm.Period))
  const period = Math.max(...alarm.Metrics.map(({ MetricStat }) => MetricStat?.Period ?? 0))
  const series: Record<string, Series> = {}
  for (const { Id, MetricStat, Expression } of alarm.Metrics) {
    series[Id] =
      MetricStat === undefined
        ? evaluate(String(Expression), { series, periods, period, fillOfNothing })
        : read(MetricStat.Metric.MetricName, MetricStat.Stat, MetricStat.Period)
  }
  const returned = alarm.Metrics.filter(({ ReturnData }) => ReturnData !== false)
  if (returned.length !== 1) throw new Error('exactly one metric must be returned')
  return series[returned[0]?.Id ?? ''] ?? []
}

function statistic(stat: string, samples: Series): number | undefined {
  const values = samples.filter((sample) => sample !== undefined)
  if (values.length === 0) return undefined
  if (stat === 'Maximum') return Math.max(...values)
  if (stat === 'Sum') return values.reduce((sum, value) => sum + value, 0)
  throw new Error(`no such statistic here: ${stat}`)
}

function nextState(alarm: Alarm, all: Series, state: State): State {
  const { EvaluationPeriods, DatapointsToAlarm, TreatMissingData } = alarm
  const real = all.filter((point) => point !== undefined).slice(-EvaluationPeriods)
  const missing = EvaluationPeriods - real.length
  if (real.length === 0 && TreatMissingData === 'ignore') return state
  if (real.length === 0 && TreatMissingData === 'missing') return 'INSUFFICIENT_DATA'
  const breaching = real.filter((point) => breaches(alarm, point)).length + (TreatMissingData === 'breaching' ? missing : 0)
  return breaching >= DatapointsToAlarm ? 'ALARM' : 'OK'
}

function breaches({ ComparisonOperator, Threshold }: Alarm, point: number): boolean {
  if (ComparisonOperator === 'GreaterThanThreshold') return point > Threshold
  if (ComparisonOperator === 'GreaterThanOrEqualToThreshold') return point >= Threshold
  throw new Error(`no such comparison here: ${ComparisonOperator}`)
}
