/** A live stack: what is asked, what a refusal leaves unchecked, and what ends it. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { describeStack, type Target } from '../../src/aws/describe-stack.ts'
import { NotReached } from '../../src/aws/describe-stack-ask.ts'
import { examine } from '../../src/stack/doctor.ts'
import { goodOptions } from './good-template.ts'
import { type Answers, account, asking, sdkError } from './live-account.ts'

async function found(replaced: Answers = {}, target: Target = { stack: 'shop' }): Promise<string[]> {
  const { consumers, findings } = examine(await describeStack(target, asking(replaced)), { optionsOf: () => goodOptions })
  assert.deepEqual(consumers, ['shop-orders'])
  return findings.map(({ severity, rule }) => `${severity} ${rule}`)
}

const throwing =
  (name: string): (() => never) =>
  () => {
    throw sdkError(name)
  }
const lambda = (change: object) => ({
  'lambda.GetFunctionConfiguration': () => ({ ...(account['lambda.GetFunctionConfiguration']?.({}) as object), ...change }),
})

describe('a live stack in which nothing is wrong', () => {
  for (const target of [
    { stack: 'shop' },
    { function: 'shop-orders' },
    { queue: 'orders' },
    { queue: 'https://sqs.eu-central-1.amazonaws.com/1/orders' },
  ]) {
    test(`found by its ${Object.keys(target)[0]}: ${Object.values(target)[0]}`, async () =>
      assert.deepEqual(await found({}, target), []))
  }
})

const drifted: readonly (readonly [string, Answers, readonly string[]])[] = [
  [
    'a mapping that lost its response types',
    {
      'lambda.ListEventSourceMappings': () => ({}),
      'lambda.GetEventSourceMapping': () => ({
        ...(account['lambda.GetEventSourceMapping']?.({}) as object),
        FunctionResponseTypes: [],
      }),
    },
    ['error mapping.no-partial-batch'],
  ],
  ['a timeout raised since', lambda({ Timeout: 200 }), ['error queue.visibility-below-timeout']],
  [
    'a reserved concurrency',
    { 'lambda.GetFunctionConcurrency': () => ({ ReservedConcurrentExecutions: 2 }) },
    ['error function.reserved-without-maximum'],
  ],
  [
    'a table that is gone',
    { 'dynamodb.DescribeTable': throwing('ResourceNotFoundException') },
    ['error table.gone', 'not checked table.wrong-key', 'not checked table.no-ttl'],
  ],
  [
    'Time to Live switched off',
    { 'dynamodb.DescribeTimeToLive': () => ({ TimeToLiveDescription: { TimeToLiveStatus: 'DISABLED' } }) },
    ['warning table.no-ttl'],
  ],
  ['no alarm', { 'cloudwatch.DescribeAlarms': () => ({}) }, ['warning alarm.none', 'warning alarm.none-on-stalling']],
  [
    'a policy of another region',
    {
      'iam.GetRolePolicy': () => ({
        PolicyDocument: JSON.stringify({ Statement: [{ Effect: 'Allow', Action: '*', Resource: 'arn:aws:*:us-east-1:*:*' }] }),
      }),
    },
    ['error role.visibility', 'error role.send', 'error role.table'],
  ],
]

describe('what has changed since it was deployed', () => {
  for (const [what, answers, findings] of drifted) test(what, async () => assert.deepEqual(await found(answers), findings))

  test('a dead-letter queue that is gone', async () => {
    const gone = (QueueName: unknown): boolean => String(QueueName).endsWith('orders-dlq')
    const all = await found({
      'sqs.GetQueueUrl': (input) =>
        gone(input['QueueName']) ? throwing('QueueDoesNotExist')() : account['sqs.GetQueueUrl']?.(input),
      'sqs.GetQueueAttributes': (input) =>
        gone(input['QueueUrl'])
          ? throwing('AWS.SimpleQueueService.NonExistentQueue')()
          : account['sqs.GetQueueAttributes']?.(input),
    })
    assert.equal(all[0], 'error dead-letters.gone')
  })
})

describe('what AWS refuses to show is not checked', () => {
  // Whatever has no rule of its own that would need it.
  const needed = Object.keys(account).filter(
    (one) =>
      ![
        'cloudformation.ListStackResources',
        'lambda.ListEventSourceMappings',
        'lambda.GetEventSourceMapping',
        'iam.GetRole',
      ].includes(one),
  )
  for (const name of ['AccessDenied', 'AccessDeniedException', 'UnknownOperationException', 'ThrottlingException']) {
    for (const operation of needed) {
      test(`${operation}: ${name}`, async () => {
        const all = await found({ [operation]: throwing(name) })
        assert.ok(all.length > 0, 'something must be said')
        assert.deepEqual(
          all.filter((one) => !one.startsWith('not checked')),
          [],
        )
      })
    }
  }

  test('filters that a key encrypts', async () => {
    const hidden = {
      ...(account['lambda.GetEventSourceMapping']?.({}) as object),
      KMSKeyArn: 'arn:aws:kms:x:1:key/k',
      FilterCriteria: null,
    }
    const answers = { 'lambda.ListEventSourceMappings': () => ({}), 'lambda.GetEventSourceMapping': () => hidden }
    assert.deepEqual(await found(answers), ['not checked mapping.filters-delete'])
  })
})

const ended: readonly (readonly [string, Answers, Target, RegExp])[] = [
  [
    'there is no such stack',
    {
      'cloudformation.ListStackResources': () => {
        throw sdkError('ValidationError', 'Stack with id shop does not exist')
      },
    },
    { stack: 'shop' },
    /^there is no stack shop here\. Check its name/,
  ],
  [
    'the stack may not be listed',
    { 'cloudformation.ListStackResources': throwing('AccessDenied') },
    { stack: 'shop' },
    /allow it, or give --function NAME/,
  ],
  [
    'there is no such function',
    { 'lambda.GetFunctionConfiguration': throwing('ResourceNotFoundException') },
    { function: 'x' },
    /^there is no function x here/,
  ],
  ['there is no such queue', {}, { queue: 'x' }, /^there is no queue x here/],
  [
    'mappings may not be listed',
    { 'lambda.ListEventSourceMappings': throwing('AccessDeniedException') },
    { function: 'x' },
    /without the mappings there is nothing to look at/,
  ],
  [
    'no credentials',
    { 'lambda.GetFunctionConfiguration': throwing('CredentialsProviderError') },
    { function: 'x' },
    /^there are no AWS credentials\. Set AWS_PROFILE/,
  ],
  [
    'old credentials',
    { 'lambda.GetFunctionConfiguration': throwing('ExpiredTokenException') },
    { function: 'x' },
    /have expired\. Log in again/,
  ],
  [
    'foreign credentials',
    { 'lambda.GetFunctionConfiguration': throwing('UnrecognizedClientException') },
    { function: 'x' },
    /does not accept the credentials/,
  ],
  [
    'nobody there',
    {
      'sqs.GetQueueUrl': () => {
        throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
      },
    },
    { stack: 'shop' },
    /^nobody answers at the endpoint/,
  ],
]

describe('it ends, with one line that says what to do, where', () => {
  for (const [what, answers, target, message] of ended) {
    test(what, async () => {
      await assert.rejects(describeStack(target, asking(answers)), (error) => {
        assert.ok(error instanceof NotReached && !error.message.includes('\n'))
        assert.match(error.message, message)
        return true
      })
    })
  }
})
