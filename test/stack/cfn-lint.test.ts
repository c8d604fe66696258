import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import fc from 'fast-check'
import { templateFor } from '../../src/stack/template.ts'
import { yamlOf } from '../../src/stack/yaml.ts'
import { ledger, orders, watched } from './options.ts'
import { anyService } from './random-options.ts'

const linter = process.env['REDRIVE_TEST_CFN_LINT']
// As with the servers of the live tests: what is missing is skipped on a developer's machine, and a failure in CI.
if (linter === undefined && process.env['REDRIVE_TEST_SKIP_NOTHING']) throw new Error('REDRIVE_TEST_CFN_LINT must name cfn-lint')
const skip =
  linter === undefined && 'REDRIVE_TEST_CFN_LINT names no cfn-lint: python3 -m venv x && x/bin/pip install cfn-lint==1.58.0'

describe('cfn-lint', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'redrive-lint-'))
  after(() => rmSync(folder, { recursive: true }))

  function complaints(templates: readonly string[], ...options: readonly string[]): string {
    const paths = templates.map((text, index) => {
      const path = join(folder, `${index}.yml`)
      writeFileSync(path, text)
      return path
    })
    // Warnings are complaints too.
    const { stdout, stderr, status } = spawnSync(String(linter), ['--regions', 'eu-central-1', ...options, '--', ...paths], {
      encoding: 'utf8',
    })
    return status === 0 ? '' : `${stdout}${stderr}`
  }

  it('finds nothing in the template of a service with a standard and a FIFO consumer', () => {
    const kmsKeyArn = 'arn:aws:kms:eu-central-1:111122223333:key/11111111-2222-3333-4444-555555555555'
    const own = { arn: 'arn:aws:sqs:eu-central-1:111122223333:mine' }
    const templates = [
      templateFor(watched, [orders, ledger]),
      templateFor({ ...watched, table: false, removal: 'Delete' }, [
        { ...orders, kmsKeyArn, provisionedPollers: { minimum: 2, maximum: 50 } },
        { logicalName: 'Mine', queue: own, functionTimeout: 900, batchSize: 1000 },
      ]),
    ]
    assert.equal(complaints(templates.map(yamlOf)), '')
  })

  it('finds nothing in templates of any options', () => {
    const services = fc.sample(anyService, { numRuns: 25, seed: 5 }).filter(({ consumers }) => consumers.length > 0)
    const templates = services.map(({ service, consumers }) => JSON.stringify(templateFor(service, consumers)))
    // E1029: some of the texts are made to look like a parameter of Fn::Sub.
    assert.equal(complaints(templates, '--ignore-checks', 'E1029'), '')
  })
})
