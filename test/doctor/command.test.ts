/** `redrive doctor` on the command line: sources, forms of the answer, exit codes. */
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { main } from '../../src/cli/main.ts'
import type { Finding } from '../../src/stack/doctor.ts'
import { changed, goodTemplate } from './good-template.ts'

const here = fileURLToPath(new URL('.', import.meta.url))

interface Answer {
  readonly code: number
  readonly out: string
  readonly error: string
}

async function run(folder: string, ...argv: string[]): Promise<Answer> {
  const said = { out: '', error: '' }
  const code = await main(['doctor', ...argv], {
    // 'redrive' is src/index.ts here, without a build.
    env: { ...process.env, NODE_OPTIONS: '--conditions=redrive-source' },
    folder,
    interactive: false,
    out(text) {
      said.out += `${text}\n`
    },
    error(text) {
      said.error += `${text}\n`
    },
    onEnd: () => () => {},
  })
  return { code, ...said }
}

async function onTemplate(template: unknown, ...argv: string[]): Promise<Answer> {
  const folder = mkdtempSync(join(tmpdir(), 'redrive-'))
  try {
    writeFileSync(join(folder, 't.json'), typeof template === 'string' ? template : JSON.stringify(template))
    return await run(folder, '--template', 't.json', ...argv)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const asJson = ({ out }: Answer): { readonly consumers: string[]; readonly findings: Finding[] } => JSON.parse(out)
const short = ({ findings }: { readonly findings: readonly Finding[] }): string[] =>
  findings.filter(({ severity }) => severity !== 'not checked').map(({ severity, rule }) => `${severity} ${rule}`)

describe('redrive doctor --template', () => {
  test('says in one line that nothing is wrong, exit 0', async () => {
    const { code, out, error } = await onTemplate(goodTemplate())
    assert.deepEqual([code, out, error], [0, 't.json, one consumer (Function): nothing is wrong.\n', ''])
  })

  test('says of each finding where, what happens, the fix and the page; errors are exit 1', async () => {
    const { code, out } = await onTemplate(changed({ 'Queue.VisibilityTimeout': 29 }))
    assert.equal(code, 1)
    assert.match(
      out,
      /^error {2}Queue: VisibilityTimeout \(Function\)\n {2}The visibility timeout of 29 s .*\n {2}Fix: .*\n {2}queue\.visibility-below-timeout {2}https:/,
    )
    assert.match(out, /: 1 error\.\n$/)
  })

  test('warnings and advice alone are exit 0', async () => {
    const { code, out } = await onTemplate(changed({ 'Queue.VisibilityTimeout': 31, 'Letters.MessageRetentionPeriod': 400_000 }))
    assert.equal(code, 0)
    assert.match(out, /: 1 warning, 1 piece of advice\.\n$/)
  })

  test('what is not checked is said once a reason, with its rules', async () => {
    const { code, out } = await onTemplate(changed({ 'Queue.VisibilityTimeout': { Ref: 'Seconds' } }))
    assert.equal(code, 0)
    assert.match(
      out,
      /not checked, which is no all-clear:\n {2}the parameter Seconds: queue\.visibility-below-timeout, queue\.visibility-short\n/,
    )
    assert.match(out, /: 2 not checked\.\n$/)
  })

  test('YAML with short intrinsics: names, texts, maps, conditions and policies are followed', async () => {
    const answer = await run(here, '--template', 'bad.template.yaml', '--json')
    assert.equal(answer.code, 1)
    const { consumers, findings } = asJson(answer)
    assert.deepEqual(consumers, ['Function'])
    assert.deepEqual(short({ findings }), [
      'error queue.visibility-below-timeout',
      'error role.table',
      'warning alarm.none',
      'warning alarm.none-on-stalling',
    ])
    assert.match(findings[0]?.what ?? '', /50 s is below the function's timeout of 60 s/)
    const open = findings.filter(({ severity }) => severity === 'not checked')
    assert.deepEqual([...new Set(open.map(({ what }) => what))], ['the table elsewhere is not in this template'])
  })
})

describe('redrive doctor --sarif', () => {
  test('has the shape of SARIF 2.1.0, with the line of each resource', async () => {
    const { code, out } = await run(here, '--template', 'bad.template.yaml', '--sarif')
    assert.equal(code, 1)
    const log = JSON.parse(out) as Sarif
    assert.equal(log.version, '2.1.0')
    assert.ok(URL.canParse(log.$schema))
    const [{ tool, results }] = log.runs
    assert.ok(tool.driver.name && tool.driver.version)
    assert.ok(tool.driver.rules.every(({ id, helpUri }) => id !== '' && URL.canParse(helpUri)))
    for (const { ruleId, ruleIndex, kind, level, message, locations } of results) {
      assert.equal(tool.driver.rules[ruleIndex]?.id, ruleId)
      assert.ok(message.text.length > 0)
      // SARIF 3.27.9: a kind other than "fail" has the level "none".
      assert.ok(kind === 'fail' ? ['error', 'warning', 'note'].includes(level) : kind === 'open' && level === 'none')
      const [{ physicalLocation: place, logicalLocations }] = locations
      assert.equal(place.artifactLocation.uri, 'bad.template.yaml')
      assert.ok(place.region.startLine >= 1 && logicalLocations[0].fullyQualifiedName !== '')
    }
    const visibility = results.find(({ ruleId }) => ruleId === 'queue.visibility-below-timeout')
    assert.equal(visibility?.locations[0].physicalLocation.region.startLine, 9)
  })
})

interface Sarif {
  readonly $schema: string
  readonly version: string
  readonly runs: readonly [
    {
      readonly tool: { readonly driver: { name: string; version: string; rules: { id: string; helpUri: string }[] } }
      readonly results: readonly {
        readonly ruleId: string
        readonly ruleIndex: number
        readonly kind: string
        readonly level: string
        readonly message: { readonly text: string }
        readonly locations: readonly [
          {
            readonly physicalLocation: { artifactLocation: { uri: string }; region: { startLine: number } }
            readonly logicalLocations: readonly [{ fullyQualifiedName: string }]
          },
        ]
      }[]
    },
  ]
}

describe('redrive doctor of a service', () => {
  test('packages it, imports its consumers’ handlers and no other, and leaves nothing behind', async () => {
    const folder = join(here, 'service')
    const before = readdirSync(folder)
    const answer = await run(folder, '--json')
    assert.equal(answer.code, 1, answer.error)
    const { consumers, findings } = asJson(answer)
    assert.deepEqual(consumers, ['bad-dev-orders', 'bad-dev-silent'])
    assert.deepEqual(short({ findings: findings.filter(({ consumer }) => consumer === 'bad-dev-orders') }), [
      'error mapping.no-partial-batch',
      'error queue.visibility-below-timeout',
      'error dead-letters.none',
      'error options.max-age-past-retention',
      'error role.visibility',
      'warning dead-letters.not-told',
      'warning alarm.none-on-stalling',
      'advice table.none',
    ])
    assert.ok(findings.some(({ consumer, what }) => consumer === 'bad-dev-silent' && /does not tell them/.test(what)))
    assert.deepEqual(readdirSync(folder), before)
  })

  test('finds nothing in the example', async () => {
    const root = join(here, '../..')
    mkdirSync(join(root, '.build'), { recursive: true })
    // A copy: the plugin's tests package the folder itself, and esbuild keeps its work there.
    const folder = mkdtempSync(join(root, '.build/doctor-'))
    try {
      cpSync(join(root, 'serverless.yml'), join(folder, 'serverless.yml'))
      cpSync(join(root, 'src/service'), join(folder, 'src/service'), { recursive: true })
      const { code, out, error } = await run(folder)
      assert.deepEqual([code, error], [0, ''])
      assert.equal(out, 'serverless.yml, 2 consumers (shop-dev-orders, shop-dev-ledger): nothing is wrong.\n')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  test('that can’t be packaged: what its framework says, exit 2', async () => {
    const folder = mkdtempSync(join(here, 'broken-'))
    try {
      writeFileSync(join(folder, 'serverless.yml'), 'service: x\nprovider: { name: aws }\nfunctions: { a: { handlr: x } }\n')
      const { code, error } = await run(folder)
      assert.equal(code, 2)
      assert.match(error, /can't be packaged:[\s\S]*handlr/)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

const refused: readonly (readonly [string, readonly string[], RegExp])[] = [
  ['no service', [], /There is no serverless\.yml in this folder\. Give --serverless FILE/],
  ['two sources', ['--template', 'x', '--stack', 'y'], /Give one of --template and --stack\./],
  ['two forms', ['--template', 'bad.template.yaml', '--json', '--sarif'], /exclude each other/],
  ['no such file', ['--template', 'none.json'], /there is no file .*none\.json/],
  ['an empty name', ['--stack', ''], /--stack is empty/],
  ['no URL', ['--stack', 'x', '--endpoint', 'localhost'], /--endpoint is 'localhost'/],
  ['no such handler', ['--template', 'bad.template.yaml', '--handler', 'none.js'], /there is no file .*none\.js/],
]

describe('redrive doctor is not done, exit 2', () => {
  for (const [what, argv, message] of refused) {
    test(what, async () => {
      const { code, out, error } = await run(here, ...argv)
      assert.deepEqual([code, out], [2, ''])
      assert.match(error, message)
    })
  }

  test('a file that is no template, one without consumers', async () => {
    const broken = await onTemplate('{"Resources": ')
    assert.equal(broken.code, 2)
    assert.match(broken.error, /t\.json can't be read/)
    const empty = await onTemplate({ Resources: {} })
    assert.deepEqual(
      [empty.code, empty.error],
      [2, 'redrive doctor: t.json has no mapping from an SQS queue to a function: there is nothing to look at.\n'],
    )
  })

  test('nobody at the endpoint: one line that says what to do', async () => {
    Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'x' })
    const { code, error } = await run(here, '--stack', 'shop', '--endpoint', 'http://127.0.0.1:1')
    assert.equal(code, 2)
    assert.match(error, /^redrive doctor: nobody answers at the endpoint\. Check --endpoint .*\n$/)
  })
})
