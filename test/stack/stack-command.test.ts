import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { parse } from 'yaml'
import type { Terminal } from '../../src/cli/command.ts'
import { main } from '../../src/cli/main.ts'
import { templateFor } from '../../src/stack/template.ts'

const folder = mkdtempSync(join(tmpdir(), 'redrive-stack-'))
after(() => rmSync(folder, { recursive: true }))

async function stack(...argv: string[]): Promise<{ code: number; out: string; error: string }> {
  const said = { out: '', error: '' }
  const terminal: Terminal = {
    env: {},
    folder,
    interactive: false,
    out(text) {
      said.out += `${text}\n`
    },
    error(text) {
      said.error += `${text}\n`
    },
    onEnd: () => () => {},
  }
  return { code: await main(['stack', ...argv], terminal), ...said }
}

const shop = ['--service', 'shop', '--stage', 'prod']
const kmsKeyArn = 'arn:aws:kms:eu-central-1:111122223333:key/k'
const mine = 'arn:aws:sqs:eu-central-1:111122223333:order-events.fifo'
const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

describe('redrive stack', () => {
  it('prints the template of the consumers as YAML, and with --json as JSON', async () => {
    const argv = [
      ...shop,
      '--consumer',
      'orders,timeout=30,concurrency=20',
      '--consumer',
      'ledger,fifo,timeout=60',
      '--email',
      'a@b.example',
    ]
    const wanted = templateFor({ service: 'shop', stage: 'prod', alarm: { email: 'a@b.example' } }, [
      { logicalName: 'Orders', queue: { make: 'orders' }, functionTimeout: 30, maximumConcurrency: 20 },
      { logicalName: 'Ledger', queue: { make: 'ledger' }, fifo: true, functionTimeout: 60 },
    ])
    const yaml = await stack(...argv)
    assert.deepEqual([yaml.code, yaml.error], [0, ''])
    assert.deepEqual(parse(yaml.out), json(wanted))
    assert.deepEqual(JSON.parse((await stack(...argv, '--json')).out), json(wanted))
  })

  it('takes every setting of a consumer and of the service', async () => {
    const consumer = `${mine},timeout=30,batch=5,pollers=2-50,kms=${kmsKeyArn},dlq=${mine.replace('.fifo', '-dead.fifo')},attempts=3,max-age=60,name=events,function=fn,id=Events`
    const table = 'arn:aws:dynamodb:eu-central-1:111122223333:table/mine'
    const topicArn = 'arn:aws:sns:eu-central-1:111122223333:oncall'
    const { out, error } = await stack(
      ...[...shop, '--consumer', consumer, '--topic', topicArn, '--owner', 'team', '--runbook', 'https://wiki', '--table', table],
      ...['--retention', '3600', '--removal', 'Delete', '--no-dashboard', '--json'],
    )
    const alarm = { topicArn, owner: 'team', runbook: 'https://wiki' }
    const service = {
      service: 'shop',
      stage: 'prod',
      alarm,
      table: { arn: table },
      retention: 3600,
      removal: 'Delete',
      dashboard: false,
    } as const
    const wanted = templateFor(service, [
      {
        logicalName: 'Events',
        name: 'events',
        functionName: 'fn',
        queue: { arn: mine },
        deadLetterQueue: { arn: mine.replace('.fifo', '-dead.fifo') },
        functionTimeout: 30,
        batchSize: 5,
        provisionedPollers: { minimum: 2, maximum: 50 },
        kmsKeyArn,
        maxAttempts: 3,
        maxAge: 60,
      },
    ])
    assert.equal(error, '')
    assert.deepEqual(JSON.parse(out), json(wanted))
  })

  it('reads all of it from a file', async () => {
    const wanted = {
      service: { service: 'shop', stage: 'dev', table: false as const },
      consumers: [{ logicalName: 'Orders', queue: { make: 'orders' }, functionTimeout: 30 }],
    }
    writeFileSync(join(folder, 'stack.json'), JSON.stringify(wanted))
    const { code, out } = await stack('--from', 'stack.json', '--json')
    assert.equal(code, 0)
    assert.deepEqual(JSON.parse(out), json(templateFor(wanted.service, wanted.consumers)))
  })

  it('makes a logical name of any queue name', async () => {
    const { out } = await stack(...shop, '--consumer', 'my-order_events,timeout=1', '--consumer', '2nd,timeout=1', '--json')
    const ids = Object.keys((JSON.parse(out) as { Resources: object }).Resources)
    assert.ok(ids.includes('MyOrderEventsQueue') && ids.includes('Queue2ndQueue'), ids.join())
  })
})

describe('redrive stack refuses, in words and with exit code 2,', () => {
  const orders = ['--consumer', 'orders,timeout=30']
  const refused: readonly (readonly [argv: readonly string[], message: RegExp])[] = [
    [[], /--consumer is missing\. Give it like this: --consumer orders,timeout=30/],
    [['--consumer', 'orders,timeout=30'], /--service is missing/],
    [['--service', 'shop', ...orders], /--stage is missing/],
    [[...shop, '--consumer', 'orders'], /lacks the function's timeout\. Give it like this: --consumer orders,timeout=30/],
    [[...shop, '--consumer', 'timeout=30'], /must begin with a queue's name or ARN/],
    [[...shop, '--consumer', 'orders,timeot=30'], /there is no setting 'timeot'\. Did you mean 'timeout'\?/],
    [[...shop, '--consumer', 'orders,timeout=2m'], /'2m' must be a whole number/],
    [[...shop, '--consumer', 'orders,timeout='], /timeout has no value/],
    [
      [...shop, '--consumer', 'orders,fifo,timeout=30,batch=11'],
      /consumer Orders: "batchSize" must be at most 10 on a FIFO queue/,
    ],
    [[...shop, ...orders, '--removal', 'keep'], /"removal" must be 'Retain' or 'Delete'/],
    [[...shop, ...orders, '--retention', '1'], /--retention is '1'\. It must be a whole number from 60/],
    [[...shop, ...orders, '--owner', 'team'], /--owner needs --email or --topic/],
    [[...shop, ...orders, '--runbook', 'https://wiki'], /--runbook needs --email or --topic/],
    [[...shop, ...orders, '--no-table', '--table', 'x'], /--table and --no-table: one of them/],
    [[...shop, ...orders, '--json', '--yaml'], /--json and --yaml: one of them/],
    [['--from', 'none.json'], /none\.json can not be read/],
    [['--from', 'none.json', '--stage', 'prod'], /--stage can't stand beside --from/],
    [['--from', 'broken.json'], /broken\.json is not JSON/],
    [['--from', 'other.json'], /other\.json must hold \{"service": \{…\}, "consumers": \[\{…\}\]\}/],
    [['--from', 'wrong.json'], /consumer Orders: "functionTimeout" is missing/],
  ]
  writeFileSync(join(folder, 'broken.json'), '{')
  writeFileSync(join(folder, 'other.json'), '{"service": {}}')
  writeFileSync(
    join(folder, 'wrong.json'),
    '{"service": {"service": "a", "stage": "b"}, "consumers": [{"logicalName": "Orders", "queue": {"make": "x"}}]}',
  )
  for (const [argv, message] of refused) {
    it(argv.join(' ') || 'nothing at all', async () => {
      const { code, out, error } = await stack(...argv)
      assert.deepEqual([code, out], [2, ''])
      assert.match(error, message)
      assert.doesNotMatch(error, /\n\s+at /)
    })
  }
})
