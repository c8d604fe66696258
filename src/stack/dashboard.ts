/** One dashboard a service, a row of widgets a consumer. */
import { deadLetterQueueOf, dimensionOf, labelOf, prefixOf, queueOf } from './names.ts'
import type { ConsumerOptions, Resource, ServiceOptions, Value } from './options.ts'
import { jsonOf, REGION } from './values.ts'

/** Of the grid that CloudWatch has: https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/CloudWatch-Dashboard-Body-Structure.html */
const COLUMNS = 24
const WIDTH = 8
const HEIGHT = 6

/** A metric with its options, as a dashboard's body has it. */
type Line = readonly unknown[]

interface Chart {
  readonly title: string
  readonly stat: string
  readonly lines: readonly Line[]
  readonly stacked?: boolean
}

/** The dashboard of all consumers. A consumer has 7 widgets at most: CloudWatch takes 500. */
export function dashboardFor(service: ServiceOptions, consumers: readonly ConsumerOptions[]): Resource {
  let y = 0
  const widgets: unknown[] = []
  for (const consumer of consumers) {
    widgets.push(heading(consumer, y++))
    for (const [index, chart] of chartsOf(consumer).entries()) {
      const row = Math.floor((index * WIDTH) / COLUMNS)
      widgets.push(widget(chart, (index * WIDTH) % COLUMNS, y + row * HEIGHT))
    }
    y += Math.ceil((chartsOf(consumer).length * WIDTH) / COLUMNS) * HEIGHT
  }
  return {
    Type: 'AWS::CloudWatch::Dashboard',
    Properties: { DashboardName: `${prefixOf(service)}-redrive`, DashboardBody: jsonOf({ widgets }) },
  }
}

const heading = (consumer: ConsumerOptions, y: number) => ({
  type: 'text',
  x: 0,
  y,
  width: COLUMNS,
  height: 1,
  properties: { markdown: `## ${labelOf(consumer)}` },
})

const widget = ({ title, stat, lines, stacked = false }: Chart, x: number, y: number) => ({
  type: 'metric',
  x,
  y,
  width: WIDTH,
  height: HEIGHT,
  properties: {
    title,
    view: 'timeSeries',
    stacked,
    region: REGION,
    stat,
    period: 60,
    metrics: lines,
    yAxis: { left: { min: 0 } },
  },
})

/** Outcomes in the order of DESIGN 4.3. */
const OUTCOMES = ['done', 'duplicate', 'retry', 'cut', 'dead', 'busy', 'held', 'deferred']
const TROUBLES = ['dead_letter_failed', 'visibility_failed', 'store_failed', 'lease_lost']

function chartsOf(consumer: ConsumerOptions): readonly Chart[] {
  const queue = queueOf(consumer).name
  const letters = deadLetterQueueOf(consumer).name
  const own = (name: string, options?: object): Line => line('redrive', name, 'consumer', dimensionOf(consumer), options)
  const sqs = (name: string, of: Value, label: string): Line => line('AWS/SQS', name, 'QueueName', of, { label })
  return [
    {
      title: 'Messages',
      stat: 'Maximum',
      lines: [
        sqs('ApproximateNumberOfMessagesVisible', queue, 'ready'),
        sqs('ApproximateNumberOfMessagesNotVisible', queue, 'at work, or waiting for a retry'),
        sqs('ApproximateNumberOfMessagesDelayed', queue, 'delayed'),
        sqs('ApproximateNumberOfMessagesVisible', letters, 'dead'),
      ],
    },
    {
      title: 'Age in seconds (those that wait for a retry: "received")',
      stat: 'Maximum',
      lines: [
        sqs('ApproximateAgeOfOldestMessage', queue, 'oldest ready'),
        own('message_age', { label: 'oldest received' }),
        sqs('ApproximateAgeOfOldestMessage', letters, 'oldest dead'),
      ],
    },
    { title: 'Outcomes', stat: 'Sum', stacked: true, lines: OUTCOMES.map((outcome) => own(outcome)) },
    { title: 'Attempts', stat: 'Sum', lines: [own('received'), own('attempts'), ...TROUBLES.map((trouble) => own(trouble))] },
    {
      title: 'Duration of an attempt in milliseconds',
      stat: 'p50',
      lines: ['p50', 'p95', 'p99'].map((stat) => own('duration', { stat, label: stat })),
    },
    ...(consumer.functionName === undefined ? [] : [functionChart(consumer.functionName)]),
  ]
}

function functionChart(name: Value): Chart {
  const lambda = (metric: string, stat: string): Line => line('AWS/Lambda', metric, 'FunctionName', name, { stat })
  return {
    title: 'Function',
    stat: 'Sum',
    lines: [lambda('Throttles', 'Sum'), lambda('Errors', 'Sum'), lambda('ConcurrentExecutions', 'Maximum')],
  }
}

const line = (namespace: string, metric: string, dimension: string, of: Value, options?: object): Line => [
  namespace,
  metric,
  dimension,
  of,
  ...(options === undefined ? [] : [options]),
]
