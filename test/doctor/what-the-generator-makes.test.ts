/** The doctor has nothing to say of what the generator makes, apart from what somebody chose. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { lastName } from '../../src/stack/doctor/arn.ts'
import { LONGEST_RETENTION } from '../../src/stack/doctor/limits.ts'
import { diagnoseTemplate, type Finding, type OwnOptions } from '../../src/stack/doctor.ts'
import { environmentFor, mappingFor } from '../../src/stack/mapping.ts'
import type { ConsumerOptions, ServiceOptions } from '../../src/stack/options.ts'
import { templateFor } from '../../src/stack/template.ts'
import { anyService } from '../stack/random-options.ts'

/** The generator's template, with the functions that its users write. */
function whole(service: ServiceOptions, consumers: readonly ConsumerOptions[]): object {
  const { Resources } = templateFor(service, consumers)
  const functions = consumers.flatMap((consumer) => {
    const name = consumer.logicalName
    return [
      [`${name}Role`, { Type: 'AWS::IAM::Role', Properties: { ManagedPolicyArns: [{ Ref: `${name}Policy` }] } }],
      [
        `${name}Function`,
        {
          Type: 'AWS::Lambda::Function',
          Properties: {
            Runtime: 'nodejs24.x',
            Timeout: consumer.functionTimeout,
            Role: { 'Fn::GetAtt': [`${name}Role`, 'Arn'] },
            Environment: { Variables: environmentFor(consumer, service) },
          },
        },
      ],
      [
        `${name}Mapping`,
        {
          Type: 'AWS::Lambda::EventSourceMapping',
          Properties: { ...mappingFor(consumer), FunctionName: { Ref: `${name}Function` } },
        },
      ],
    ]
  })
  return { Resources: { ...Resources, ...(Object.fromEntries(functions) as object) } }
}

const ownOf = ({ name, maxAttempts = 12 }: ConsumerOptions): OwnOptions => ({
  name: name as string | undefined,
  maxAttempts,
  store: 'environment',
})

function found(service: ServiceOptions, consumers: readonly ConsumerOptions[]): Finding[] {
  return diagnoseTemplate(whole(service, consumers), {
    optionsOf: (id) => {
      const consumer = consumers.find(({ logicalName }) => id === `${logicalName}Function`)
      return consumer && ownOf(consumer)
    },
  })
}

const ordinary = { service: 'shop', stage: 'dev', alarm: { email: 'oncall@shop.example' } } as const
const consumers: readonly ConsumerOptions[] = [
  { logicalName: 'Orders', queue: { make: 'orders' }, functionTimeout: 30, maximumConcurrency: 20 },
  { logicalName: 'Ledger', queue: { make: 'ledger' }, fifo: true, functionTimeout: 30 },
]

describe('of what the generator makes', () => {
  test('nothing at all, for the example', () => assert.deepEqual(found(ordinary, consumers), []))

  test('that there are no alarms, where nobody is to be woken', () => {
    const findings = found({ service: 'shop', stage: 'dev' }, consumers)
    assert.deepEqual([...new Set(findings.map(({ severity, rule }) => `${severity} ${rule}`))].sort(), [
      'warning alarm.none',
      'warning alarm.none-on-stalling',
    ])
  })

  test('property: no error and no warning for any options, but for alarms and an age that nobody wanted', () => {
    fc.assert(
      fc.property(anyService, ({ service, consumers }) => {
        // A queue that somebody gave as the dead-letter queue of another, or of itself, is rightly complained of.
        const names = consumers.map(({ queue }) =>
          ('make' in queue ? queue.make : lastName(String(queue.arn))).replace(/\.fifo$/, ''),
        )
        fc.pre(
          consumers.every(({ deadLetterQueue: given }) => !names.includes(lastName(String(given?.arn)).replace(/\.fifo$/, ''))),
        )
        const chosen = (finding: Finding): boolean =>
          ['advice', 'not checked'].includes(finding.severity) ||
          (service.alarm === undefined && finding.rule.startsWith('alarm.none')) ||
          // One's own queue: what its retention is, and so how old a message may get, only its owner knows.
          ['options.no-max-age', 'queue.receives-outlive-retention'].includes(finding.rule)
        assert.deepEqual(
          found(service, consumers).filter((finding) => !chosen(finding)),
          [],
        )
      }),
      { numRuns: 300 },
    )
  })
})

test('a record outlives the longest that a message can be kept, in both queues: there is nothing that a rule could compare', () => {
  const source = readFileSync(new URL('../../src/end-run.ts', import.meta.url), 'utf8')
  const days = Number(/KEEP_RECORD = (\d+) \* 86_400/.exec(source)?.[1])
  assert.ok(days * 86_400 > 2 * LONGEST_RETENTION)
})
