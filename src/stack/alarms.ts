/** The alarms of one consumer. Each number has its reason beside it; what a person reads is in alarm-texts.ts. */
import { type AlarmText, descriptionOf } from './alarm-texts.ts'
import { alarmingAge } from './limits.ts'
import { deadLetterQueueOf, dimensionOf, labelOf, prefixOf, TOPIC, tableOf } from './names.ts'
import type { ConsumerOptions, Resource, Resources, ServiceOptions, Value } from './options.ts'
import { ref } from './values.ts'

/** Properties of an `AWS::CloudWatch::Alarm`, less what all alarms share. */
interface Watch {
  readonly [property: string]: unknown
}

/** An alarm before it has a topic. */
interface Alarm {
  /** Behind the consumer's logical name. */
  readonly id: string
  /** Behind service, stage and consumer in the alarm's name. */
  readonly name: string
  readonly text: AlarmText
  readonly watch: Watch
}

/** The alarms of one consumer, by logical id; none where the service has no `alarm`. */
export function alarmsFor(consumer: ConsumerOptions, service: ServiceOptions): Resources {
  const { alarm } = service
  if (alarm === undefined) return {}
  const topic = alarm.topicArn ?? ref(TOPIC)
  return Object.fromEntries(
    alarms(consumer, service).map(({ id, name, text, watch }): [string, Resource] => [
      `${consumer.logicalName}${id}Alarm`,
      {
        Type: 'AWS::CloudWatch::Alarm',
        Properties: {
          AlarmName: `${prefixOf(service)}-${labelOf(consumer)}-${name}`,
          AlarmDescription: descriptionOf(text, consumer, service),
          ...watch,
          AlarmActions: [topic],
          // "OK" of growth would only say that no more came for a while: with letters still there, that misleads.
          ...(text !== 'growth' && { OKActions: [topic] }),
        },
      },
    ]),
  )
}

function alarms(consumer: ConsumerOptions, service: ServiceOptions): readonly Alarm[] {
  const letters = deadLetterQueueOf(consumer).name
  const ours = dimensionOf(consumer)
  return [
    { id: 'DeadLetters', name: 'dead-letters', text: 'dead-letters', watch: deadLetters(letters) },
    { id: 'DeadLettersGrow', name: 'dead-letters-grow', text: 'growth', watch: growth(letters) },
    { id: 'DeadLetterSends', name: 'dead-letter-sends-fail', text: 'sends', watch: sends(ours) },
    { id: 'StalledByAge', name: 'stalled-old-messages', text: 'age', watch: age(ours, alarmingAge(consumer, service)) },
    { id: 'StalledUndone', name: 'stalled-nothing-done', text: 'undone', watch: undone(ours) },
    ...(tableOf(service) === undefined
      ? []
      : [{ id: 'StalledByStore', name: 'stalled-store', text: 'store', watch: store(ours) } as const]),
    // The circuit's place: `circuit_open` (Maximum above 0, 60 s, 5 of 5, notBreaching) as StalledByCircuit, stalled-circuit.
  ]
}

const sqs = (name: string, queue: Value) => ({
  Namespace: 'AWS/SQS',
  MetricName: name,
  Dimensions: [{ Name: 'QueueName', Value: queue }],
})

const own = (name: string, consumer: Value) => ({
  Namespace: 'redrive',
  MetricName: name,
  Dimensions: [{ Name: 'consumer', Value: consumer }],
})

/** A metric of an expression. */
const metric = (Id: string, Metric: ReturnType<typeof sqs>, Stat: string, Period: number) => ({
  Id,
  MetricStat: { Metric, Stat, Period },
  ReturnData: false,
})

const above = (Threshold: number, DatapointsToAlarm: number, EvaluationPeriods: number) => ({
  ComparisonOperator: 'GreaterThanThreshold',
  Threshold,
  DatapointsToAlarm,
  EvaluationPeriods,
})

/**
 * Letters lie there. Visible ones only: "not visible" shows one at times where there is none (F94). Missing data keeps the
 * state: a queue that nobody touches may go silent with letters in it (F93, F100).
 */
function deadLetters(queue: Value): Watch {
  return {
    ...sqs('ApproximateNumberOfMessagesVisible', queue),
    Statistic: 'Maximum',
    Period: 60,
    ...above(0, 1, 1),
    TreatMissingData: 'ignore',
  }
}

/**
 * More letters than before: an alarm speaks when its state changes, and the first letter has changed that of the one above
 * (F101, B40). Depth that rises sees what SQS moves itself, `NumberOfMessagesSent` sees redrive's own letters (F95), also the
 * first one after hours of silence, when there is no depth to compare with. The depth is not filled: 0 would make a jump of
 * each gap, and the newest minute, which is often late, a filler for good (F98). One minute of five, for the same lateness.
 */
function growth(queue: Value): Watch {
  return {
    Metrics: [
      metric('depth', sqs('ApproximateNumberOfMessagesVisible', queue), 'Maximum', 60),
      metric('sent', sqs('NumberOfMessagesSent', queue), 'Sum', 60),
      { Id: 'rise', Expression: 'DIFF(depth)', ReturnData: false },
      { Id: 'more', Expression: 'IF(depth > 1 AND (sent > 0 OR FILL(rise, 0) > 0), 1, 0)', Label: 'more dead letters' },
    ],
    ...above(0, 1, 5),
    TreatMissingData: 'notBreaching',
  }
}

// A message that waits shows itself each time it is received, at most 15 minutes apart (the backoff's cap): so long one point holds.
const HELD_MINUTES = 20

/** The dead-letter queue refuses: nothing is lost, and nothing gets out of the way (B09). */
function sends(consumer: Value): Watch {
  return {
    ...own('dead_letter_failed', consumer),
    Statistic: 'Sum',
    Period: 60,
    ...above(0, 1, HELD_MINUTES),
    TreatMissingData: 'notBreaching',
  }
}

/** SQS's own metric of age leaves out what was received three times or waits for a retry (F96, F97). */
function age(consumer: Value, seconds: number): Watch {
  return {
    ...own('message_age', consumer),
    Statistic: 'Maximum',
    Period: 60,
    ...above(seconds, 1, HELD_MINUTES),
    TreatMissingData: 'notBreaching',
  }
}

/**
 * For ten minutes: seen in three of five periods of five. CloudWatch lets its periods slide, so that a moment may lie in two of
 * them, and a message whose store is out of reach comes back every 300 seconds and a little, so that two may be empty. Filled,
 * because CloudWatch would look further back for what is missing, and count moments that are half an hour apart.
 */
const TEN_MINUTES = { ...above(0, 3, 5), TreatMissingData: 'notBreaching' }
const FIVE_MINUTES = 300

/** Messages come and are put off, and none gets done. */
function undone(consumer: Value): Watch {
  return {
    Metrics: [
      metric('deferred', own('deferred', consumer), 'Sum', FIVE_MINUTES),
      metric('done', own('done', consumer), 'Sum', FIVE_MINUTES),
      {
        Id: 'stalled',
        Expression: 'IF(FILL(deferred, 0) > 0 AND FILL(done, 0) == 0, 1, 0)',
        Label: 'put off, and none done',
      },
    ],
    ...TEN_MINUTES,
  }
}

/** The table is out of reach. */
function store(consumer: Value): Watch {
  return {
    Metrics: [
      metric('failed', own('store_failed', consumer), 'Sum', FIVE_MINUTES),
      { Id: 'stalled', Expression: 'FILL(failed, 0)', Label: 'requests to the table that failed' },
    ],
    ...TEN_MINUTES,
  }
}
