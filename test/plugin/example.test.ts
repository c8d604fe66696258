// The repository's own serverless.yml: the example service, packaged as `npm run package` does it.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { FRAMEWORKS, ids, type Packaged, packageFolder, properties, root, write } from './package.ts'
import { filesIn } from './zip.ts'

const ALARMS = [
  'DeadLetterSendsAlarm',
  'DeadLettersAlarm',
  'DeadLettersGrowAlarm',
  'StalledByAgeAlarm',
  'StalledByStoreAlarm',
  'StalledUndoneAlarm',
]
const OF_ONE = ['DeadLetterQueue', 'LambdaFunction', 'Policy', 'Queue', ...ALARMS]

for (const framework of FRAMEWORKS) {
  describe(`the example service, packaged by ${framework} with serverless-esbuild`, () => {
    let packaged: Packaged
    before(async () => {
      packaged = await packageFolder(framework, root, { NODE_OPTIONS: '--conditions=redrive-source' })
      assert.equal(packaged.code, 0, packaged.printed)
    })

    it('is these resources and no others', () => {
      const each = ['Orders', 'Ledger'].flatMap((name) => [
        ...OF_ONE.map((kind) => `${name}${kind}`),
        `${name}EventSourceMappingSQS${name}Queue`,
      ])
      const shared = ['IamRoleLambdaExecution', 'RedriveAlarmEmail', 'RedriveAlarmTopic', 'RedriveDashboard', 'RedriveTable']
      assert.deepEqual(ids(packaged), [...each, ...shared].sort())
    })

    it('reads orders and ledger.fifo', () => {
      assert.equal(properties(packaged, 'OrdersQueue')['QueueName'], 'orders')
      assert.equal(properties(packaged, 'LedgerQueue')['QueueName'], 'ledger.fifo')
    })

    it('is one file a function, which carries redrive and no SDK, and starts', async () => {
      for (const name of ['orders', 'ledger']) {
        const files = filesIn(join(packaged.folder, `${name}.zip`))
        assert.deepEqual(Object.keys(files), [`src/service/${name}.mjs`])
        const [code = ''] = Object.values(files)
        assert.match(code, /batchItemFailures/)
        assert.doesNotMatch(code, /AWSJsonRpc|@smithy/)
        write(packaged.folder, { [`${name}.mjs`]: code })
        process.env['PAYMENTS_URL'] = 'http://127.0.0.1:9'
        const { handler } = (await import(pathToFileURL(join(packaged.folder, `${name}.mjs`)).href)) as Record<string, unknown>
        assert.equal(typeof handler, 'function')
      }
    })
  })
}
