/** What if an effect fails: SQS refuses, DynamoDB is out of reach, a function of the user's throws. A test a row of the table. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type IdempotencyStore, memoryStore, PermanentError, RetryableError } from '../../src/index.ts'
import { type EntryResult, recordedQueue } from '../../src/testing/index.ts'
import { bench, byId, evidenceOf, hang, throwing } from './harness.ts'

const refused: EntryResult = { is: 'refused', code: 'InternalError', message: 'try later' }
const unreachable = (_call?: number) => Promise.reject(Object.assign(new Error('connect ETIMEDOUT'), { code: 'ETIMEDOUT' }))

/** Takes everything but what is listed, by the number of the call. */
function refusing(action: 'hide' | 'bury', calls: readonly number[] | 'all') {
  let call = 0
  return recordedQueue((asked) =>
    asked === action && (calls === 'all' || calls.includes(++call)) ? refused : { is: 'accepted' },
  )
}

describe('a visibility timeout is refused', () => {
  test('every one: the messages are failures all the same, logged and counted', async () => {
    const one = bench(throwing(new RetryableError('down')), {}, { queue: refusing('hide', 'all') })
    assert.deepEqual(await one.invoke(['m1', 'm2']), ['m1', 'm2'])
    assert.deepEqual([one.counts['retry'], one.counts['visibility_failed']], [2, 2])
    const said = one.lines.filter(({ level, message }) => level === 'warn' && message.includes('visibility timeout'))
    assert.deepEqual(
      said.map(({ fields }) => [fields['messageId'], fields['code']]),
      [
        ['m1', 'InternalError'],
        ['m2', 'InternalError'],
      ],
    )
  })

  test('one of three: the others keep theirs', async () => {
    const one = bench(throwing(new RetryableError('down')), {}, { queue: refusing('hide', [2]) })
    assert.deepEqual(await one.invoke(['m1', 'm2', 'm3']), ['m1', 'm2', 'm3'])
    assert.deepEqual(one.hidden(), [
      ['m1', 2],
      ['m3', 2],
    ])
    assert.equal(one.counts['visibility_failed'], 1)
  })
})

describe('the dead-letter queue refuses', () => {
  test('one of two: that one is a failure with backoff, logged loudly and counted; the other is success', async () => {
    const one = bench(throwing(new PermanentError('no')), {}, { queue: refusing('bury', [1]) })
    assert.deepEqual(await one.invoke(['m1', 'm2']), ['m1'])
    assert.deepEqual(one.hidden(), [['m1', 2]])
    assert.equal(one.counts['dead_letter_failed'], 1)
    assert.ok(one.lines.some(({ level, fields }) => level === 'error' && fields['code'] === 'InternalError'))
  })

  test('with a store the handler does not run again: the letter is sent again, with its own evidence, until it is taken', async () => {
    const one = bench(throwing(new PermanentError('no such product')), {}, { queue: refusing('bury', [1, 2]) })
    for (const receiveCount of [1, 2]) assert.deepEqual(await one.invoke([{ messageId: 'm1', receiveCount }]), ['m1'])
    await one.clock.advance(60_000)
    assert.deepEqual(await one.invoke([{ messageId: 'm1', receiveCount: 3 }]), [])
    assert.deepEqual(one.ran, ['m1'])
    const { reason, rule, error, attempts, receives, deadAt } = evidenceOf(one.queue.letters[0])
    assert.deepEqual([reason, rule, error?.message, attempts], ['permanent', 'error.permanent', 'no such product', 1])
    assert.deepEqual([receives, deadAt.slice(0, 16)], [3, '2026-01-01T00:00'])
    assert.deepEqual(await one.invoke([{ messageId: 'm1', receiveCount: 4 }]), [])
    assert.deepEqual([one.queue.letters.length, one.counts['duplicate']], [1, 1])
  })

  test('another SQS message with that key runs anew: someone sent it again', async () => {
    const one = bench(
      byId({ m1: throwing(new PermanentError('no')) }),
      { key: () => 'order-1' },
      { queue: refusing('bury', [1]) },
    )
    assert.deepEqual(await one.invoke(['m1']), ['m1'])
    assert.deepEqual(await one.invoke(['m2']), [])
    assert.deepEqual([one.ran, one.record().state, one.record().attempts], [['m1', 'm2'], 'done', 1])
  })

  test('without a store the handler runs again, and the message stays as long as it is not taken', async () => {
    const one = bench(throwing(new PermanentError('no')), { store: false }, { queue: refusing('bury', [1]) })
    assert.deepEqual(await one.invoke(['m1']), ['m1'])
    assert.deepEqual(await one.invoke([{ messageId: 'm1', receiveCount: 2 }]), [])
    assert.deepEqual([one.ran.length, one.queue.letters.length], [2, 1])
  })

  test('there is none: said once, dead messages stay failures, and nothing runs again for them', async () => {
    const one = bench(throwing(new PermanentError('no')), { deadLetterQueue: undefined } as never)
    for (const receiveCount of [1, 2]) assert.deepEqual(await one.invoke([{ messageId: 'm1', receiveCount }]), ['m1'])
    assert.deepEqual([one.ran, one.record().state, one.record().attempts], [['m1'], 'dead', 1])
    assert.equal(one.lines.filter(({ message }) => message.startsWith('No dead-letter queue')).length, 1)
    assert.deepEqual(one.counts, { received: 2, attempts: 1, dead: 1 })
    assert.deepEqual(one.hidden(), [
      ['m1', 2],
      ['m1', 4],
    ])
  })
})

describe('DynamoDB is out of reach', () => {
  /** A store whose calls fail while `down` names them. */
  function failing(...down: (keyof IdempotencyStore | 'done' | 'failed' | 'cut' | 'dead')[]): IdempotencyStore {
    const store = memoryStore()
    return {
      ...store,
      begin: (request) => (down.includes('begin') ? unreachable() : store.begin(request)),
      end: (request) => (down.includes(request.to as never) ? unreachable() : store.end(request)),
      giveBack: (request) => (down.includes('giveBack') ? unreachable() : store.giveBack(request)),
    }
  }

  test('at begin: deferred, the handler does not run, no letter however often it was received', async () => {
    for (const error of [
      Object.assign(new Error('slow down'), {
        name: 'ProvisionedThroughputExceededException',
        $metadata: { httpStatusCode: 400 },
      }),
      Object.assign(new Error('not authorized'), { name: 'AccessDeniedException', $metadata: { httpStatusCode: 400 } }),
      Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }),
    ]) {
      const one = bench(() => {}, { store: { ...memoryStore(), begin: () => Promise.reject(error) } })
      assert.deepEqual(await one.invoke(['m1', { messageId: 'm2', receiveCount: 900 }]), ['m1', 'm2'])
      assert.deepEqual([one.ran, one.queue.letters], [[], []])
      assert.deepEqual(one.counts, { received: 2, store_failed: 2, deferred: 2 })
    }
  })

  test('at begin, for a message that is too old: it goes to the dead-letter queue while it still exists', async () => {
    const one = bench(() => {}, { store: failing('begin'), maxAge: 60 })
    assert.deepEqual(await one.invoke([{ messageId: 'm1', sentAt: one.clock.now() - 60_001 }]), [])
    assert.deepEqual([one.ran, evidenceOf(one.queue.letters[0]).reason], [[], 'too-old'])
  })

  test('at finish of work that is done: tried until the deadline, then success, logged and counted', async () => {
    const started: number[] = []
    const store = { ...memoryStore(), end: () => unreachable(started.push(one.clock.now())) }
    const one = bench(() => {}, { store })
    const from = one.clock.now()
    assert.deepEqual(await one.invoke(['m1']), [])
    const last = (started.at(-1) as number) - from
    assert.ok(started.length > 20 && last > 26_000 && last <= 28_500, `${started.length} tries, the last after ${last} ms`)
    assert.deepEqual(one.counts, { received: 1, attempts: 1, store_failed: 1, done: 1 })
    assert.ok(one.lines.some(({ level, message }) => level === 'error' && message.includes('store is out of reach')))
  })

  test('at finish of work that is done, for a while: the completion is stored in the end', async () => {
    const store = memoryStore()
    let tries = 0
    const flaky = { ...store, end: (request: never) => (++tries < 4 ? unreachable() : store.end(request)) }
    const one = bench(() => {}, { store: flaky })
    assert.deepEqual([await one.invoke(['m1']), await one.invoke(['m1'])], [[], []])
    assert.deepEqual([one.ran, tries, one.counts['store_failed']], [['m1'], 4, undefined])
  })

  test('at finish of a failed run: tried once, a failure with the backoff that was decided', async () => {
    const one = bench(throwing(new RetryableError('down')), { store: failing('failed') })
    const from = one.clock.now()
    assert.deepEqual([await one.invoke(['m1']), one.hidden()], [['m1'], [['m1', 2]]])
    assert.ok(one.clock.now() - from < 1_000)
    assert.deepEqual([one.counts['retry'], one.counts['store_failed']], [1, 1])
  })

  test('at finish of a death: a letter that the queue took is success', async () => {
    const one = bench(throwing(new PermanentError('no')), { store: failing('dead') })
    assert.deepEqual([await one.invoke(['m1']), one.queue.letters.length], [[], 1])
    assert.deepEqual([one.counts['dead'], one.counts['store_failed']], [1, 1])
  })

  test('at finish of a death that the queue did not take either: a failure', async () => {
    const one = bench(throwing(new PermanentError('no')), { store: failing('dead') }, { queue: refusing('bury', 'all') })
    assert.deepEqual([await one.invoke(['m1']), one.hidden()], [['m1'], [['m1', 2]]])
  })

  test('when a begin is given back: logged, and nothing changes', async () => {
    const one = bench(() => {}, { store: failing('begin', 'giveBack') })
    assert.deepEqual([await one.invoke(['m1']), one.counts['deferred']], [['m1'], 1])
  })
})

describe('a function of the user’s throws', () => {
  const good = { messageId: 'm2', body: { good: true } }
  const forBad = (error: unknown) => (payload: unknown) => {
    if (Object(payload).good !== true) throw error
    return 'some-key'
  }
  const schema = (validate: (value: unknown) => unknown) =>
    ({
      '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value: validate(value) ?? value }) },
    }) as never

  for (const [name, option] of [
    ['schema', (error: unknown) => ({ schema: schema(forBad(error)) })],
    ['key', (error: unknown) => ({ key: forBad(error) })],
    ['fingerprint', (error: unknown) => ({ fingerprint: forBad(error) })],
    ['body', (error: unknown) => ({ body: (text: string) => forBad(error)(JSON.parse(text)) && JSON.parse(text) })],
  ] as const) {
    test(`${name}: that message only, by the verdict of what it threw, before the handler runs`, async () => {
      const retried = bench(() => {}, option(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })) as never)
      assert.deepEqual([await retried.invoke(['m1', good]), retried.ran], [['m1'], ['m2']])
      assert.deepEqual(retried.hidden(), [['m1', 2]])
      const dead = bench(() => {}, option(new PermanentError('no')) as never)
      assert.deepEqual([await dead.invoke(['m1', good]), dead.ran], [[], ['m2']])
      assert.equal(evidenceOf(dead.queue.letters[0]).reason, 'permanent')
    })
  }

  test('classify: said in the log, and the rules decide', async () => {
    const classify = throwing(new TypeError('classify is broken'))
    const one = bench(byId({ m1: throwing(new PermanentError('no')), m2: throwing(new RetryableError('down')) }), { classify })
    assert.deepEqual(await one.invoke(['m1', 'm2', 'm3']), ['m2'])
    assert.deepEqual([one.queue.letters.length, one.hidden(), one.record].slice(0, 2), [1, [['m2', 2]]])
    assert.equal(one.lines.filter(({ message }) => message.startsWith('The option "classify" failed')).length, 2)
  })

  test('classify gives no verdict: said in the log, and the rules decide', async () => {
    for (const said of [null, 7, 'maybe', {}, [], { verdict: 'fine' }]) {
      const one = bench(throwing(new RetryableError('down')), { classify: () => said as never })
      assert.deepEqual([await one.invoke(['m1']), one.hidden()], [['m1'], [['m1', 2]]])
      assert.ok(one.lines.some(({ level, message }) => level === 'warn' && message.includes('"classify"')))
    }
  })

  test('backoff: said in the log, and the default applies; so for what is no number', async () => {
    for (const backoff of [throwing(new Error('?')), () => Number.NaN, () => undefined, () => '5', () => Infinity]) {
      const one = bench(throwing(new RetryableError('down')), { backoff: backoff as never })
      assert.deepEqual([await one.invoke(['m1']), one.hidden()], [['m1'], [['m1', 2]]])
      assert.ok(one.lines.some(({ level, message }) => level === 'warn' && message.includes('"backoff"')))
    }
  })

  test('onDead, at once or later: the letter is success all the same, and the log has it', async () => {
    for (const onDead of [throwing(new Error('pager is down')), async () => throwing(new Error('pager is down'))()]) {
      const one = bench(byId({ m1: throwing(new PermanentError('no')) }), { onDead })
      assert.deepEqual([await one.invoke(['m1', 'm2']), one.queue.letters.length], [[], 1])
      assert.ok(one.lines.some(({ fields }) => String(fields['error']).includes('pager is down')))
    }
  })

  for (const [when, fail] of [
    ['at once', throwing(new Error('disk full'))],
    ['later', async () => throwing(new Error('disk full'))()],
  ] as const) {
    test(`logger and metrics, ${when}: nothing changes`, async () => {
      const logger = { debug: fail, info: fail, warn: fail, error: fail }
      const metrics = { count: fail, measure: fail, flush: fail }
      const one = bench(byId({ m1: throwing(new RetryableError('down')) }), { logger, metrics })
      assert.deepEqual([await one.invoke(['m1', 'm2']), one.hidden()], [['m1'], [['m1', 2]]])
    })
  }

  test('metrics whose flush never ends: the answer leaves all the same, before the invocation ends', async () => {
    const one = bench(byId({ m1: throwing(new RetryableError('down')) }), { metrics: { count() {}, measure() {}, flush: hang } })
    assert.deepEqual(await one.invoke(['m1', 'm2']), ['m1'])
  })

  test('it throws what can’t be looked at: that message only, and what the function was asked for has its default', async () => {
    const trap = throwing(new Error('trapped'))
    const hostile = new Proxy(class {}, { get: trap, getPrototypeOf: trap, has: trap, ownKeys: trap })
    for (const option of ['classify', 'backoff'] as const) {
      const one = bench(byId({ m1: throwing(new RetryableError('down')) }), { [option]: throwing(hostile) })
      assert.deepEqual([await one.invoke(['m1', 'm2']), one.hidden(), one.counts['retry']], [['m1'], [['m1', 2]], 1])
    }
  })

  test('a backoff value whose seconds throws: the default applies', async () => {
    const backoff = { seconds: throwing(new Error('?')), cap: 10, jitter: 0 } as const
    const one = bench(throwing(new RetryableError('down')), { backoff })
    assert.deepEqual([await one.invoke(['m1']), one.hidden(), one.record().state], [['m1'], [['m1', 2]], 'failed'])
  })

  test('an async classify or backoff, which is not waited for, that rejects: the default applies', async () => {
    for (const option of ['classify', 'backoff'] as const) {
      const one = bench(throwing(new RetryableError('down')), { [option]: async () => throwing(new Error('?'))() } as never)
      assert.deepEqual([await one.invoke(['m1']), one.hidden()], [['m1'], [['m1', 2]]])
    }
  })
})
