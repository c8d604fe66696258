/** What can't be seen is said, and never fine; and nothing that somebody calls a template makes the doctor throw. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { diagnoseTemplate, type Finding } from '../../src/stack/doctor.ts'
import type { Case } from './case.ts'
import { casesOfFunctions } from './cases-of-functions.ts'
import { casesOfQueues } from './cases-of-queues.ts'
import { changed, fifoChanges, goodOptions, goodTemplate, type Json, type Template } from './good-template.ts'

const cases = { ...casesOfQueues, ...casesOfFunctions }
const found = (template: unknown): Finding[] => diagnoseTemplate(template, { optionsOf: () => goodOptions })
const said = (findings: readonly Finding[]): string[] => findings.map(({ rule, severity }) => `${severity} ${rule}`)

/** Values that only a deployment knows. */
const UNRESOLVABLE: readonly (readonly [string, Json])[] = [
  ['a parameter', { Ref: 'Parameter' }],
  ['an import', { 'Fn::ImportValue': 'x' }],
  ['a condition', { 'Fn::If': ['Unknown', 1, 2] }],
  ['a text with a parameter', { 'Fn::Sub': `\${Parameter}` }],
  ['an attribute that is not known', { 'Fn::GetAtt': ['Topic', 'Nothing'] }],
  ['a function of tomorrow', { 'Fn::Tomorrow': [] }],
]

/** A bad template with what is bad about it hidden: a value behind an intrinsic, a resource behind a condition. */
function hidden({ changes = {} }: Case, by: Json): Template {
  const good = goodTemplate().Resources
  const isFifo = (path: string): boolean => changes[path] === (fifoChanges as Readonly<Record<string, unknown>>)[path]
  const values = Object.entries(changes).map(([path, value]) => {
    if (!path.includes('.')) return [path, { ...((value ?? good[path]) as object), Condition: 'Unknown' }]
    return [path, isFifo(path) ? value : by]
  })
  return changed(Object.fromEntries(values) as Readonly<Record<string, unknown>>)
}

describe('what is wrong, and hidden, is never fine', () => {
  for (const [id, { bad }] of Object.entries(cases)) {
    const changedOnes = bad.filter(({ changes = {} }) => Object.keys(changes).length > 0)
    for (const [index, one] of changedOnes.entries()) {
      test(`${id}, bad fixture ${index + 1}`, () => {
        for (const [what, by] of UNRESOLVABLE) {
          const findings = diagnoseTemplate(hidden(one, by), { optionsOf: () => one.own })
          assert.ok(
            findings.some(({ rule }) => rule === id),
            `hidden by ${what}, ${id} says nothing`,
          )
        }
      })
    }
  }

  test('without the consumer’s own options, what they would tell is not checked', () => {
    const findings = diagnoseTemplate(
      changed({
        'Queue.RedrivePolicy.maxReceiveCount': 36,
        'Function.Environment.Variables': {},
      }),
    )
    const open = findings.filter(({ severity }) => severity === 'not checked')
    assert.deepEqual([...new Set(open.map(({ what }) => what))], ["the consumer's own options: the handler was not imported"])
    assert.deepEqual(open.map(({ rule }) => rule).sort(), [
      'dead-letters.gone',
      'dead-letters.not-told',
      'dead-letters.two-queues',
      'options.max-age-past-retention',
      'options.no-max-age',
      'queue.receives-below-attempts',
      'queue.receives-outlive-retention',
      'role.letters-key',
      'role.send',
      'table.none',
    ])
  })

  test('a queue and a function of another stack: only what their names tell is checked', () => {
    const arn = 'arn:aws:sqs:eu-central-1:111122223333:ledger.fifo'
    const findings = found(changed({ 'Mapping.EventSourceArn': arn, 'Mapping.FunctionName': 'ledger', 'Mapping.BatchSize': 11 }))
    assert.deepEqual(said(findings.filter(({ severity }) => severity !== 'not checked')), [
      'error mapping.fifo-batch',
      'warning alarm.none-on-stalling',
    ])
    assert.ok(said(findings).includes('not checked queue.visibility-below-timeout'))
    assert.ok(said(findings).includes('not checked role.visibility'))
  })

  for (const [what, more] of [
    ['a transform', { Transform: 'Company::Macro' }],
    [
      'a nested stack',
      {
        Resources: {
          ...changed({ Depth: undefined, Growth: undefined }).Resources,
          Nested: { Type: 'AWS::CloudFormation::Stack', Properties: {} },
        },
      },
    ],
    [
      'a loop',
      { Resources: { ...changed({ Depth: undefined, Growth: undefined }).Resources, 'Fn::ForEach::Alarms': ['x', ['y'], {}] } },
    ],
  ] as const) {
    test(`${what} may hold the alarm that is not seen`, () => {
      const template = { ...changed({ Depth: undefined, Growth: undefined }), ...more }
      assert.ok(said(found(template)).includes('not checked alarm.none'))
    })
  }

  test('functions that SAM makes only when it deploys are named', () => {
    const Events = { Orders: { Type: 'SQS', Properties: { Queue: 'x' } } }
    const [finding, ...more] = found({ Resources: { Orders: { Type: 'AWS::Serverless::Function', Properties: { Events } } } })
    assert.deepEqual([finding?.severity, finding?.where, more], ['not checked', 'Orders', []])
  })
})

/** Paths of all values in it, as keys to walk. */
function pathsOf(value: unknown, path: readonly string[] = []): string[][] {
  const inner =
    typeof value === 'object' && value !== null ? Object.entries(value).flatMap(([key, one]) => pathsOf(one, [...path, key])) : []
  return path.length === 0 ? inner : [[...path], ...inner]
}

function replaced(template: Template, path: readonly string[], value: unknown): unknown {
  const parent = path.slice(0, -1).reduce<unknown>((at, key) => Object(at)[key], template)
  if (typeof parent === 'object' && parent !== null) Object.assign(parent, { [path.at(-1) ?? '']: value })
  return template
}

const anyPath = fc.constantFrom(...pathsOf(goodTemplate()))
const names = fc.constantFrom(
  'Ref',
  'Fn::Sub',
  'Fn::GetAtt',
  'Fn::Join',
  'Fn::If',
  'Fn::Select',
  'Fn::Split',
  'Fn::FindInMap',
  'Fn::Transform',
  'Condition',
  '__proto__',
  'constructor',
)
const junk = fc.oneof(
  fc.jsonValue(),
  fc.anything(),
  fc.tuple(names, fc.jsonValue()).map(([name, value]) => ({ [name]: value })),
  fc
    .tuple(names, fc.oneof(fc.constantFrom('Queue', 'Function.Arn', ['Letters', 'Arn'], ['Mapping']), fc.array(fc.jsonValue())))
    .map(([name, value]) => ({ [name]: value })),
)

describe('whatever it is given', () => {
  test('property: it never throws, and every finding is whole', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anyPath, junk), { minLength: 1, maxLength: 4 }), (changes) => {
        let template: unknown = goodTemplate()
        for (const [path, value] of changes) template = replaced(template as Template, path, value)
        for (const finding of found(template))
          for (const text of Object.values(finding)) assert.ok(typeof text === 'string' && text !== '')
      }),
      { numRuns: 2_000 },
    )
    fc.assert(fc.property(junk, (template) => void found(template)))
  })

  test('property: a value of the good template that can’t be resolved adds nothing but "not checked"', () => {
    fc.assert(
      fc.property(anyPath, fc.constantFrom(...UNRESOLVABLE), (path, [, by]) => {
        // Above the properties it is no longer that resource.
        fc.pre(path.length > 3 && !path.includes('Expression'))
        const findings = found(replaced(goodTemplate(), path, by))
        assert.deepEqual(
          findings.filter(({ severity }) => severity !== 'not checked'),
          [],
        )
      }),
      { numRuns: 1_000 },
    )
  })

  test('what needs itself ends: names, conditions, objects', () => {
    const own: Record<string, unknown> = {}
    own['again'] = [own, own]
    const template = {
      ...changed({ 'Queue.QueueName': { 'Fn::GetAtt': ['Queue', 'QueueName'] }, 'Letters.Tags': own as never }),
      Conditions: { A: { 'Fn::And': [{ Condition: 'A' }, { Condition: 'A' }] } },
    }
    Object.assign(template.Resources['Depth'] ?? {}, { Condition: 'A' })
    assert.ok(said(found(template)).includes('not checked alarm.none'))
  })
})
