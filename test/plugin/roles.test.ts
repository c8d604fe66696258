// Beside serverless-iam-roles-per-function, in either order: each policy is on the role that its function has in the end.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { FRAMEWORKS, granted, type Packaged, packageWith, properties, service } from './package.ts'

const ORDERS = [
  ['redrive/plugin', 'serverless-iam-roles-per-function'],
  ['serverless-iam-roles-per-function', 'redrive/plugin'],
]

const withPlugins = (plugins: readonly string[]): string =>
  service(`
plugins: [${plugins.join(', ')}]
functions:
  orders:
    handler: src/handlers.handler
    iamRoleStatements:
      - { Effect: Allow, Action: ['s3:GetObject'], Resource: 'arn:aws:s3:::orders/*' }
    events:
      - redrive: { queue: orders }
  ledger:
    handler: src/handlers.handler
    events:
      - redrive: { queue: ledger }
`).replace(
    'runtime: nodejs24.x }',
    "runtime: nodejs24.x, iam: { role: { statements: [{ Effect: Allow, Action: ['ses:SendEmail'], Resource: 'arn:aws:ses:eu-west-1:123456789012:identity/shop.example' }] } } }",
  )

for (const framework of FRAMEWORKS) {
  for (const plugins of ORDERS) {
    describe(`${plugins.join(', then ')}, packaged by ${framework}`, () => {
      let packaged: Packaged
      before(async () => {
        packaged = await packageWith(framework, withPlugins(plugins))
        assert.equal(packaged.code, 0, packaged.printed)
      })

      it("grants to the function's own role, and the mapping waits for both", () => {
        const mapping = packaged.resources['OrdersEventSourceMappingSQSOrdersQueue']
        assert.deepEqual(properties(packaged, 'OrdersPolicy')['Roles'], [{ Ref: 'OrdersIamRoleLambdaExecution' }])
        assert.deepEqual(mapping?.DependsOn, ['OrdersIamRoleLambdaExecution', 'OrdersPolicy'])
      })

      it('lets its own role receive from the queue that redrive makes', () => {
        const actions = actionsOf(packaged, 'OrdersIamRoleLambdaExecution')
        for (const action of ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 's3:GetObject'])
          assert.ok(actions.includes(action), action)
      })

      it("grants to the framework's role where a function has none of its own", () => {
        assert.deepEqual(properties(packaged, 'LedgerPolicy')['Roles'], [{ Ref: 'IamRoleLambdaExecution' }])
        assert.equal(granted(packaged, 'LedgerPolicy')[0], 'sqs:ChangeMessageVisibility LedgerQueue.Arn')
      })

      it("keeps the user's own statements", () =>
        assert.ok(actionsOf(packaged, 'IamRoleLambdaExecution').includes('ses:SendEmail')))
    })
  }
}

function actionsOf(packaged: Packaged, role: string): string[] {
  const { Policies } = properties(packaged, role) as {
    Policies: { PolicyDocument: { Statement: { Action: string | string[] }[] } }[]
  }
  return Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement.flatMap(({ Action }) => Action))
}
