/** What a handler may be and return (cases B06, B07, B27). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import middy from '@middy/core'
import { consumer, memoryStore, OptionsError, RetryableError, redrive } from '../../src/index.ts'
import { lambdaContext } from '../../src/testing/index.ts'
import { bench, caseInput, messages, throwing } from './harness.ts'

describe('B06: whatever thenable the handler returns is awaited', () => {
  /** A thenable that is no promise. */
  const thenable = (call: (resolve: (value?: unknown) => void, reject: (reason: unknown) => void) => void) =>
    Object.defineProperty(() => {}, 'then', { value: call })
  const later: typeof thenable = (call) => thenable((...two) => void one.clock.after(50, () => call(...two)))
  let one = bench(() => {})
  const down = new RetryableError('down')

  for (const [name, returned, failures] of [
    ['a promise that resolves', () => Promise.resolve(), []],
    ['a promise that rejects', () => Promise.reject(down), ['m1']],
    ['a foreign thenable that resolves later', () => later((resolve) => resolve()), []],
    ['a foreign thenable that rejects later', () => later((_, reject) => reject(down)), ['m1']],
    [
      'a thenable that resolves to one that rejects',
      () => later((resolve) => resolve(later((_, reject) => reject(down)))),
      ['m1'],
    ],
    ['a thenable whose then throws', () => thenable(throwing(down)), ['m1']],
    ['an object whose then can’t be read', () => Object.defineProperty({}, 'then', { get: throwing(down) }), ['m1']],
    ['an array of promises, which no one asked to await', () => [Promise.resolve()], []],
  ] as const) {
    test(name, async () => {
      one = bench(returned)
      assert.deepEqual(await one.invoke(['m1']), failures)
      assert.equal(one.record().state, failures.length === 0 ? 'done' : 'failed')
    })
  }

  test('a handler with a callback is refused at start: the callback would not be waited for', () => {
    const withDone = (_payload: unknown, _message: unknown, _done: unknown) => {}
    assert.throws(() => consumer({}, withDone as never), /OptionsError|more than two parameters/)
    assert.throws(() => redrive({}).eachMessage(withDone as never), OptionsError)
    for (const handler of [
      () => {},
      (_payload: unknown) => {},
      (...all: unknown[]) => void all,
      (_a: unknown, _b = 1, _c = 2) => {},
    ]) {
      assert.doesNotThrow(() => consumer({}, handler as never))
    }
  })

  test('a handler that is no function is refused at start', () => {
    for (const handler of [undefined, null, {}, 'handler', Promise.resolve()]) {
      assert.throws(() => consumer({}, handler as never), OptionsError)
    }
  })
})

describe('B07: an answer that is not redrive’s own', () => {
  const context = () => lambdaContext()
  const event = messages(['m1', 'm2'])
  const [one, two] = event.Records.map(({ messageId }) => messageId)

  /** A chain with redrive() whose base handler returns this, not eachMessage's answer. */
  const chain = (returned: unknown) =>
    middy({ timeoutEarlyInMillis: 0 })
      .use(redrive({}))
      .handler(async () => returned)

  test('the inputs of the case: never read as success, the invocation rejects', async () => {
    const { rows } = caseInput<{ rows: { returned: string }[] }>('B07-handler-return-shapes')
    assert.equal(rows.length, 4)
    for (const returned of [
      [
        { status: 'fulfilled', value: 1 },
        { status: 'rejected', reason: new Error('x') },
      ],
      [{ status: 'rejected', reason: new Error('x') }],
      { batchItemFailures: [{ itemIdentifier: two }] },
    ]) {
      await assert.rejects(chain(returned)(event as never, context() as never), /not redrive's own/)
    }
  })

  test('neighbours: nothing, wrappers, wrong capitals, the ids themselves', async () => {
    for (const returned of [
      undefined,
      null,
      true,
      '',
      {},
      [],
      { statusCode: 200, body: '{"batchItemFailures":[]}' },
      { BatchItemFailures: [] },
      { batchItemFailures: [] },
      { batchItemFailures: null },
      [one, two],
      new Map(),
    ]) {
      await assert.rejects(chain(returned)(event as never, context() as never), /not redrive's own/)
    }
  })

  test('an after-middleware added later can’t replace the answer', async () => {
    const options = { store: memoryStore(), partialBatch: true, logger: { debug() {}, info() {}, warn() {}, error() {} } }
    const handler = consumer(options, () => {})
    handler.use({
      after: (request: { response: unknown }) => {
        request.response = { statusCode: 200 }
      },
    })
    await assert.rejects(handler(event, context()), /not redrive's own/)
  })

  test('eachMessage in a chain without its own redrive(): the invocation rejects, nothing is handled', async () => {
    const ran: unknown[] = []
    const orders = redrive({})
    const others = redrive({})
    const each = orders.eachMessage((payload) => void ran.push(payload))
    await assert.rejects(each(event, context()), /without its own redrive middleware/)
    const mixed = middy({ timeoutEarlyInMillis: 0 })
      .use(others)
      .handler(each as never)
    await assert.rejects(mixed(event as never, context() as never), /without its own redrive middleware/)
    assert.deepEqual(ran, [])
  })
})

test('B27: whatever a handler returns is ignored: done, and a second delivery does not run it', async () => {
  const { results } = caseInput<{ results: string[] }>('B27-odd-results')
  const cyclic: { self?: unknown } = {}
  cyclic.self = cyclic
  const returned = [undefined, null, new Date(0), new Map([[1, 2]]), new Set(), 10n, Number.NaN, Buffer.from('a')]
  const odd = [
    ...returned,
    new (class Foo {
      x = 1
    })(),
    { a: undefined },
    () => 1,
    cyclic,
  ]
  assert.equal(odd.length, results.length)
  const more = [
    Symbol('x'),
    new Error('returned, not thrown'),
    { batchItemFailures: [{ itemIdentifier: 'm1' }] },
    false,
    'x'.repeat(1_000_000),
  ]
  for (const result of [...odd, ...more]) {
    const one = bench(() => result)
    assert.deepEqual([await one.invoke(['m1']), await one.invoke(['m1'])], [[], []])
    assert.deepEqual([one.ran, one.record().state], [['m1'], 'done'])
  }
})
