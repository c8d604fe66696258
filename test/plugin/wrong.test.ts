// Wrong configurations, in the real frameworks: the message names the setting, and nothing is packaged.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { describe, it } from 'node:test'
import { FRAMEWORKS, packageWith, service } from './package.ts'

const withEvent = (event: string): string =>
  service(`
plugins: [redrive/plugin]
functions:
  orders:
    handler: src/handlers.handler
    events:
      - redrive: ${event}
`)

/** What is in serverless.yml, and what must be said of it. */
const WRONG: readonly (readonly [what: string, text: string, said: RegExp])[] = [
  [
    'a setting that is none',
    withEvent('{ queue: orders, maximunConcurrency: 20 }'),
    // osls finds it by the schema; version 3 warns, and then the plugin says it.
    /functions\.orders\.events(\.0|\[0\])\.redrive.*maximunConcurrency/,
  ],
  [
    'a number that Lambda does not take',
    withEvent('{ queue: orders, maximumConcurrency: 1 }'),
    /functions\.orders\.events(\.0|\[0\])\.redrive\.maximumConcurrency.*2/,
  ],
  ['no queue', withEvent('{ fifo: true }'), /functions\.orders\.events(\.0|\[0\])\.redrive.*queue/],
  [
    'a batch that no FIFO queue gives',
    withEvent('{ queue: orders.fifo, batchSize: 100 }'),
    /redrive: functions\.orders\.events\[0\]\.redrive\.batchSize must be at most 10 on a FIFO queue/,
  ],
  [
    'who is woken in two ways',
    `${withEvent('{ queue: orders }')}
custom:
  redrive: { alarm: { email: a@shop.example, topicArn: 'arn:aws:sns:eu-west-1:123456789012:oncall' } }`,
    /redrive: custom\.redrive\.alarm\.email can't stand beside "alarm\.topicArn"/,
  ],
  [
    'a resource of the name of one that redrive makes',
    `${withEvent('{ queue: orders }')}
resources:
  Resources:
    OrdersQueue: { Type: AWS::SQS::Queue }`,
    /redrive: functions\.orders\.events\[0\]\.redrive makes a resource OrdersQueue, .*Rename yours/,
  ],
]

for (const framework of FRAMEWORKS) {
  describe(`${framework} packages nothing`, () => {
    for (const [what, text, said] of WRONG) {
      it(`with ${what}`, async () => {
        const { code, printed, folder } = await packageWith(framework, text)
        assert.notEqual(code, 0, printed)
        assert.match(printed, said)
        assert.doesNotMatch(printed, /\n\s+at .*\.ts:/, 'a stack is no help here')
        assert.deepEqual(readdirSync(folder), [])
      })
    }
  })
}
