// Which variables of a serverless.yml are resolved without the framework, and into what.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of a serverless.yml look like that
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { resolveVariables } from '../../src/cli/dev-variables.ts'

const sources = { env: { HOST: 'db', EMPTY: '' }, options: { stage: undefined, team: 'shop' }, region: 'eu-west-1' }
const file = {
  service: 'shop',
  provider: { stage: 'prod' },
  custom: { prod: { size: 20, queue: 'orders-${sls:stage}' }, list: ['a', 'b'], text: 'x${self:custom.prod.size}y' },
}
const resolve = (text: string, more: object = {}) => {
  const { file: resolved, unresolved } = resolveVariables({ ...file, value: text, ...more }, sources)
  return unresolved.length > 0 ? unresolved[0]?.why : resolved['value']
}

describe('a variable', () => {
  const cases: readonly (readonly [text: string, value: unknown])[] = [
    ['plain', 'plain'],
    ['${self:service}', 'shop'],
    ['${self:custom.prod.size}', 20],
    ['${self:custom.list.1}', 'b'],
    ['${self:custom.prod}', { size: 20, queue: 'orders-prod' }],
    ['${self:custom.${sls:stage}.queue}', 'orders-prod'],
    ['${self:custom.text}', 'x20y'],
    ['a-${sls:stage}-${opt:team}', 'a-prod-shop'],
    ['${env:HOST}:${env:PORT, 5432}', 'db:5432'],
    ["${env:EMPTY, 'full'}", ''],
    ["${opt:region, env:REGION, 'none'}", 'none'],
    ["${opt:stage, self:provider.stage, 'dev'}", 'prod'],
    ['${env:A, ${env:B, "c"}}', 'c'],
    ["${env:A, ${env:B}, 'd'}", 'd'],
    ["${env:A, 'a, b'}", 'a, b'],
    ['${env:A, null}', null],
    ['${env:A, true}', true],
    ['arn:aws:sqs:${aws:region}:${aws:accountId}:orders', 'arn:aws:sqs:eu-west-1:000000000000:orders'],
    ['arn:${AWS::Partition}:sqs', 'arn:${AWS::Partition}:sqs'],
  ]
  for (const [text, value] of cases) it(`${text} is ${JSON.stringify(value)}`, () => assert.deepEqual(resolve(text), value))

  const open: readonly (readonly [text: string, why: RegExp])[] = [
    ['${ssm:/token}', /^only \$\{self:…\}, .* are resolved on this machine$/],
    ['${file(x.yml):a}', /^only /],
    ['${env:NOT}', /^nothing has that name$/],
    ['${self:value}', /^it refers to itself$/],
    ['in ${self:custom}', /^it is no text$/],
  ]
  for (const [text, why] of open) it(`${text} stays as it is: ${why.source}`, () => assert.match(String(resolve(text)), why))
})

it('what stays open is listed by its path, and the rest is resolved', () => {
  const { file: resolved, unresolved } = resolveVariables({ a: [{ b: '${ssm:/x}', c: '${env:HOST}' }] }, sources)
  assert.deepEqual(resolved, { a: [{ b: '${ssm:/x}', c: 'db' }] })
  assert.deepEqual(
    unresolved.map(({ path, variable }) => [path, variable]),
    [['a[0].b', '${ssm:/x}']],
  )
})

it('without a stage anywhere it is dev', () => {
  assert.equal(resolveVariables({ value: '${sls:stage}' }, sources).file['value'], 'dev')
  assert.equal(resolveVariables({ value: '${self:provider.stage}' }, sources).file['value'], 'dev')
})
