// `redrive dev` as a person uses it: send by the printed line, edit, send again.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { startEmbeddedSqs } from '../../src/worker/index.ts'
import { startRedrive } from './redrive-process.ts'

const shell = (line: string) => promisify(execFile)('sh', ['-c', line])
let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'redrive-dev-'))
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
})
after(() => rm(folder, { recursive: true }))

const handler = `
import { version } from './version.js'
export const orders = async ({ Records }) => {
  for (const { body } of Records) console.log('version', version, 'got', body, process.env.REDRIVE_TABLE, process.env.AWS_REGION)
}`

test('dev makes the queue, runs the printed line, reloads what the handler imports, and ends', { timeout: 60_000 }, async () => {
  await writeFile(join(folder, 'orders.js'), handler)
  await writeFile(join(folder, 'version.js'), 'export const version = 1')
  const redrive = startRedrive('dev', '--handler', `${join(folder, 'orders.js')}#orders`, '--queue', 'orders')
  const [line] = await redrive.prints(/curl -s .*/)
  await redrive.prints(/waiting for messages/)
  await shell(line)
  await redrive.prints(/version 1 got \{"id":"1"\} redrive-dev us-east-1/)
  await writeFile(join(folder, 'version.js'), 'export const version = 2')
  await redrive.prints(/waiting for messages.*waiting for messages/s)
  await shell(line)
  await redrive.prints(/version 2 got \{"id":"1"\}/)
  redrive.child.kill('SIGTERM')
  assert.equal(await redrive.exit, 0, redrive.printed())
})

test('dev --fifo --endpoint uses an emulator that runs already', { timeout: 60_000 }, async () => {
  await writeFile(join(folder, 'ledger.js'), `export const handler = async ({ Records }) => console.log('got', Records[0].body)`)
  const sqs = await startEmbeddedSqs()
  try {
    const redrive = startRedrive(
      'dev',
      '--handler',
      join(folder, 'ledger.js'),
      '--queue',
      'ledger',
      '--fifo',
      '--endpoint',
      sqs.endpoint,
    )
    await redrive.prints(/There is no DynamoDB at/)
    const [line] = await redrive.prints(/curl -s .*/)
    await redrive.prints(/waiting for messages/)
    await shell(line)
    await redrive.prints(/got \{"id":"1"\}/)
    redrive.child.kill('SIGTERM')
    assert.equal(await redrive.exit, 0, redrive.printed())
  } finally {
    await sqs.stop()
  }
})

test('dev says in words that a port is taken', { timeout: 60_000 }, async () => {
  await writeFile(join(folder, 'port.js'), 'export const handler = () => {}')
  const sqs = await startEmbeddedSqs()
  try {
    const port = sqs.endpoint.split(':').at(-1)!
    const redrive = startRedrive('dev', '--handler', join(folder, 'port.js'), '--queue', 'orders', '--port', port)
    assert.equal(await redrive.exit, 2)
    assert.match(redrive.printed(), new RegExp(`--port: ${port} is taken on 127\\.0\\.0\\.1`))
  } finally {
    await sqs.stop()
  }
})
