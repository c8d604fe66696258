/** The alarms of a template, with every metric that they read. */
import type { AlarmFacts, MetricFacts } from './facts.ts'
import { andThen, type Known, type Listed, notSeen, seen } from './known.ts'
import { isRecord, Unresolved } from './loose.ts'
import { asBoolean, asList, asNumber, asText, type Read, type ReadTemplate, record } from './template.ts'

export function readAlarms(template: ReadTemplate): Listed<AlarmFacts> {
  const alarms = template.ofType('AWS::CloudWatch::Alarm')
  const composite = template.ofType('AWS::CloudWatch::CompositeAlarm').length > 0
  return {
    found: alarms.filter(({ conditional }) => !conditional).map((alarm) => readAlarm(alarm, composite)),
    maybeMore: [
      ...template.hidden,
      ...alarms.filter(({ conditional }) => conditional).map(({ where }) => `the alarm ${where} depends on a condition`),
    ],
  }
}

function readAlarm({ get, where }: Read, composite: boolean): AlarmFacts {
  const queries = asList(get('Metrics'))
  const metrics = andThen(queries, (all) => (all.length > 0 ? ofQueries(all) : ofAlarm(get)))
  const enabled = asBoolean(get('ActionsEnabled'), true)
  return {
    where,
    metrics: metrics.is === 'seen' ? metrics : notSeen(`the alarm ${where}: ${metrics.why}`),
    expressions: andThen(queries, expressionsOf),
    threshold: asNumber(get('Threshold'), undefined),
    comparison: asText(get('ComparisonOperator'), ''),
    missingData: asText(get('TreatMissingData'), 'missing'),
    actions: andThen(enabled, (on) => andThen(actionsOf(get('AlarmActions'), on), (count) => tells(count, composite))),
  }
}

/** What tells nobody by itself may still be part of one that does. */
const tells = (count: number, composite: boolean): Known<number> =>
  count === 0 && composite ? notSeen('a composite alarm may tell in its place') : seen(count)

function actionsOf(value: unknown, enabled: boolean): Known<number> {
  if (!enabled) return seen(0)
  return andThen(asList(value), (actions) => {
    const unresolved = actions.find((action) => action instanceof Unresolved)
    return unresolved instanceof Unresolved && actions.every((action) => action instanceof Unresolved)
      ? notSeen(unresolved.why)
      : seen(actions.length)
  })
}

function ofAlarm(get: Read['get']): Known<readonly MetricFacts[]> {
  const metric = { Namespace: get('Namespace'), MetricName: get('MetricName'), Dimensions: get('Dimensions') }
  const statistic = asText(get('Statistic') ?? get('ExtendedStatistic'), '')
  return andThen(metricOf(metric, statistic), (one) => seen([one]))
}

function ofQueries(queries: readonly unknown[]): Known<readonly MetricFacts[]> {
  const all: MetricFacts[] = []
  for (const query of queries) {
    if (!isRecord(query)) return notSeen(query instanceof Unresolved ? query.why : 'a metric of no shape')
    const { MetricStat, Expression } = query
    if (MetricStat === undefined) {
      if (typeof Expression !== 'string') return notSeen('an expression that is no text')
      // A search, or a query of SQL: which metrics it finds, only CloudWatch knows.
      if (/\b(SEARCH|SELECT|INSIGHT_RULE_METRIC|LAMBDA)\b/.test(Expression))
        return notSeen('an expression that searches for metrics')
      continue
    }
    const { Metric, Stat } = record(MetricStat)
    const metric = metricOf(Metric, asText(Stat, ''))
    if (metric.is === 'not seen') return metric
    all.push(metric.value)
  }
  return seen(all)
}

function metricOf(value: unknown, statistic: Known<string>): Known<MetricFacts> {
  if (!isRecord(value)) return notSeen(value instanceof Unresolved ? value.why : 'a metric of no shape')
  return andThen(asText(value['Namespace'], ''), (namespace) =>
    andThen(asText(value['MetricName'], ''), (name) =>
      andThen(statistic, (known) =>
        andThen(dimensionsOf(value['Dimensions']), (dimensions) => seen({ namespace, name, dimensions, statistic: known })),
      ),
    ),
  )
}

function dimensionsOf(value: unknown): Known<Readonly<Record<string, string>>> {
  return andThen(asList(value), (list) => {
    const pairs: [string, string][] = []
    for (const one of list) {
      const { Name, Value } = record(one)
      const [name, text] = [asText(Name, ''), asText(Value, '')]
      if (one instanceof Unresolved) return notSeen(one.why)
      if (name.is === 'not seen') return name
      if (text.is === 'not seen') return text
      pairs.push([name.value, text.value])
    }
    return seen(Object.fromEntries(pairs))
  })
}

function expressionsOf(queries: readonly unknown[]): Known<readonly string[]> {
  const unresolved = queries.find((query) => query instanceof Unresolved)
  if (unresolved instanceof Unresolved) return notSeen(unresolved.why)
  const all = queries.map((query) => record(query)['Expression']).filter((expression) => expression !== undefined)
  const texts = all.filter((expression) => typeof expression === 'string')
  return texts.length === all.length ? seen(texts) : notSeen('an expression that is no text')
}
