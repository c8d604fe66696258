import type { AlarmFacts, ConsumerFacts, MetricFacts } from '../facts.ts'
import { andThen, find, type Known, notSeen, seen } from '../known.ts'
import { pages } from '../pages.ts'
import { of, type Rule, rule } from '../rule.ts'
import { letters, lettersWhere } from './dead-letters.ts'

const VISIBLE = 'ApproximateNumberOfMessagesVisible'
const HIDDEN = 'ApproximateNumberOfMessagesNotVisible'
const SENT = 'NumberOfMessagesSent'

/** Who is told, and when. */
export const alarms: readonly Rule[] = [
  rule({
    id: 'alarm.none',
    severity: 'warning',
    looksAt: `alarms on the dead-letter queue's \`${VISIBLE}\``,
    otherwise: 'Dead letters wait until somebody looks by chance, and are deleted when their retention ends.',
    fix: `Add an alarm on ${VISIBLE} of the dead-letter queue: Maximum, 1 or more, TreatMissingData ignore.`,
    page: pages.metrics,
    because: 'F93, F94, B40',
    where: lettersWhere,
    needs: (consumer) => ofLetters(consumer, (name) => ({ alarm: find(consumer.alarms, (alarm) => isOnDepth(alarm, name)) })),
    wrong: ({ alarm }) => (alarm === undefined ? "No alarm looks at the dead-letter queue's depth." : undefined),
  }),
  rule({
    id: 'alarm.counts-sends',
    severity: 'warning',
    looksAt: `alarms on the dead-letter queue's \`${SENT}\``,
    otherwise: 'What SQS itself moves is no send: such an alarm stays silent for all that died without redrive.',
    fix: `Look at ${VISIBLE} instead, and at its RATE or DIFF for growth.`,
    page: pages.redrive,
    because: 'F95, B40',
    where: whereAlarm((alarm, name) => reads(alarm, name, SENT)),
    needs: (consumer) =>
      ofLetters(consumer, (name) => ({
        alarm: find(consumer.alarms, (alarm) =>
          both(
            reads(alarm, name, SENT),
            andThen(reads(alarm, name, VISIBLE), (depth) => seen(!depth)),
          ),
        ),
      })),
    wrong: ({ alarm }) => alarm && `${alarm.where} counts sends alone.`,
  }),
  rule({
    id: 'alarm.counts-hidden',
    severity: 'warning',
    looksAt: `alarms on the dead-letter queue's \`${HIDDEN}\``,
    otherwise: 'It reads 1 at times on an empty queue: the alarm goes off for nothing, and is soon ignored.',
    fix: `Look at ${VISIBLE} alone.`,
    page: pages.metrics,
    because: 'F94, B40',
    where: whereAlarm((alarm, name) => reads(alarm, name, HIDDEN)),
    needs: (consumer) => ofLetters(consumer, (name) => ({ alarm: find(consumer.alarms, (alarm) => reads(alarm, name, HIDDEN)) })),
    wrong: ({ alarm }) => alarm && `${alarm.where} counts hidden messages too.`,
  }),
  ofDepth({
    id: 'alarm.missing-data',
    looksAt: 'alarms on depth: `TreatMissingData`',
    otherwise:
      'A queue that nobody touches for six hours sends no data: the alarm turns off with letters still inside (notBreaching), on without any (breaching), or into INSUFFICIENT_DATA (missing).',
    fix: 'Set TreatMissingData: ignore.',
    page: pages.missingData,
    because: 'F93, F100, B40',
    property: 'TreatMissingData',
    needs: ({ missingData }) => ({ missingData }),
    wrong: ({ missingData }) => (missingData === 'ignore' ? undefined : `Missing data is treated as '${missingData}'.`),
  }),
  ofDepth({
    id: 'alarm.not-at-one',
    looksAt: 'alarms on depth: `Statistic`, `Threshold`, `ComparisonOperator`',
    otherwise: 'The first dead letters wake nobody.',
    fix: 'Statistic Maximum, GreaterThanOrEqualToThreshold, Threshold 1.',
    page: pages.metrics,
    because: 'F94, B40',
    property: 'Threshold',
    needs: ({ metrics, threshold, comparison }) => ({ metrics, threshold, comparison }),
    wrong: ({ metrics, threshold, comparison }) => {
      const statistic = metrics[0]?.statistic ?? ''
      if (statistic !== 'Maximum') return `The statistic is ${statistic || 'missing'}, not Maximum.`
      const most = comparison === 'GreaterThanOrEqualToThreshold' ? 1 : comparison === 'GreaterThanThreshold' ? 0.999 : Number.NaN
      return threshold !== undefined && threshold <= most && threshold >= 0
        ? undefined
        : `The alarm compares by ${comparison || 'nothing'} with ${threshold ?? 'no threshold'}.`
    },
  }),
  ofDepth({
    id: 'alarm.tells-nobody',
    looksAt: 'alarms on depth: `AlarmActions`, `ActionsEnabled`',
    otherwise: 'The alarm goes off, and nobody is told.',
    fix: 'Name an SNS topic that somebody reads in AlarmActions.',
    page: pages.alarmActions,
    because: 'F101',
    property: 'AlarmActions',
    needs: ({ actions }) => ({ actions }),
    wrong: ({ actions }) => (actions > 0 ? undefined : 'The alarm has no action.'),
  }),
  rule({
    id: 'alarm.no-growth',
    severity: 'warning',
    looksAt: 'alarms with `RATE` or `DIFF` of the depth, beside the one on the depth itself',
    otherwise: 'An alarm that is on does not fire again: when one letter becomes five thousand, nobody hears of it.',
    fix: `Add an alarm with the expression DIFF(m) or RATE(m) above 0 on ${VISIBLE}, missing data notBreaching.`,
    page: pages.metricMath,
    because: 'F101, B40',
    where: lettersWhere,
    needs: (consumer) =>
      ofLetters(consumer, (name) => ({
        depth: find(consumer.alarms, (alarm) => isOnDepth(alarm, name)),
        growth: find(consumer.alarms, (alarm) => isOnGrowth(alarm, name)),
      })),
    wrong: ({ depth, growth }) => (depth && !growth ? 'No alarm looks at the growth of the dead-letter queue.' : undefined),
  }),
  rule({
    id: 'alarm.none-on-stalling',
    severity: 'warning',
    looksAt: "alarms on redrive's own metrics: `message_age`, `circuit_open`, `deferred`, `store_failed`",
    otherwise:
      'Messages that wait for a retry are in no metric of SQS (its age metric leaves them out): in a long outage nothing dies, and nobody is told.',
    fix: 'Add the stalled alarm (redrive stack prints it), e.g. on message_age above a fifth of maxAge, namespace redrive, dimension consumer.',
    page: pages.metrics,
    because: 'F96, F97, 5',
    where: ({ queue }) => queue.where,
    needs: ({ alarms, queue, options }) => {
      const name = andThen(options, (own) => (own.name === undefined ? queue.name : seen(own.name)))
      return { alarm: find(alarms, (alarm) => isOnConsumer(alarm, name, queue.name)) }
    },
    wrong: ({ alarm }) => (alarm === undefined ? "No alarm looks at redrive's own metrics of this consumer." : undefined),
  }),
]

type DepthNeeds = Readonly<Record<string, Known<unknown>>>

/** A rule about the alarm on the depth, where there is one. */
function ofDepth<const N extends DepthNeeds>({
  needs,
  property,
  ...text
}: Omit<Parameters<typeof rule<N>>[0], 'needs' | 'where' | 'severity'> & {
  readonly property: string
  readonly needs: (alarm: AlarmFacts) => N
}): Rule {
  const depthOf = (consumer: ConsumerFacts): Known<AlarmFacts | undefined> =>
    andThen(nameOfLetters(consumer), (name) =>
      name === undefined ? seen(undefined) : find(consumer.alarms, (alarm) => isOnDepth(alarm, name)),
    )
  return rule<N>({
    ...(text as Omit<Parameters<typeof rule<N>>[0], 'needs' | 'where' | 'severity'>),
    severity: 'warning',
    where: (consumer) => {
      const alarm = depthOf(consumer)
      return `${alarm.is === 'seen' && alarm.value ? alarm.value.where : consumer.queue.where}: ${property}`
    },
    needs: (consumer) => of(depthOf(consumer), needs),
  })
}

function nameOfLetters(consumer: ConsumerFacts): Known<string | undefined> {
  return andThen(letters(consumer), (queue) => (queue === undefined ? seen(undefined) : queue.name))
}

function ofLetters<const N extends DepthNeeds>(consumer: ConsumerFacts, needs: (name: string) => N): N | undefined {
  return of(nameOfLetters(consumer), needs)
}

function whereAlarm(fits: (alarm: AlarmFacts, name: string) => Known<boolean>): (consumer: ConsumerFacts) => string {
  return (consumer) => {
    const name = nameOfLetters(consumer)
    const alarm =
      name.is === 'seen' && name.value !== undefined ? find(consumer.alarms, (one) => fits(one, name.value as string)) : name
    return alarm.is === 'seen' && typeof alarm.value === 'object' ? alarm.value.where : lettersWhere(consumer)
  }
}

const isOf = ({ namespace, name, dimensions }: MetricFacts, queue: string, metric: string): boolean =>
  namespace === 'AWS/SQS' && name === metric && dimensions['QueueName'] === queue

function reads({ metrics }: AlarmFacts, queue: string, metric: string): Known<boolean> {
  return andThen(metrics, (all) => seen(all.some((one) => isOf(one, queue, metric))))
}

/** Depth itself, not what is calculated of it. */
function isOnDepth(alarm: AlarmFacts, queue: string): Known<boolean> {
  return both(
    reads(alarm, queue, VISIBLE),
    andThen(alarm.expressions, (all) => seen(all.length === 0)),
  )
}

function isOnGrowth(alarm: AlarmFacts, queue: string): Known<boolean> {
  return both(
    reads(alarm, queue, VISIBLE),
    andThen(alarm.expressions, (all) => seen(all.some((one) => /\b(RATE|DIFF)\s*\(/.test(one)))),
  )
}

/** The consumer's name is the queue's where it has none of its own; an alarm on another name is nobody's business here. */
function isOnConsumer({ metrics }: AlarmFacts, name: Known<string>, queue: Known<string>): Known<boolean> {
  return andThen(metrics, (all) => {
    const named = all.filter(({ namespace }) => namespace === 'redrive').map(({ dimensions }) => dimensions['consumer'])
    if (named.length === 0) return seen(false)
    if (name.is === 'seen') return seen(named.includes(name.value))
    return queue.is === 'seen' && named.includes(queue.value) ? seen(true) : notSeen(`the consumer's own name: ${name.why}`)
  })
}

const both = (one: Known<boolean>, other: Known<boolean>): Known<boolean> =>
  one.is === 'seen' && !one.value ? one : other.is === 'seen' && !other.value ? other : andThen(one, () => other)
