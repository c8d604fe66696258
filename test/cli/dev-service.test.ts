// `redrive dev` in the folder of a serverless.yml, as a person uses it.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of a serverless.yml look like that
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { startRedrive } from './redrive-process.ts'

const shell = (line: string) => promisify(execFile)('sh', ['-c', line])
const base = mkdtempSync(join(tmpdir(), 'redrive-dev-service-'))
after(() => rmSync(base, { recursive: true }))

/** A folder with a service in it. */
function serviceWith(text: string, files: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(base, 'service-'))
  for (const [path, content] of Object.entries({ 'package.json': '{"type":"module"}', 'serverless.yml': text, ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  return folder
}

const printing = (what: string): string =>
  `export const handler = async ({ Records }) => { for (const { body, attributes } of Records) console.log(${what}) }`

test('dev runs every function with a redrive event, on its own queue and with its environment', { timeout: 60_000 }, async () => {
  const folder = serviceWith(
    `service: shop
provider: { name: aws, environment: { STAGE: '\${sls:stage}', TOKEN: '\${ssm:/token}' } }
custom: { redrive: { alarm: { email: '\${ssm:/mail}' } }, names: { test: parcels } }
functions:
  web: { handler: src/none.handler, events: [{ httpApi: '*' }] }
  orders:
    handler: src/orders.handler
    environment: { SHOP: '\${self:service}', TABLE: !Ref OrdersTable }
    events:
      - redrive: { queue: '\${self:custom.names.\${sls:stage}, "orders"}', kmsKeyArn: '\${ssm:/key}' }
  ledger: { handler: src/ledger.handler, events: [{ redrive: { queue: ledger, fifo: true } }] }
`,
    {
      'src/orders.ts': printing(
        `'orders got', body as string, process.env.SHOP, process.env.STAGE, process.env.REDRIVE_MAX_AGE`,
      ).replace('({ Records })', '({ Records }: { Records: { body: string; attributes: object }[] })'),
      'src/ledger.js': printing(`'ledger got', attributes.MessageGroupId, process.env.REDRIVE_QUEUE_URL`),
    },
  )
  const redrive = startRedrive('dev', '--config', join(folder, 'serverless.yml'), '--stage', 'test')
  await redrive.prints(/orders: TOKEN is not set: \$\{ssm:\/token\} can't be known here/)
  await redrive.prints(/orders: TABLE is not set: \{"Ref":"OrdersTable"\}/)
  const [orders] = await redrive.prints(/curl -s .*parcels".*/)
  const [ledger] = await redrive.prints(/curl -s .*ledger\.fifo".*/)
  await redrive.prints(/waiting for messages.*waiting for messages/s)
  await Promise.all([shell(orders), shell(ledger)])
  await redrive.prints(/orders got \{"id":"1"\} shop test 259200/)
  await redrive.prints(/ledger got group-1 http:\S+\/ledger\.fifo/)
  redrive.child.kill('SIGTERM')
  assert.equal(await redrive.exit, 0, redrive.printed())
})

const WRONG: readonly (readonly [what: string, file: string, said: RegExp])[] = [
  [
    'a queue whose name another stack knows',
    "functions: { a: { handler: a.b, events: [{ redrive: { queue: '${cf:shop.Queue}' } }] } }",
    /serverless\.yml: functions\.a\.events\[0\]\.redrive\.queue has \$\{cf:shop\.Queue\}: only \$\{self:…\}.* are resolved/,
  ],
  [
    'a variable that refers to itself',
    "functions: { a: { handler: '${self:functions.a.handler}', events: [{ redrive: { queue: a } }] } }",
    /functions\.a\.handler has .*: it refers to itself/,
  ],
  [
    'functions in another file',
    "functions: '${file(functions.yml)}'",
    /serverless\.yml: functions has \$\{file\(functions\.yml\)\}/,
  ],
  ['no redrive event', 'functions: { a: { handler: a.b } }', /no function has a redrive event, e\.g\./],
  [
    'a wrong setting',
    'functions: { a: { handler: a.b, events: [{ redrive: { queue: a, fifo: perhaps } }] } }',
    /serverless\.yml: functions\.a\.events\[0\]\.redrive\.fifo must be true or false/,
  ],
  [
    'a handler that is not built',
    'functions: { a: { handler: dist/a.handler, events: [{ redrive: { queue: a } }] } }',
    /functions\.a\.handler is dist\/a\.handler, and there is no .*dist\/a with \.ts .*\. Build it first/,
  ],
  ['what is no YAML', 'functions: [', /serverless\.yml: /],
]
for (const [what, file, said] of WRONG) {
  test(`dev says in words what is wrong: ${what}`, { timeout: 60_000 }, async () => {
    const redrive = startRedrive('dev', '--config', join(serviceWith(`service: shop\n${file}`), 'serverless.yml'))
    assert.equal(await redrive.exit, 2)
    assert.match(redrive.printed(), said)
    assert.doesNotMatch(redrive.printed(), /\n\s+at /)
  })
}

test('dev takes a service or one handler, not both', { timeout: 60_000 }, async () => {
  const redrive = startRedrive('dev', '--stage', 'test', '--queue', 'orders')
  assert.equal(await redrive.exit, 2)
  assert.match(redrive.printed(), /--queue is for one handler, --stage for a service: give one of them/)
})
