/** The consumers of a template: each mapping from an SQS queue, with all that belongs to it. */
import { lastName } from './arn.ts'
import type { ConsumerFacts, FunctionFacts, MappingFacts, OwnOptions, QueueFacts, TableFacts } from './facts.ts'
import { identity, nameOf } from './identity.ts'
import { andThen, type Known, notSeen, seen } from './known.ts'
import { Unresolved } from './loose.ts'
import { readAlarms } from './read-alarms.ts'
import { readFunction, unseenFunction } from './read-function.ts'
import { findQueue } from './read-queue.ts'
import { readRole } from './read-role.ts'
import { asBoolean, asList, asNumber, asRecord, asText, type Read, type ReadTemplate, record } from './template.ts'

/** What the consumer of a function says in its own code; by the function's logical id, and its name. */
export type OptionsOf = (functionId: string, functionName: string) => Known<OwnOptions>

/** Concurrent invocations of one provisioned poller, and how many pollers there are at most where nothing is said (F65). */
const OF_A_POLLER = 10
const DEFAULT_POLLERS = 200

export function readConsumers(template: ReadTemplate, optionsOf: OptionsOf): ConsumerFacts[] {
  const mappings = template.ofType('AWS::Lambda::EventSourceMapping').filter(isOfSqs)
  const alarms = readAlarms(template)
  return mappings.map((mapping) => {
    const target = functionName(mapping)
    const found = findFunction(template, target)
    const name = target.is === 'seen' ? target.value : mapping.where
    const facts = readMapping(mapping)
    const read = found === undefined ? unseenFunction(name, target) : readFunction(found)
    const theFunction: FunctionFacts = { ...read.facts, concurrencyOfMappings: concurrencyOf(mappings, target) }
    const options = optionsOf(found?.id ?? name, name)
    const queue = findQueue(template, queueArn(mapping))
    const variable = environment(theFunction)
    return {
      name: found !== undefined && name.startsWith('<') ? found.where : name,
      mapping: facts,
      function: theFunction,
      queue,
      deadLetters: deadLettersOf(template, queue),
      ownLetters: ownLettersOf(template, options, variable('REDRIVE_DLQ_URL')),
      table: tableOf(template, options, variable('REDRIVE_TABLE')),
      alarms,
      role: readRole(template, read.role),
      options,
      maxAge: maxAgeOf(options, variable('REDRIVE_MAX_AGE')),
    }
  })
}

/** Mappings of other sources name their kind, or begin somewhere; one that can't be resolved and does neither is taken for SQS's. */
function isOfSqs({ get }: Read): boolean {
  const arn = get('EventSourceArn')
  if (typeof arn === 'string') return arn.split(':')[2] === 'sqs'
  const others = ['StartingPosition', 'Topics', 'Queues', 'SelfManagedEventSource', 'DocumentDBEventSourceConfig']
  return arn !== undefined && others.every((property) => get(property) === undefined)
}

const queueArn = ({ get }: Read): Known<string> =>
  andThen(asText(get('EventSourceArn'), undefined), (arn) =>
    arn === undefined ? notSeen('a mapping without EventSourceArn') : seen(arn),
  )

/** Without ARN and qualifier. */
function functionName({ get }: Read): Known<string> {
  return andThen(asText(get('FunctionName'), undefined), (name) => {
    if (name === undefined || name === '') return notSeen('a mapping without FunctionName')
    const [, ofArn] = /:function:([^:]+)/.exec(name) ?? []
    return seen(ofArn ?? name.split(':')[0] ?? name)
  })
}

function findFunction(template: ReadTemplate, name: Known<string>): Read | undefined {
  if (name.is === 'not seen') return undefined
  return template.ofType('AWS::Lambda::Function').find(({ resource }) => nameOf(resource, template.resolve) === name.value)
}

function readMapping({ get, where }: Read): MappingFacts {
  const types = asList(get('FunctionResponseTypes'))
  const pollers = get('ProvisionedPollerConfig')
  return {
    where,
    enabled: asBoolean(get('Enabled'), true),
    batchSize: asNumber(get('BatchSize'), 10),
    window: asNumber(get('MaximumBatchingWindowInSeconds'), 0),
    reportsFailures: andThen(types, (all) => {
      if (all.includes('ReportBatchItemFailures')) return seen(true)
      const unresolved = all.find((one) => one instanceof Unresolved)
      return unresolved instanceof Unresolved ? notSeen(unresolved.why) : seen(false)
    }),
    filters: andThen(asRecord(get('FilterCriteria')), ({ Filters }) => andThen(asList(Filters), (all) => seen(all.length))),
    maximumConcurrency: andThen(asRecord(get('ScalingConfig')), ({ MaximumConcurrency }) =>
      asNumber(MaximumConcurrency, undefined),
    ),
    pollers:
      pollers === undefined
        ? seen(undefined)
        : andThen(asRecord(pollers), ({ MaximumPollers }) => asNumber(MaximumPollers, DEFAULT_POLLERS)),
  }
}

/** Together, over all mappings of one function; `undefined` where one has no limit. */
function concurrencyOf(mappings: readonly Read[], target: Known<string>): Known<number | undefined> {
  if (target.is === 'not seen') return target
  let sum: number | undefined = 0
  for (const mapping of mappings) {
    const name = functionName(mapping)
    if (name.is === 'not seen' || name.value !== target.value) continue
    const { maximumConcurrency, pollers } = readMapping(mapping)
    const most = andThen(pollers, (count) => (count === undefined ? maximumConcurrency : seen(count * OF_A_POLLER)))
    if (most.is === 'not seen') return most
    sum = sum === undefined || most.value === undefined ? undefined : sum + most.value
  }
  return seen(sum)
}

/** A variable of the environment; an empty one is none, as for the consumer. */
function environment({ environment: all }: FunctionFacts): (name: string) => Known<string | undefined> {
  return (name) => andThen(all, (variables) => andThen(variables[name] ?? seen(undefined), (value) => seen(value || undefined)))
}

function deadLettersOf(template: ReadTemplate, { redrive }: QueueFacts): Known<QueueFacts | undefined> {
  return andThen(redrive, (policy) => seen(policy && findQueue(template, policy.target)))
}

/** The option wins over the environment; where the option can't be seen, a variable that is set is taken as meant. */
function ownLettersOf(
  template: ReadTemplate,
  options: Known<OwnOptions>,
  variable: Known<string | undefined>,
): Known<QueueFacts | undefined> {
  const own = options.is === 'seen' ? options.value.deadLetterQueue : undefined
  const url = own === undefined ? variable : seen(own)
  if (url.is === 'not seen') return url
  if (url.value === undefined) return andThen(options, () => seen(undefined))
  return seen(findQueue(template, seen(url.value)))
}

function maxAgeOf(options: Known<OwnOptions>, variable: Known<string | undefined>): Known<number | undefined> {
  if (options.is === 'seen' && options.value.maxAge !== undefined) return seen(options.value.maxAge)
  return andThen(variable, (text) => (text === undefined ? andThen(options, () => seen(undefined)) : asNumber(text, undefined)))
}

function tableOf(
  template: ReadTemplate,
  options: Known<OwnOptions>,
  variable: Known<string | undefined>,
): Known<TableFacts | undefined> {
  const store = options.is === 'seen' ? options.value.store : 'environment'
  if (store === 'none') return seen(undefined)
  if (store === 'own') return notSeen("the consumer's own store")
  return andThen(variable, (name) => seen(name === undefined ? undefined : findTable(template, name)))
}

function findTable(template: ReadTemplate, nameOrArn: string): TableFacts {
  const name = lastName(nameOrArn)
  const table = template
    .ofType('AWS::DynamoDB::Table', 'AWS::DynamoDB::GlobalTable')
    .find(({ resource }) => nameOf(resource, template.resolve) === name)
  if (table !== undefined) return readTable(template, table)
  const unseen = notSeen(`the table ${name} is not in this template`)
  const arn = nameOrArn.startsWith('arn:') ? nameOrArn : `arn:<partition>:dynamodb:<region>:<account>:table/${name}`
  const exists = template.missing.has(name) ? seen(false) : unseen
  return { where: `table ${name}`, arn: seen(arn), exists, key: unseen, ttlAttribute: unseen }
}

function readTable(template: ReadTemplate, { get, where, resource }: Read): TableFacts {
  const ttl = asRecord(get('TimeToLiveSpecification'))
  return {
    where,
    arn: seen(String(identity(resource, 'Arn', template.resolve))),
    exists: seen(true),
    key: andThen(asList(get('KeySchema')), (schema) =>
      andThen(asList(get('AttributeDefinitions')), (types) => keyOf(schema, types)),
    ),
    ttlAttribute: andThen(ttl, ({ AttributeName, Enabled }) =>
      andThen(asBoolean(Enabled, false), (on) => (on ? asText(AttributeName, undefined) : seen(undefined))),
    ),
  }
}

function keyOf(schema: readonly unknown[], types: readonly unknown[]): Known<readonly string[]> {
  const unresolved = [...schema, ...types]
    .flatMap((one) => [one, ...Object.values(record(one))])
    .find((one) => one instanceof Unresolved)
  if (unresolved instanceof Unresolved) return notSeen(unresolved.why)
  const typeOf = (name: unknown): unknown =>
    types.map(record).find(({ AttributeName }) => AttributeName === name)?.['AttributeType']
  const hashFirst = [...schema.map(record)].sort((one, other) => String(one['KeyType']).localeCompare(String(other['KeyType'])))
  return seen(hashFirst.map(({ AttributeName }) => `${String(AttributeName)} ${String(typeOf(AttributeName))}`))
}
