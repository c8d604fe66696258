/** The user's own word on a failure: classify, the lists, the error classes; and onDead. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type DeadMessage, PermanentError, RetryableError } from '../../src/index.ts'
import { recordedQueue } from '../../src/testing/index.ts'
import { bench, byId, evidenceOf, throwing } from './harness.ts'

class CardDeclined extends Error {}

/** Verdict and rule of what the handler throws, as the log line has them. */
async function verdictOf(error: unknown, options: Parameters<typeof bench>[1]) {
  const one = bench(throwing(error), options)
  await one.invoke(['m1'])
  const { verdict, rule } = one.lines.find(({ fields }) => 'verdict' in fields)?.fields ?? {}
  return [verdict, rule]
}

test('the first that has a word decides: classify, the lists, the error’s class, the rules', async () => {
  const declined = new CardDeclined('no funds')
  for (const [error, options, expected] of [
    [declined, {}, ['unknown', 'unknown']],
    [declined, { permanent: [CardDeclined] }, ['permanent', 'user.permanent']],
    [declined, { retryable: [CardDeclined] }, ['retryable', 'user.retryable']],
    [declined, { permanent: [CardDeclined], retryable: [CardDeclined] }, ['permanent', 'user.permanent']],
    [declined, { permanent: [CardDeclined], classify: () => 'retryable' as const }, ['retryable', 'user.classify']],
    [declined, { permanent: [CardDeclined], classify: () => undefined }, ['permanent', 'user.permanent']],
    [new Error('x', { cause: declined }), { permanent: [CardDeclined] }, ['permanent', 'user.permanent']],
    [new RetryableError('x'), { permanent: ['RetryableError'] }, ['permanent', 'user.permanent']],
    [new RetryableError('x', { cause: new PermanentError('y') }), {}, ['retryable', 'error.retryable']],
    [Object.assign(new Error('x'), { code: 'E_MINE' }), { retryable: ['E_MINE'] }, ['retryable', 'user.retryable']],
  ] as const) {
    assert.deepEqual(await verdictOf(error, options), expected)
  }
})

test('classify is given error and message, with the attempt; its retryAfter is a floor', async () => {
  const asked: unknown[] = []
  const error = new CardDeclined('no funds')
  const classify = (thrown: unknown, { id, attempt }: { id: string; attempt: number }) => {
    asked.push(thrown, id, attempt)
    return { verdict: 'retryable', retryAfter: 200 } as const
  }
  const one = bench(throwing(error), { classify })
  await one.invoke(['m1'])
  await one.invoke(['m1'])
  assert.deepEqual(
    [asked, one.hidden().map(([, seconds]) => seconds)],
    [
      [error, 'm1', 1, error, 'm1', 2],
      [220, 220],
    ],
  )
})

test('classify is asked about a body that can’t be read, too, and may have it tried again', async () => {
  const one = bench(() => {}, { classify: (_error, { record }) => (record.body === '{' ? 'retryable' : undefined) })
  assert.deepEqual(
    [
      await one.invoke([
        { messageId: 'm1', body: '{' },
        { messageId: 'm2', body: '[' },
      ]),
      one.queue.letters.length,
    ],
    [['m1'], 1],
  )
})

describe('onDead', () => {
  test('is given record and evidence of each letter, once the queue took it', async () => {
    const told: DeadMessage[] = []
    const one = bench(byId({ m1: throwing(new PermanentError('no')) }), { onDead: (letter) => void told.push(letter) })
    await one.invoke(['m1', 'm2'])
    assert.deepEqual(
      told.map(({ record, evidence }) => [record.messageId, evidence.reason]),
      [['m1', 'permanent']],
    )
    assert.deepEqual(JSON.parse(JSON.stringify(told[0]?.evidence)), evidenceOf(one.queue.letters[0]))
  })

  test('is not called for what the queue did not take, and once when it does', async () => {
    const told: string[] = []
    let refusals = 2
    const queue = recordedQueue((action) =>
      action === 'bury' && refusals-- > 0 ? { is: 'refused', code: 'X', message: 'no' } : { is: 'accepted' },
    )
    const one = bench(throwing(new PermanentError('no')), { onDead: ({ record }) => void told.push(record.messageId) }, { queue })
    const after: number[] = []
    for (const receiveCount of [1, 2, 3, 4]) {
      await one.invoke([{ messageId: 'm1', receiveCount }])
      after.push(told.length)
    }
    assert.deepEqual(after, [0, 0, 1, 1])
  })

  test('is waited for before the answer leaves', async () => {
    const one = bench(throwing(new PermanentError('no')), {
      onDead: () => new Promise((done) => void one.clock.after(700, () => done(told.push('x')))),
    })
    const told: string[] = []
    await one.invoke(['m1'])
    assert.deepEqual(told, ['x'])
  })
})
