import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import type { ConsumerOptions, Resources, ServiceOptions } from '../../src/stack/options.ts'
import { consumerResources } from '../../src/stack/resources.ts'
import { templateFor } from '../../src/stack/template.ts'
import { deployed } from './deployed.ts'
import { orders, watched } from './options.ts'

const topic = { Ref: 'RedriveAlarmTopic' }

function properties(id: string): Readonly<Record<string, unknown>> {
  const { AlarmDescription: _, ...rest } = consumerResources(orders, watched)[`Orders${id}Alarm`]?.Properties ?? {}
  return rest
}

function alarmsOf(consumer: ConsumerOptions, service: ServiceOptions = watched): Resources {
  const { Resources } = templateFor(service, [consumer])
  return Object.fromEntries(
    Object.entries(deployed(Resources, Resources)).filter(([, { Type }]) => Type === 'AWS::CloudWatch::Alarm'),
  )
}

const textOf = (consumer: ConsumerOptions, id: string, service?: ServiceOptions): string =>
  String(alarmsOf(consumer, service)[`Orders${id}Alarm`]?.Properties?.['AlarmDescription'])

describe('the alarm of', () => {
  it('dead letters: visible ones, the maximum of a minute, and silence changes nothing', () =>
    assert.deepEqual(properties('DeadLetters'), {
      AlarmName: 'shop-prod-orders-dead-letters',
      Namespace: 'AWS/SQS',
      MetricName: 'ApproximateNumberOfMessagesVisible',
      Dimensions: [{ Name: 'QueueName', Value: 'orders-dlq' }],
      Statistic: 'Maximum',
      Period: 60,
      ComparisonOperator: 'GreaterThanThreshold',
      Threshold: 0,
      DatapointsToAlarm: 1,
      EvaluationPeriods: 1,
      TreatMissingData: 'ignore',
      AlarmActions: [topic],
      OKActions: [topic],
    }))

  it('growth: says nothing when it is over, for letters may be left', () => {
    const { AlarmName, OKActions, DatapointsToAlarm, EvaluationPeriods, TreatMissingData } = properties('DeadLettersGrow')
    assert.equal(AlarmName, 'shop-prod-orders-dead-letters-grow')
    assert.equal(OKActions, undefined)
    assert.deepEqual([DatapointsToAlarm, EvaluationPeriods, TreatMissingData], [1, 5, 'notBreaching'])
  })

  it('age: a fifth of what a message may wait', () => {
    const { MetricName, Statistic, Threshold, Dimensions } = properties('StalledByAge')
    assert.deepEqual([MetricName, Statistic, Threshold], ['message_age', 'Maximum', 51_840])
    assert.deepEqual(Dimensions, [{ Name: 'consumer', Value: 'orders' }])
    const shorter = consumerResources({ ...orders, maxAge: 3600 }, watched)['OrdersStalledByAgeAlarm']
    assert.equal(shorter?.Properties?.['Threshold'], 720)
  })

  it('anything of ours looks at the consumer’s own name, where it has one', () => {
    const named = alarmsOf({ ...orders, name: 'checkout' })
    assert.deepEqual(named['OrdersStalledByAgeAlarm']?.Properties?.['Dimensions'], [{ Name: 'consumer', Value: 'checkout' }])
    assert.equal(named['OrdersStalledByAgeAlarm']?.Properties?.['AlarmName'], 'shop-prod-checkout-stalled-old-messages')
  })

  it('a queue of one’s own looks at that queue', () => {
    const arn = 'arn:aws:sqs:eu-central-1:111122223333:mine'
    const alarms = alarmsOf({ ...orders, queue: { arn }, deadLetterQueue: { arn: `${arn}-dead` } })
    assert.deepEqual(alarms['OrdersDeadLettersAlarm']?.Properties?.['Dimensions'], [{ Name: 'QueueName', Value: 'mine-dead' }])
  })
})

describe('what wakes a person', () => {
  it('says of dead letters what it means, whose it is, where they lie, until when, and how to look', () =>
    assert.equal(
      textOf(orders, 'DeadLetters'),
      `shop-prod-orders: messages are dead and wait for a person. Each says why in its attribute "redrive". While this alarm is on it is silent about more of them; "shop-prod-orders-dead-letters-grow" is not.
Owner: team-shop
Runbook: https://wiki.shop.example/orders
Dead-letter queue: https://sqs.eu-central-1.amazonaws.com/111122223333/orders-dlq
Region: eu-central-1
Kept: 14 days from a letter's death; what SQS itself moved, from when it was first sent.
Look: aws sqs receive-message --max-number-of-messages 10 --visibility-timeout 0 --message-attribute-names All --region eu-central-1 --queue-url https://sqs.eu-central-1.amazonaws.com/111122223333/orders-dlq`,
    ))

  it('says of stalled messages how old, which queue, which table', () => {
    assert.match(textOf(orders, 'StalledByAge'), /not done 14 h 24 min after they were sent/)
    assert.match(textOf(orders, 'StalledByAge'), /Kept: 96 h from when a message was sent, then SQS deletes it\./)
    assert.match(textOf(orders, 'StalledByStore'), /Queue: https:\S+\/orders\nTable: stack-RedriveTable\n/)
    assert.match(textOf(orders, 'StalledUndone'), /Look: aws sqs get-queue-attributes .* --queue-url https:\S+\/orders$/)
  })

  it('has no line for an owner or a runbook that nobody named', () =>
    assert.doesNotMatch(textOf(orders, 'DeadLetters', { ...watched, alarm: {} }), /Owner|Runbook/))

  it('names no command of redrive that there is not', () => {
    for (const id of ['DeadLetters', 'DeadLettersGrow', 'DeadLetterSends', 'StalledByAge', 'StalledUndone', 'StalledByStore']) {
      assert.doesNotMatch(textOf(orders, id), /npx|redrive dlq/)
    }
  })
})

describe('metrics of redrive', () => {
  const read = (path: string): string => readFileSync(new URL(`../../src/${path}`, import.meta.url), 'utf8')
  const source = ['trouble.ts', 'announce.ts', 'run.ts', 'flow/decide.ts'].map(read).join('\n')

  it('on the dashboard and in alarms are all published by the runtime, in its namespace, by its dimension', () => {
    const template = JSON.stringify(templateFor(watched, [orders])).replaceAll('\\', '')
    const inAlarms = [...template.matchAll(/"Namespace":"redrive","MetricName":"(\w+)","Dimensions":\[{"Name":"(\w+)"/g)]
    const onDashboard = [...template.matchAll(/\["redrive","(\w+)","(\w+)"/g)]
    const used = [...inAlarms, ...onDashboard].map(([, name, dimension]) => [name, dimension])
    assert.ok(inAlarms.length >= 5 && onDashboard.length >= 15)
    for (const [name, dimension] of used) {
      assert.equal(dimension, 'consumer')
      assert.match(source, new RegExp(`'${name}'`), `nothing publishes ${name}`)
    }
    assert.match(read('metrics.ts'), /Namespace: 'redrive', Dimensions: \[\['consumer'\]\]/)
  })
})
