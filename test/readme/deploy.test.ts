/** The service of README.md's deployment chapter, packaged by both frameworks as a reader would: plugin, esbuild, alarms. */
import assert from 'node:assert/strict'
import { symlinkSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { FRAMEWORKS, ids, packageFolder, root, serviceFolder } from '../plugin/package.ts'
import { blocks } from './readme.ts'

const [service = ''] = blocks('yaml')
const [handler = ''] = blocks('ts')

for (const framework of FRAMEWORKS) {
  test(`${framework} packages the service of the deployment chapter`, async () => {
    const folder = serviceFolder(service)
    writeFileSync(`${folder}/src/orders.ts`, handler)
    writeFileSync(
      `${folder}/node_modules/redrive/package.json`,
      '{ "name": "redrive", "type": "module", "exports": { ".": "./index.js", "./plugin": "./plugin.js" } }',
    )
    writeFileSync(`${folder}/node_modules/redrive/index.js`, `export * from '${root}/src/index.ts'\n`)
    for (const name of ['zod', '@middy', 'esbuild', 'serverless-esbuild'])
      symlinkSync(`${root}/node_modules/${name}`, `${folder}/node_modules/${name}`)
    const packaged = await packageFolder(framework, folder)
    assert.equal(packaged.code, 0, packaged.printed)
    const made = ids(packaged)
    for (const id of ['OrdersQueue', 'OrdersDeadLetterQueue', 'OrdersLambdaFunction', 'OrdersDeadLettersAlarm']) {
      assert.ok(made.includes(id), `${id} is not in ${made.join(', ')}`)
    }
    const queues = Object.values(packaged.resources).flatMap(({ Properties: { QueueName } }) =>
      QueueName === undefined ? [] : [QueueName],
    )
    assert.deepEqual(queues.sort(), ['orders-dev', 'orders-dev-dlq'])
  })
}
