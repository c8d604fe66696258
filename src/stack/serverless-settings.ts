/** What may stand in a serverless.yml, as JSON Schema for the frameworks. `check.ts` says the rest, also where none of them runs. */

/** The part of JSON Schema that is used here. */
export interface Setting {
  readonly type?: 'string' | 'integer' | 'boolean' | 'object' | 'array'
  readonly description?: string
  readonly minLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly pattern?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Setting[]
  readonly properties?: Readonly<Record<string, Setting>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean
}

const whole = (minimum: number, maximum: number): Setting => ({ type: 'integer', minimum, maximum })
const text: Setting = { type: 'string', minLength: 1, description: 'a text' }
const flag: Setting = { type: 'boolean', description: 'true or false' }
const intrinsic: Setting = { type: 'object', description: 'an intrinsic function' }
const arn: Setting = {
  anyOf: [{ type: 'string', pattern: '^arn:' }, intrinsic],
  description: 'an ARN, or an intrinsic function such as { Fn::GetAtt: [OrdersQueue, Arn] }',
}

/** A `redrive` event of a function. Durations are seconds. */
export const eventSettings = {
  type: 'object',
  description: 'the settings of a consumer, e.g. { queue: orders }',
  properties: {
    queue: {
      anyOf: [text, intrinsic],
      description: 'the name of a queue to make, or the ARN of your own: arn:… or { Fn::GetAtt: [OrdersQueue, Arn] }',
    },
    name: text,
    deadLetterQueue: arn,
    fifo: flag,
    batchSize: whole(1, 10_000),
    batchWindow: whole(0, 300),
    maximumConcurrency: whole(2, 1_000),
    provisionedPollers: {
      type: 'object',
      description: 'e.g. { minimum: 2, maximum: 20 }',
      properties: { minimum: whole(2, 200), maximum: whole(2, 10_000) },
      additionalProperties: false,
    },
    kmsKeyArn: arn,
    maxAttempts: whole(1, 1_000),
    maxAge: whole(1, 1_209_600),
    enabled: flag,
    filterPatterns: { type: 'array', description: "a list of patterns, as of the framework's sqs event" },
  },
  required: ['queue'],
  additionalProperties: false,
} as const satisfies Setting

/** `custom.redrive`: what the consumers of a service share. */
export const serviceSettings = {
  type: 'object',
  description: 'what the consumers of this service share, e.g. { alarm: { email: oncall@shop.example } }',
  properties: {
    alarm: {
      type: 'object',
      description: 'who is woken, e.g. { email: oncall@shop.example }',
      properties: {
        email: { type: 'string', pattern: '^[^@\\s]+@[^@\\s]+$', description: 'an e-mail address' },
        topicArn: arn,
        owner: text,
        runbook: text,
      },
      additionalProperties: false,
    },
    table: { anyOf: [{ enum: [false] }, ...arn.anyOf!], description: 'the ARN of a table of your own, or false: no table' },
    retention: whole(60, 1_209_600),
    removal: { enum: ['Retain', 'Delete'] },
    dashboard: flag,
  },
  additionalProperties: false,
} as const satisfies Setting

/** Numbers and switches that came as texts, from `${env:…}` for instance, as what they are: as the frameworks do. */
export function coerced(value: unknown, setting: Setting): unknown {
  if (setting.type === 'integer') return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
  if (setting.type === 'boolean') return value === 'true' ? true : value === 'false' ? false : value
  const { properties } = setting
  if (properties === undefined || typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined && inner !== null)
  return Object.fromEntries(
    entries.map(([name, inner]) => [name, properties[name] === undefined ? inner : coerced(inner, properties[name])]),
  )
}
