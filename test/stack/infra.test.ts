import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { parse } from 'yaml'
import { readServerless } from '../../src/stack/serverless.ts'
import { templateFor } from '../../src/stack/template.ts'
import { yamlOf } from '../../src/stack/yaml.ts'

const root = new URL('../../', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8')

const head = `# What serverless.yml at the root deploys beside the functions of src/service, as plain CloudFormation. Generated, and compared in a
# test: REDRIVE_WRITE_INFRA=1 node --conditions=redrive-source --test test/stack/infra.test.ts
`

/** The example's template: its serverless.yml, with each variable at its default. */
function example(): string {
  const text = read('serverless.yml').replaceAll(/\$\{[^}]*?'([^']*)'\}/g, '$1')
  const { options, consumers } = readServerless(parse(text))
  const named = consumers.map(({ options: consumer, functionName }) => ({
    ...consumer,
    // What the Serverless Framework calls it.
    functionName: `${options.service}-${options.stage}-${functionName}`,
  }))
  return `${head}${yamlOf(templateFor(options, named))}`
}

describe('infra/', () => {
  it('shop.yml is what src/stack makes of the example', () => {
    const made = example()
    if (process.env['REDRIVE_WRITE_INFRA'] === '1') writeFileSync(new URL('infra/shop.yml', root), made)
    assert.equal(read('infra/shop.yml'), made, 'infra/shop.yml is out of date: run this test with REDRIVE_WRITE_INFRA=1')
  })

  it('shop.yml is parsed again to the template, with both consumers', () => {
    const { Resources } = parse(read('infra/shop.yml')) as { Resources: Record<string, { Properties: Record<string, unknown> }> }
    assert.equal(Resources['OrdersQueue']?.Properties['QueueName'], 'orders')
    assert.equal(Resources['LedgerQueue']?.Properties['QueueName'], 'ledger.fifo')
  })

  it('compose.yml is one LocalStack of a version that needs no token, for this machine alone, with a health check', () => {
    const { services, ...rest } = parse(read('infra/compose.yml')) as { services: Record<string, Service> }
    assert.deepEqual([Object.keys(rest), Object.keys(services)], [['name'], ['localstack']])
    const { image, ports, environment, volumes, healthcheck, ...other } = services['localstack'] ?? {}
    assert.deepEqual(other, {})
    assert.equal(image, 'localstack/localstack:4.14.0')
    assert.deepEqual(ports, ['127.0.0.1:4566:4566'])
    assert.deepEqual(volumes, ['/var/run/docker.sock:/var/run/docker.sock'])
    // Compose refuses values that are no texts, numbers or null; a text is the one that can't surprise.
    assert.ok(Object.values(environment ?? {}).every((value) => typeof value === 'string'))
    assert.equal(
      Object.keys(environment ?? {}).some((name) => /TOKEN|API_KEY/.test(name)),
      false,
    )
    assert.deepEqual(Object.keys(healthcheck ?? {}), ['test', 'interval', 'timeout', 'retries'])
  })
})

interface Service {
  readonly image?: string
  readonly ports?: readonly string[]
  readonly environment?: Readonly<Record<string, unknown>>
  readonly volumes?: readonly string[]
  readonly healthcheck?: object
}
