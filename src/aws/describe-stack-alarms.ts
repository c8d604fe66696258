/** The alarms of the account, as far as they are about queues or consumers. */
import type { DescribeAlarmsOutput, MetricAlarm } from '@aws-sdk/client-cloudwatch'
import { type Ask, tell } from './describe-stack-ask.ts'
import { type Gathered, notSeen } from './describe-stack-gathered.ts'

/** A hundred alarms each: what has more is said not to be seen. */
const MOST_PAGES = 100

export async function describeAlarms(gathered: Gathered, ask: Ask): Promise<void> {
  let token: string | undefined
  for (let page = 0; page < MOST_PAGES; page++) {
    const told = await tell<DescribeAlarmsOutput>(ask, 'cloudwatch', 'DescribeAlarms', {
      MaxRecords: 100,
      AlarmTypes: ['MetricAlarm', 'CompositeAlarm'],
      ...(token === undefined ? {} : { NextToken: token }),
    })
    if (told.is !== 'told') {
      addUnseen(gathered, told.is === 'missing' ? 'cloudwatch:DescribeAlarms found nothing' : told.why)
      return
    }
    for (const alarm of told.answer.MetricAlarms ?? []) if (isOfUs(alarm)) add(gathered, alarm)
    for (const { AlarmName = '' } of told.answer.CompositeAlarms ?? [])
      gathered.resources.set(`composite alarm ${AlarmName}`, { Type: 'AWS::CloudWatch::CompositeAlarm', Properties: {} })
    token = told.answer.NextToken || undefined
    if (token === undefined) return
  }
  addUnseen(gathered, `more than ${MOST_PAGES * 100} alarms`)
}

function isOfUs({ Namespace, Metrics }: MetricAlarm): boolean {
  const isOurs = (namespace: string | undefined): boolean => namespace === 'AWS/SQS' || namespace === 'redrive'
  const searches = (expression = ''): boolean => /\b(SEARCH|SELECT)\b/.test(expression)
  return (
    isOurs(Namespace) ||
    (Metrics ?? []).some(({ MetricStat, Expression }) => isOurs(MetricStat?.Metric?.Namespace) || searches(Expression))
  )
}

function add({ resources }: Gathered, { AlarmName = '', ...alarm }: MetricAlarm): void {
  const wanted = [
    'Namespace',
    'MetricName',
    'Dimensions',
    'Statistic',
    'ExtendedStatistic',
    'Threshold',
    'ComparisonOperator',
    'TreatMissingData',
    'ActionsEnabled',
    'AlarmActions',
    'Metrics',
  ] as const
  const properties = wanted.flatMap((key) =>
    alarm[key] === undefined || alarm[key] === null ? [] : [[key, alarm[key]] as const],
  )
  resources.set(`alarm ${AlarmName}`, { Type: 'AWS::CloudWatch::Alarm', Properties: Object.fromEntries(properties) })
}

function addUnseen({ resources }: Gathered, why: string): void {
  resources.set('alarms', { Type: 'AWS::CloudWatch::Alarm', Properties: { Metrics: notSeen(why) } })
}
