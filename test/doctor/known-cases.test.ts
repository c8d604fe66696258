/** Cases from the field: B09, B17, B38, B40, B41. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { diagnoseTemplate } from '../../src/stack/doctor.ts'
import { changed, goodOptions, type Template } from './good-template.ts'

const found = (template: Template, own = goodOptions): string[] =>
  diagnoseTemplate(template, { optionsOf: () => own }).map(({ severity, rule }) => `${severity} ${rule}`)

test('B09: an encrypted dead-letter queue whose key the role may not use', () => {
  const key = { Type: 'AWS::KMS::Key', Properties: {} }
  const encrypted = { Key: key, 'Letters.KmsMasterKeyId': { Ref: 'Key' } }
  assert.deepEqual(found(changed(encrypted)), ['error role.letters-key'])
  const granted = { Effect: 'Allow', Action: 'kms:*', Resource: { 'Fn::GetAtt': ['Key', 'Arn'] } }
  assert.deepEqual(found(changed({ ...encrypted, 'Role.Policies.0.PolicyDocument.Statement.4': granted })), [])
})

test('B17: seven days of retries, four days in the dead-letter queue', () => {
  const template = changed({ 'Queue.MessageRetentionPeriod': 604_800, 'Letters.MessageRetentionPeriod': undefined })
  assert.deepEqual(found(template), ['error dead-letters.kept-shorter', 'advice dead-letters.kept-short'])
})

test('B38: reserved concurrency 1, visibility of the timeout, three receives', () => {
  const input = readFileSync(new URL('./B38-throttle-config.json', import.meta.url), 'utf8')
  const { config } = JSON.parse(input) as { config: Readonly<Record<string, number | null>> }
  const template = changed({
    'Function.Timeout': config['timeoutS'],
    'Queue.VisibilityTimeout': config['visibilityTimeoutS'],
    'Function.ReservedConcurrentExecutions': config['reservedConcurrency'],
    'Mapping.BatchSize': config['batchSize'],
    'Queue.RedrivePolicy.maxReceiveCount': config['maxReceiveCount'],
  })
  assert.deepEqual(found(template), [
    'error queue.few-receives',
    'error function.reserved-without-maximum',
    'warning queue.visibility-short',
  ])
})

test('B40: one alarm, on sends; it never fires for what SQS moves, and not again for the second letter', () => {
  const template = changed({
    Growth: undefined,
    'Depth.MetricName': 'NumberOfMessagesSent',
    'Depth.TreatMissingData': undefined,
    'Depth.Statistic': 'Sum',
  })
  assert.deepEqual(found(template), ['warning alarm.none', 'warning alarm.counts-sends'])
})

test('B40: a depth alarm that flaps, counts hidden messages and never fires again', () => {
  const hidden = changed({}).Resources['Depth']?.Properties
  const template = changed({
    Growth: undefined,
    'Depth.TreatMissingData': 'breaching',
    Hidden: { Type: 'AWS::CloudWatch::Alarm', Properties: { ...hidden, MetricName: 'ApproximateNumberOfMessagesNotVisible' } },
  })
  assert.deepEqual(found(template), ['warning alarm.counts-hidden', 'warning alarm.missing-data', 'warning alarm.no-growth'])
})

test('B41: work of 300 seconds, handed out again after 90', () => {
  const template = changed({ 'Function.Timeout': 300, 'Queue.VisibilityTimeout': 90 })
  assert.deepEqual(found(template), ['error queue.visibility-below-timeout'])
})
