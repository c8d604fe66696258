/** Options and environment variables: refused at start, by name; an option wins over the environment. */
import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { consumer, exponential, OptionsError, PermanentError, redrive, schedule } from '../../src/index.ts'
import { stubSqs } from '../aws/stub-sqs.ts'
import { bench, DLQ, evidenceOf, throwing } from './harness.ts'

const refusal = (options: unknown): string => {
  try {
    consumer(options as never, () => {})
  } catch (error) {
    assert.ok(error instanceof OptionsError, String(error))
    return error.message
  }
  return 'taken'
}

const functions = [null, 1, 'f', {}, true]
const whole = [0, -1, 1.5, '5', Number.NaN, Infinity, null, [], true]
const BAD: Record<string, readonly unknown[]> = {
  schema: [null, 1, {}, { parse: () => {} }, { '~standard': {} }, () => {}],
  body: ['xml', null, 1, {}, ''],
  key: [...functions, 'order.id'],
  fingerprint: functions,
  store: [null, true, {}, 'dynamodb', { begin() {} }, { begin() {}, end() {} }],
  permanent: [null, 'TypeError', TypeError, [1], [''], [undefined], {}],
  retryable: [null, 'TypeError', TypeError, [1], [''], [undefined], {}],
  classify: functions,
  maxAttempts: [
    ...whole,
    1_001,
    { retryable: 0 },
    { unknown: 1_001 },
    { retryable: 3, unknown: 4 },
    { permanent: 1 },
    { retryable: '3' },
  ],
  maxAge: [...whole, 1_209_601, new Date()],
  backoff: [
    null,
    5,
    'exponential',
    {},
    exponential,
    { seconds: () => 1 },
    { seconds: () => 1, cap: 5 },
    { seconds: 1, cap: 5, jitter: 0 },
    { ...schedule([1]), cap: Number.NaN },
  ].filter((value) => typeof value !== 'function'),
  deadLetterQueue: [
    null,
    '',
    'orders-dlq',
    'arn:aws:sqs:eu-central-1:111122223333:orders-dlq',
    'https://sqs.eu-central-1.amazonaws.com',
    new URL(DLQ),
  ],
  partialBatch: [null, 1, 'true', {}],
  fifo: [null, 'park', { onDead: 'stop' }, { onDead: null, x: 1 }, []],
  concurrency: [...whole, 10_001],
  onDead: functions,
  name: [null, '', 'x'.repeat(129), 5],
  logger: [null, {}, { info() {} }, { debug() {}, info() {}, warn() {} }, true],
  metrics: [null, true, {}, { count() {} }],
  clients: [null, [], { s3: { send() {} } }, { sqs: {} }, { sqs: null }, { dynamodb: 'x' }],
}

describe('a bad value is refused by the option’s name, and says what it must be', () => {
  for (const [option, values] of Object.entries(BAD)) {
    test(option, () => {
      for (const value of values) {
        const said = refusal({ [option]: value })
        assert.ok(
          said.startsWith(`redrive: the option "${option}" must be `) || said.includes('not yet'),
          `${String(value)}: ${said}`,
        )
      }
      assert.equal(refusal({ [option]: undefined }), 'taken')
    })
  }

  test('options that are no object', () => {
    for (const options of [null, [], 'x', 5, () => {}]) assert.match(refusal(options), /the options must be an object/)
    assert.doesNotThrow(() => redrive())
  })
})

test('good values at their limits are taken', () => {
  for (const options of [
    { maxAttempts: 1_000, maxAge: 1, concurrency: 10_000, name: 'x' },
    { maxAttempts: { retryable: 3, unknown: 3 }, maxAge: 1_209_600, concurrency: 1, name: 'x'.repeat(128) },
    { key: false, fingerprint: false, store: false, metrics: false, body: 'text', fifo: {}, permanent: [], clients: {} },
    { permanent: [TypeError, 'ECONNREFUSED', (error: unknown) => error === 1], backoff: () => 5, fifo: { onDead: 'continue' } },
    { backoff: { seconds: () => 1, cap: 0, jitter: 'full' }, deadLetterQueue: 'http://localhost:4566/000000000000/orders-dlq' },
    { clients: { sqs: { send() {} }, dynamodb: undefined }, logger: console, partialBatch: false },
  ]) {
    assert.equal(refusal(options), 'taken')
  }
})

test('an unknown option is refused with the nearest right one, or the list of all', () => {
  for (const [wrong, right] of [
    ['deadletterqueue', 'deadLetterQueue'],
    ['deadLetterQueueUrl', 'deadLetterQueue'],
    ['maxAttemps', 'maxAttempts'],
    ['retriable', 'retryable'],
    ['Schema', 'schema'],
    ['ondead', 'onDead'],
    ['concurency', 'concurrency'],
    ['keys', 'key'],
  ]) {
    const said = refusal({ [wrong as string]: 1 })
    assert.ok(said.includes(`"${wrong}"`) && said.includes(`Did you mean "${right}"?`), said)
  }
  assert.match(refusal({ visibilityMultiplier: 1 }), /"visibilityMultiplier".*There are: .*schema.*clients/)
  for (const inherited of ['constructor', 'toString', '__proto__x'])
    assert.match(refusal({ [inherited]: 1 }), /there is no option/)
})

test('an option of a later version is refused as "not yet", never taken for a typo or ignored', () => {
  for (const option of ['envelope', 'circuit', 'onCrash', 'hashKeys', 'tracer']) {
    for (const value of [false, 'none', {}, undefined]) {
      const said = refusal({ [option]: value })
      assert.ok(said.includes(`"${option}"`) && said.includes('not yet'), said)
    }
  }
  assert.match(refusal({ fifo: { onDead: 'park' } }), /"fifo".*park.*not yet/)
})

describe('environment variables', () => {
  const before = { ...process.env }
  afterEach(() => {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
  })
  const dead = throwing(new PermanentError('no'))
  const bare = { deadLetterQueue: undefined, partialBatch: undefined } as never

  test('REDRIVE_DLQ_URL is the dead-letter queue, unless the option names another', async () => {
    process.env['REDRIVE_DLQ_URL'] = 'http://localhost:4566/000000000000/from-environment'
    for (const [options, expected] of [
      [bare, 'from-environment'],
      [{ deadLetterQueue: DLQ }, 'orders-dlq'],
    ] as const) {
      const urls: string[] = []
      const sqs = stubSqs(({ queueUrl, entries }) => {
        urls.push(queueUrl.split('/').at(-1) as string)
        return { Successful: entries.map(({ Id }) => ({ Id })) }
      })
      assert.deepEqual([await bench(dead, options, { sqs }).invoke(['m1']), urls], [[], [expected]])
    }
  })

  test('REDRIVE_MAX_AGE is the age, unless the option names another', async () => {
    process.env['REDRIVE_MAX_AGE'] = '60'
    for (const [options, ran] of [
      [{}, 0],
      [{ maxAge: 3_600 }, 1],
    ] as const) {
      const one = bench(() => {}, options)
      await one.invoke([{ messageId: 'm1', sentAt: one.clock.now() - 61_000 }])
      assert.equal(one.ran.length, ran)
      if (ran === 0) assert.equal(evidenceOf(one.queue.letters[0]).reason, 'too-old')
    }
  })

  test('REDRIVE_QUEUE_URL is the source queue’s URL if the name fits, AWS_ENDPOINT_URL(_SQS) the base if not', async () => {
    process.env['REDRIVE_QUEUE_URL'] = 'http://known/1/orders'
    process.env['AWS_ENDPOINT_URL'] = 'http://general'
    process.env['AWS_ENDPOINT_URL_SQS'] = 'http://sqs'
    const sqs = stubSqs()
    await bench(throwing(new Error('?')), {}, { sqs }).invoke([{ messageId: 'm1' }, { messageId: 'm2', queue: 'returns' }])
    assert.deepEqual(sqs.requests.map(({ queueUrl }) => queueUrl).sort(), [
      'http://known/1/orders',
      'http://sqs/111122223333/returns',
    ])
  })

  test('a bad value is refused at start by the variable’s name; an empty one is none', () => {
    for (const [name, values] of Object.entries({
      REDRIVE_DLQ_URL: ['orders-dlq', 'arn:aws:sqs:eu-central-1:111122223333:orders-dlq'],
      REDRIVE_QUEUE_URL: ['orders'],
      REDRIVE_MAX_AGE: ['0', '-1', '1.5', '14d', '1209601', 'x'],
      REDRIVE_LOG_LEVEL: ['loud', 'INFOO', 'trace'],
    })) {
      for (const value of values) {
        process.env[name] = value
        assert.match(refusal({}), new RegExp(`environment variable ${name} must be .*"${value}"`))
      }
      process.env[name] = ''
      assert.equal(refusal({}), 'taken')
    }
  })

  test('several invocations at a time in one process are refused', () => {
    for (const [value, said] of [
      ['1', 'taken'],
      ['2', 'PerExecutionEnvironmentMaxConcurrency'],
      ['64', 'PerExecutionEnvironmentMaxConcurrency'],
    ] as const) {
      process.env['AWS_LAMBDA_MAX_CONCURRENCY'] = value
      assert.ok(refusal({}).includes(said))
    }
  })

  test('what the set-up lacks is said once a consumer, at its first event; what is there or declined is not said', async () => {
    const remarks = async (options: object) => {
      const one = bench(() => {}, options)
      await one.invoke(['m1'])
      await one.invoke(['m2'])
      const remarked = one.lines.filter(({ level }) => level === 'warn')
      return remarked.map(({ message }) => /No [a-z-]+ (store|queue)|ReportBatchItemFailures/.exec(message)?.[0])
    }
    const none = { store: undefined, deadLetterQueue: undefined, partialBatch: undefined }
    const said = ['No idempotency store', 'No dead-letter queue', 'ReportBatchItemFailures']
    assert.deepEqual(await remarks(none), said)
    assert.deepEqual(await remarks({}), [])
    assert.deepEqual(await remarks({ ...none, store: false }), said.slice(1))
    assert.deepEqual(await remarks({ ...none, key: false }), said.slice(1))
    process.env['REDRIVE_PARTIAL'] = '1'
    process.env['REDRIVE_DLQ_URL'] = DLQ
    assert.deepEqual(await remarks(none), said.slice(0, 1))
  })
})
