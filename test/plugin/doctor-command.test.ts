// `serverless redrive doctor`: packages, then says what is wrong.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FRAMEWORKS, run, service, serviceFolder } from './package.ts'

const withQueue = (queue: string): string =>
  service(`
plugins: [redrive/plugin]
custom: { redrive: { alarm: { email: oncall@shop.example } } }
functions:
  orders: { handler: src/handlers.handler, events: [{ redrive: { queue: ${queue} } }] }
resources:
  Resources:
    Theirs: { Type: AWS::SQS::Queue, Properties: { VisibilityTimeout: 3 } }
`)

for (const framework of FRAMEWORKS) {
  describe(`${framework} redrive doctor`, () => {
    it('has nothing to say of what redrive makes', async () => {
      const { code, printed } = await run(framework, serviceFolder(withQueue('orders')), ['redrive', 'doctor'])
      assert.match(printed, /redrive doctor: no findings/)
      assert.equal(code, 0)
    })

    it('ends with 1 where a queue of your own is set wrongly, and says how it must be', async () => {
      const { code, printed } = await run(framework, serviceFolder(withQueue('!GetAtt Theirs.Arn')), ['redrive', 'doctor'])
      assert.match(printed, /error: shop-dev-orders: .*\(queue\.visibility-below-timeout, Theirs: VisibilityTimeout\)/)
      assert.match(printed, /redrive doctor: 2 errors/)
      assert.equal(printed.match(/dead-letters\.none/g)?.length, 1, 'each is said once')
      assert.equal(code, 1)
    })
  })
}
