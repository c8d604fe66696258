/** Each rule finds what it is about, and is silent about what is right: walked along the table, so that none is left out. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { rules } from '../../src/stack/doctor/rules/all.ts'
import { diagnoseTemplate, type Finding } from '../../src/stack/doctor.ts'
import type { Case } from './case.ts'
import { casesOfFunctions } from './cases-of-functions.ts'
import { casesOfQueues } from './cases-of-queues.ts'
import { fifo, goodOptions, goodTemplate } from './good-template.ts'

const casesOfRules = { ...casesOfQueues, ...casesOfFunctions }

const found = ({ template, own }: Case): Finding[] => diagnoseTemplate(template, { optionsOf: () => own })
const ofRule = (id: string, one: Case): Finding[] => found(one).filter(({ rule }) => rule === id)

test('every rule has a bad and a good fixture, and every fixture a rule', () => {
  assert.deepEqual(Object.keys(casesOfRules).sort(), rules.map(({ id }) => id).sort())
  for (const [id, { bad, good }] of Object.entries(casesOfRules)) assert.ok(bad.length > 0 && good.length > 0, id)
})

test('nothing is wrong with the good template, on standard and on FIFO queues', () => {
  assert.deepEqual(found({ template: goodTemplate(), own: goodOptions }), [])
  assert.deepEqual(found({ template: fifo(), own: goodOptions }), [])
})

for (const { id, severity } of rules) {
  describe(id, () => {
    const { bad = [], good = [] } = casesOfRules[id] ?? {}
    for (const [index, one] of bad.entries()) {
      test(`finds bad fixture ${index + 1}`, () => {
        const [finding, ...more] = ofRule(id, one)
        assert.equal(finding?.severity, severity)
        assert.deepEqual(more, [])
        assert.ok(finding.what.length > 10 && finding.where.length > 1, finding.what)
      })
    }
    for (const [index, one] of good.entries()) {
      test(`is silent about good fixture ${index + 1}`, () => assert.deepEqual(ofRule(id, one), []))
    }
  })
}

test('ids are named by what they are about, and none comes twice', () => {
  const ids = rules.map(({ id }) => id)
  assert.equal(new Set(ids).size, ids.length)
  for (const id of ids) assert.match(id, /^(mapping|queue|dead-letters|options|function|role|table|alarm)\.[a-z-]+$/)
})
