/** Options of any kind that make sense. */
import fc from 'fast-check'
import type { ConsumerOptions, ServiceOptions } from '../../src/stack/options.ts'

const optional = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined })
const arn = (service: string, name: string) => `arn:aws:${service}:eu-central-1:111122223333:${name}`
const word = (longest: number) => fc.stringMatching(new RegExp(`^[A-Za-z0-9_-]{1,${longest}}$`))
/** What people write, with all that JSON and CloudFormation might trip over. */
const words = (longest: number) =>
  fc.oneof(
    fc
      .string({ minLength: 1, maxLength: longest, unit: 'binary' })
      .filter((text) => text.length <= longest && !/\p{Cc}/u.test(text)),
    // biome-ignore lint/suspicious/noTemplateCurlyInString: CloudFormation's own.
    fc.constantFrom('${AWS::Region}', '"quoted" \\ and: # - yes', '{{resolve}}', 'no', '1e3', 'x'.repeat(longest)),
  )

// A value that the template takes from elsewhere.
const imported = fc.constantFrom('Fn::ImportValue', 'Fn::Join')

function consumer(index: number): fc.Arbitrary<ConsumerOptions> {
  const shared = {
    name: optional(words(100).map((text) => `${index}${text}`)),
    functionName: optional(fc.constantFrom('shop-orders', { 'Fn::ImportValue': 'function' })),
    functionTimeout: fc.integer({ min: 1, max: 900 }),
    kmsKeyArn: optional(fc.constant(arn('kms', 'key/k'))),
    maxAttempts: optional(fc.integer({ min: 1, max: 1000 })),
    fifo: fc.boolean(),
    scaling: fc.oneof(
      fc.constant({}),
      fc.record({ maximumConcurrency: fc.integer({ min: 2, max: 1000 }) }),
      fc.record({
        provisionedPollers: fc.record({
          minimum: fc.integer({ min: 2, max: 200 }),
          maximum: fc.integer({ min: 200, max: 10_000 }),
        }),
      }),
    ),
    batch: fc.record({ batchSize: fc.integer({ min: 1, max: 10_000 }), batchWindow: fc.integer({ min: 1, max: 300 }) }),
    queue: fc.oneof(
      word(60),
      word(60).map((arn) => ({ arn })),
      imported.map((by) => ({ by })),
    ),
    dead: optional(
      fc.oneof(
        word(60).map((arn) => ({ arn })),
        imported.map((by) => ({ by })),
      ),
    ),
  }
  return fc.record(shared).map(({ scaling, batch, queue, dead, fifo, ...rest }) => {
    const end = fifo ? '.fifo' : ''
    const given = (value: { arn: string } | { by: string }) => {
      if ('arn' in value) return { arn: arn('sqs', `${value.arn}${index}${end}`) }
      const argument =
        value.by === 'Fn::Join' ? ['', [arn('sqs', 'joined'), `${index}${end}`]] : `imported${index}${fifo ? 'Fifo' : ''}`
      return { arn: { [value.by]: argument } }
    }
    const options = {
      ...rest,
      ...scaling,
      ...(fifo ? {} : batch),
      fifo,
      logicalName: `Consumer${index}`,
      queue: typeof queue === 'string' ? { make: `${queue}${index}` } : given(queue),
      deadLetterQueue: dead === undefined ? undefined : given(dead),
    }
    return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as unknown as ConsumerOptions
  })
}

const service: fc.Arbitrary<ServiceOptions> = fc
  .record({
    service: word(48),
    stage: word(48),
    alarm: optional(
      fc.record({ email: fc.constant('oncall@shop.example'), owner: words(100), runbook: words(200) }, { requiredKeys: [] }),
    ),
    table: optional(fc.constantFrom(false as const, { arn: arn('dynamodb', 'table/mine') })),
    retention: optional(fc.integer({ min: 60, max: 1_209_600 })),
    removal: optional(fc.constantFrom('Retain' as const, 'Delete' as const)),
    dashboard: optional(fc.boolean()),
  })
  .map(
    (options) =>
      Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as unknown as ServiceOptions,
  )

/** A service with up to three consumers. */
export const anyService = fc.record({
  service,
  consumers: fc
    .integer({ min: 0, max: 3 })
    .chain((count) => fc.tuple(...Array.from({ length: count }, (_, index) => consumer(index)))),
})
