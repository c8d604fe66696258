import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Files, factsOf } from './facts.ts'
import * as rules from './rules.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string): string => readFileSync(`${root}/${path}`, 'utf8')
const paths = globSync(['src/**/*.ts', 'test/**/*.ts'], { cwd: root }).map((path) => path.replaceAll('\\', '/'))
const facts = factsOf(Object.fromEntries(paths.map((path) => [path, read(path)])))

describe('the rooms of this repository', () => {
  it('import downwards only', () => assert.deepEqual(rules.importsGoDownwards(facts), []))
  it('have no import cycle, types included', () => assert.deepEqual(rules.noFileImportsItselfInTheEnd(facts), []))
  it('name the AWS SDK in aws alone', () => assert.deepEqual(rules.theSdkIsNamedInAwsAlone(facts), []))
  it('keep clock, chance, environment and console out of flow and errors', () =>
    assert.deepEqual(rules.flowAndErrorsArePure(facts), []))
  it('read the environment in one file', () => assert.deepEqual(rules.theEnvironmentIsReadInOneFile(facts), []))
  it('read arguments in the command line alone', () => assert.deepEqual(rules.argumentsAreReadByTheCommandLineAlone(facts), []))
  it('around the core are not reached by the main entry', () => assert.deepEqual(rules.theMainEntryCarriesTheCoreOnly(facts), []))
  it('have an example service that imports what a user can', () => assert.deepEqual(rules.theServiceIsAnHonestUser(facts), []))
  it('hold no file over 300 lines and no function over 60', () => assert.deepEqual(rules.nothingIsGiant(facts), []))
  it('are all on the page of architecture, the files of the core too', () =>
    assert.deepEqual(rules.missingOn(read('src/README.md'), facts), []))
})

/** A repository in which every rule holds; each test below plants one thing in it. */
const sound: Files = {
  'src/index.ts': "export { consume } from './consumer.ts'\n",
  'src/consumer.ts': "import { decide } from './flow/decide.ts'\nexport const consume = () => decide()\n",
  'src/flow/decide.ts': 'export const decide = (at: number) => new Date(at)\n',
  'src/aws/sqs.ts': "export const client = () => import('@aws-sdk/client-sqs')\n",
  'src/worker/index.ts': "import { client } from '../aws/sqs.ts'\nexport { client }\n",
  'src/service/orders.ts': "import { consumer } from 'redrive'\nexport const handler = consumer(process.env['URL'])\n",
}

const planted = (rule: rules.Rule, files: Files): string[] => rule(factsOf({ ...sound, ...files }))
const lines = (count: number): string => 'x()\n'.repeat(count)

describe('a rule sees what is planted', () => {
  for (const [name, rule] of Object.entries(rules).filter(([name]) => !['roomOf', 'missingOn'].includes(name))) {
    it(`nothing in a sound repository: ${name}`, () => assert.deepEqual(planted(rule as rules.Rule, {}), []))
  }

  for (const [what, line, path] of [
    ['an import', "import { consume } from '../consumer.ts'", 'src/flow/up.ts'],
    ['a type import', "import type { consume } from '../consumer.ts'", 'src/aws/up.ts'],
    ['a re-export', "export { consume } from '../worker/index.ts'", 'src/aws/up.ts'],
    ['a dynamic import', "const x = () => import('../worker/index.ts')", 'src/dlq/up.ts'],
    ['an import type', "type X = import('../aws/sqs.ts').X", 'src/errors/up.ts'],
    ['the core', "import { consume } from '../consumer.ts'", 'src/worker/up.ts'],
    ['the service', "import { handler } from '../service/orders.ts'", 'src/cli/up.ts'],
    ['a test', "import { x } from '../../test/x.ts'", 'src/cli/up.ts'],
    ['a room of which the table knows nothing', 'export {}', 'src/utils/up.ts'],
  ] as const) {
    it(`upward: ${what}`, () => assert.equal(planted(rules.importsGoDownwards, { [path]: `${line}\n` }).length, 1))
  }

  it('a cycle of three, of which one import is a type', () => {
    const files = { 'src/a.ts': "import './b.ts'", 'src/b.ts': "import type { C } from './c.ts'", 'src/c.ts': "import './a.ts'" }
    assert.deepEqual(planted(rules.noFileImportsItselfInTheEnd, files), ['cycle: src/a.ts → src/b.ts → src/c.ts → src/a.ts'])
  })

  it('the SDK named by a type import outside of aws', () => {
    const files = { 'src/setup.ts': "import type { SQSClient } from '@aws-sdk/client-sqs'" }
    assert.deepEqual(planted(rules.theSdkIsNamedInAwsAlone, files), ['src/setup.ts: names @aws-sdk/client-sqs'])
  })

  for (const use of [
    'process.env',
    'console',
    'Date.now',
    'new Date()',
    'Date()',
    'Math.random',
    'performance.now',
    'setTimeout',
  ]) {
    const code = { console: 'console.log(1)', setTimeout: 'setTimeout(f, 1)' }[use] ?? use
    it(`${use} in flow`, () => {
      const files = { 'src/flow/impure.ts': `export const x = () => ${code}\n` }
      assert.deepEqual(planted(rules.flowAndErrorsArePure, files), [`src/flow/impure.ts: uses ${use}`])
    })
  }

  it('a clock that comes as a module', () =>
    assert.equal(planted(rules.flowAndErrorsArePure, { 'src/errors/x.ts': "import { env } from 'node:process'" }).length, 1))

  it('the environment read in a second file', () =>
    assert.equal(
      planted(rules.theEnvironmentIsReadInOneFile, { 'src/worker/x.ts': "export const x = process.env['X']" }).length,
      1,
    ))

  it('arguments read below the command line', () =>
    assert.equal(
      planted(rules.argumentsAreReadByTheCommandLineAlone, { 'src/dlq/x.ts': 'export const x = process.argv' }).length,
      1,
    ))

  it('a room around the core that the main entry reaches through another file', () => {
    const files = { 'src/consumer.ts': "import './x.ts'", 'src/x.ts': "export type { W } from './worker/index.ts'" }
    assert.deepEqual(planted(rules.theMainEntryCarriesTheCoreOnly, files), ['src/index.ts reaches src/worker/index.ts'])
  })

  it('a service that takes a way no user has', () => {
    const files = { 'src/service/x.ts': "import '../consumer.ts'\nimport 'redrive/flow/decide'\n" }
    assert.equal(planted(rules.theServiceIsAnHonestUser, files).length, 2)
  })

  it('a file of 301 lines, a function of 61, and neither of one less', () => {
    const files = {
      'src/long.ts': lines(301),
      'test/full.ts': lines(300),
      'src/giant.ts': `export function giant() {\n${lines(59)}}\n`,
      'src/large.ts': `export const large = () => {\n${lines(58)}}\n`,
    }
    assert.deepEqual(planted(rules.nothingIsGiant, files), ['src/long.ts: 301 lines', 'src/giant.ts:1: a function of 61 lines'])
  })

  it('a room and a core file that the page of architecture leaves out', () => {
    const page = '`index.ts` `flow/` `aws/` `service/`'
    assert.deepEqual(rules.missingOn(page, factsOf(sound)), ['consumer.ts', 'worker/'])
  })
})
