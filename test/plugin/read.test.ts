// What is read out of a serverless.yml, by the plugin, the doctor and `redrive dev` alike.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parse } from 'yaml'
import { readServerless } from '../../src/stack/serverless.ts'

const read = (text: string) => readServerless(parse(`{ service: shop, ${text} }`))
const one = (event: string, rest = '') => read(`functions: { orders: { events: [{ redrive: ${event} }] } } ${rest}`).consumers[0]!

describe('a redrive event', () => {
  it("takes the function's timeout, the provider's, or the frameworks' six seconds", () => {
    const { consumers } = read(`provider: { timeout: 20 },
      functions: { a: { timeout: 30, events: [{ redrive: { queue: a } }] }, b: { events: [{ redrive: { queue: b } }] } }`)
    assert.deepEqual(
      consumers.map(({ options }) => options.functionTimeout),
      [30, 20],
    )
    assert.equal(one('{ queue: orders }').options.functionTimeout, 6)
  })

  it('is FIFO by the name of the queue, by its resource, or because it says so', () => {
    const resources = ', resources: { Resources: { Q: { Properties: { QueueName: ledger.fifo, FifoQueue: true } } } }'
    for (const consumer of [
      one('{ queue: ledger.fifo }'),
      one('{ queue: ledger, fifo: true }'),
      one("{ queue: 'arn:aws:sqs:eu-west-1:123456789012:ledger.fifo' }"),
      one('{ queue: { Fn::GetAtt: [Q, Arn] } }', resources),
      one('{ queue: { Fn::GetAtt: Q.Arn } }', resources),
    ]) {
      assert.equal(consumer.options.fifo, true)
      assert.equal(consumer.queueName, 'ledger.fifo')
    }
    assert.equal(one('{ queue: orders }').options.fifo, false)
  })

  it('takes numbers and switches as texts, as they come from the environment', () => {
    const { options, event } = one("{ queue: orders, batchSize: '20', batchWindow: '5', enabled: 'false' }")
    assert.equal(options.batchSize, 20)
    assert.equal(options.batchWindow, 5)
    assert.equal(event.enabled, false)
  })

  it('is found beside other events and in lists of functions, with the environment of both places', () => {
    const { consumers } = read(`provider: { environment: { A: 1, B: 1 } },
      functions: [{ web: { events: [{ httpApi: '*' }] } },
        { send-mail: { handler: src/mail.handler, environment: { B: 2 }, events: [{ schedule: x }, { redrive: { queue: mail } }] } }]`)
    const [{ functionName, handler, eventIndex, environment, options }] = consumers as [(typeof consumers)[number]]
    assert.deepEqual(
      { functionName, handler, eventIndex, environment },
      { functionName: 'send-mail', handler: 'src/mail.handler', eventIndex: 1, environment: { A: 1, B: 2 } },
    )
    assert.equal(options.logicalName, 'SendMail')
    assert.deepEqual(options.functionName, { Ref: 'SendDashmailLambdaFunction' })
  })
})

it('what the consumers share comes from custom.redrive', () => {
  const { options } = read(`provider: { stage: prod },
    custom: { redrive: { table: 'arn:aws:dynamodb:eu-west-1:123456789012:table/done', retention: 86400, removal: Delete } }`)
  assert.deepEqual(options, {
    service: 'shop',
    stage: 'prod',
    table: { arn: 'arn:aws:dynamodb:eu-west-1:123456789012:table/done' },
    retention: 86400,
    removal: 'Delete',
  })
})

describe('a fault names the setting by its path', () => {
  const faults: readonly (readonly [text: string, said: RegExp])[] = [
    [
      'functions: { orders: { events: [{ redrive: }] } }',
      /redrive: functions\.orders\.events\[0\]\.redrive must be settings by name.*not null/,
    ],
    ['functions: { orders: { events: [{ redrive: orders }] } }', /redrive must be settings by name.*not "orders"/],
    [event('{ fifo: true }'), /redrive\.queue is missing/],
    [event('{ queue: 7 }'), /redrive\.queue is 7\. It must be the name of a queue to make, or the ARN/],
    [event('{ queue: { Ref: Q } }'), /redrive\.queue uses Ref, from which the frameworks can't read a queue. Use Fn::GetAtt/],
    [event("{ queue: 'https://sqs.eu-west-1.amazonaws.com/123456789012/orders' }"), /redrive\.queue must be the name of a queue/],
    [event("{ queue: 'arn:aws:sns:eu-west-1:123456789012:orders' }"), /redrive\.queue must be the ARN of an SQS queue/],
    [event('{ queue: orders, fido: true }'), /redrive\.fido is no setting\. Did you mean "fifo"\?/],
    [event('{ queue: orders, batchSize: 0 }'), /redrive\.batchSize must be a whole number from 1 to 10000, not 0/],
    [event('{ queue: orders, maximumConcurrency: 5, provisionedPollers: {} }'), /redrive\.maximumConcurrency can't stand beside/],
    [event('{ queue: orders, maxAge: 400000 }'), /redrive\.maxAge must be below the queue's retention/],
    [event('{ queue: orders }', 'timeout: 1000,'), /functions\.orders\.timeout must be a whole number from 1 to 900/],
    [
      `${event('{ queue: orders }')}, custom: { redrive: { removal: keep } }`,
      /custom\.redrive\.removal must be 'Retain' or 'Delete'/,
    ],
    [
      `${event('{ queue: orders }')}, custom: { redrive: { alarm: { emial: x } } }`,
      /custom\.redrive\.alarm\.emial is no setting/,
    ],
    [
      'functions: { a: { events: [{ redrive: { queue: x } }, { redrive: { queue: y } }] } }',
      /functions\.a\.events\[0\]\.redrive and functions\.a\.events\[1\]\.redrive: a function has one redrive event/,
    ],
    [two('a', '{ queue: x }', 'b', '{ queue: x }'), /functions\.b\.events\[0\]\.redrive\.queue is "x", as that of functions\.a:/],
    [
      two('a', '{ queue: x }', 'b', '{ queue: x-dlq }'),
      /functions\.b\.events\[0\]\.redrive\.queue is x-dlq, and so would the dead-letter queue of functions\.a be called/,
    ],
    [
      two('send-mail', '{ queue: x }', 'sendMail', '{ queue: y }'),
      /functions\.send-mail\..* and functions\.sendMail\..*same names/,
    ],
  ]
  for (const [text, said] of faults) {
    it(said.source, () => assert.throws(() => read(text), said))
  }
})

function event(settings: string, more = ''): string {
  return `functions: { orders: { ${more} events: [{ redrive: ${settings} }] } }`
}

function two(a: string, eventOfA: string, b: string, eventOfB: string): string {
  return `functions: { ${a}: { events: [{ redrive: ${eventOfA} }] }, ${b}: { events: [{ redrive: ${eventOfB} }] } }`
}
