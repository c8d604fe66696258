/** A live stack as a template: what CloudFormation would have to be given to make what is really there. */
import type {
  EventSourceMappingConfiguration,
  FunctionConfiguration,
  ListEventSourceMappingsResponse,
} from '@aws-sdk/client-lambda'
import { describeAlarms } from './describe-stack-alarms.ts'
import { type Ask, NotReached, tell } from './describe-stack-ask.ts'
import { allNotSeen, type Described, type Gathered, notSeen } from './describe-stack-gathered.ts'
import { listStack } from './describe-stack-list.ts'
import { describeQueue, describeTable } from './describe-stack-queues.ts'
import { describeRole } from './describe-stack-role.ts'
import { queueName } from './queue-url.ts'

export type { Described } from './describe-stack-gathered.ts'

/** Of what a person wants to know how it is. */
export type Target = { readonly stack: string } | { readonly function: string } | { readonly queue: string }

/** Looks at the mappings, functions, queues, tables, roles and alarms. Rejects with `NotReached` where that can't even begin. */
export async function describeStack(target: Target, ask: Ask): Promise<Described> {
  const gathered: Gathered = { resources: new Map(), missing: new Set() }
  const mappings = (await mappingsOf(target, ask)).filter(({ EventSourceArn }) => EventSourceArn?.split(':')[2] === 'sqs')
  for (const mapping of mappings) addMapping(gathered, mapping)
  const functions = new Set(mappings.map(({ FunctionArn }) => FunctionArn ?? ''))
  const configurations = await Promise.all([...functions].map((arn) => addFunction(gathered, arn, ask)))
  const variables = configurations.map((one) => one?.Environment?.Variables ?? {})
  const queues = new Set([
    ...mappings.map(({ EventSourceArn }) => EventSourceArn ?? ''),
    ...variables.flatMap(({ REDRIVE_DLQ_URL }) => REDRIVE_DLQ_URL || []),
  ])
  const tables = new Set(variables.flatMap(({ REDRIVE_TABLE }) => REDRIVE_TABLE || []))
  const roles = new Set(configurations.flatMap((one) => one?.Role ?? []))
  await Promise.all([
    describeQueues(gathered, [...queues], ask),
    ...[...tables].map((table) => describeTable(gathered, table, ask)),
    ...[...roles].map((role) => describeRole(gathered, role, ask)),
    mappings.length > 0 ? describeAlarms(gathered, ask) : undefined,
  ])
  return {
    Resources: Object.fromEntries(gathered.resources),
    Metadata: { RedriveDoctor: { live: true, missing: [...gathered.missing] } },
  }
}

/** The queues, then those that they move to: each once. */
async function describeQueues(gathered: Gathered, queues: readonly string[], ask: Ask): Promise<void> {
  const done = new Set<string>()
  let next = queues
  while (next.length > 0) {
    const fresh = next.filter((queue) => !done.has(queueName(queue)))
    for (const queue of fresh) done.add(queueName(queue))
    const targets = await Promise.all(fresh.map((queue) => describeQueue(gathered, queue, ask)))
    next = targets.filter((queue) => queue !== undefined)
  }
}

async function mappingsOf(target: Target, ask: Ask): Promise<EventSourceMappingConfiguration[]> {
  if ('function' in target) {
    const found = await tell(ask, 'lambda', 'GetFunctionConfiguration', { FunctionName: target.function })
    if (found.is === 'missing')
      throw new NotReached(`there is no function ${target.function} here. Check its name, --region and the account.`)
    return await listMappings({ FunctionName: target.function }, ask)
  }
  if ('queue' in target) return await listMappings({ EventSourceArn: await arnOfQueue(target.queue, ask) }, ask)
  const { functions, mappings } = await listStack(target.stack, ask)
  const byFunction = await Promise.all(functions.map((name) => listMappings({ FunctionName: name }, ask)))
  const byId = await Promise.all(mappings.map((UUID) => getMapping(UUID, ask)))
  return [...new Map([...byFunction.flat(), ...byId.flat()].map((mapping) => [mapping.UUID, mapping])).values()]
}

async function listMappings(input: object, ask: Ask): Promise<EventSourceMappingConfiguration[]> {
  const all: EventSourceMappingConfiguration[] = []
  let marker: string | undefined
  do {
    const page = await tell<ListEventSourceMappingsResponse>(ask, 'lambda', 'ListEventSourceMappings', {
      ...input,
      ...(marker === undefined ? {} : { Marker: marker }),
    })
    // Without them there is nothing to look at.
    if (page.is === 'not told')
      throw new NotReached(`${page.why}: allow it, for without the mappings there is nothing to look at.`)
    if (page.is === 'missing') break
    all.push(...(page.answer.EventSourceMappings ?? []))
    marker = page.answer.NextMarker || undefined
  } while (marker !== undefined)
  return all
}

async function getMapping(UUID: string, ask: Ask): Promise<EventSourceMappingConfiguration[]> {
  const mapping = await tell<EventSourceMappingConfiguration>(ask, 'lambda', 'GetEventSourceMapping', { UUID })
  return mapping.is === 'told' ? [mapping.answer] : []
}

async function arnOfQueue(queue: string, ask: Ask): Promise<string> {
  if (queue.startsWith('arn:')) return queue
  const url = queue.includes('/')
    ? { is: 'told' as const, answer: { QueueUrl: queue } }
    : await tell<{ QueueUrl: string }>(ask, 'sqs', 'GetQueueUrl', { QueueName: queue })
  const attributes =
    url.is === 'told'
      ? await tell<{ Attributes?: Record<string, string> }>(ask, 'sqs', 'GetQueueAttributes', {
          QueueUrl: url.answer.QueueUrl,
          AttributeNames: ['QueueArn'],
        })
      : url
  if (attributes.is === 'told' && attributes.answer.Attributes?.['QueueArn']) return attributes.answer.Attributes['QueueArn']
  throw new NotReached(
    attributes.is === 'not told'
      ? `${attributes.why}: give the queue's ARN.`
      : `there is no queue ${queue} here. Check its name, --region and the account.`,
  )
}

function addMapping({ resources }: Gathered, mapping: EventSourceMappingConfiguration): void {
  const { EventSourceArn = '', FunctionArn = '', State = 'Enabled', FilterCriteria, KMSKeyArn } = mapping
  const [queue, name] = [queueName(EventSourceArn), functionName(FunctionArn)]
  const filtersHidden = KMSKeyArn !== undefined && FilterCriteria == null
  resources.set(`mapping ${queue} → ${name}`, {
    Type: 'AWS::Lambda::EventSourceMapping',
    Properties: present({
      EventSourceArn,
      FunctionName: name,
      FunctionResponseTypes: mapping.FunctionResponseTypes ?? [],
      Enabled: !/^Disabl/.test(State),
      BatchSize: mapping.BatchSize,
      MaximumBatchingWindowInSeconds: mapping.MaximumBatchingWindowInSeconds,
      ScalingConfig: mapping.ScalingConfig,
      ProvisionedPollerConfig: mapping.ProvisionedPollerConfig,
      FilterCriteria: filtersHidden ? notSeen('filters that a key encrypts') : FilterCriteria,
    }),
  })
}

async function addFunction({ resources }: Gathered, arn: string, ask: Ask): Promise<FunctionConfiguration | undefined> {
  const name = functionName(arn)
  const add = (Properties: Readonly<Record<string, unknown>>): void => {
    resources.set(`function ${name}`, {
      Type: 'AWS::Lambda::Function',
      Properties: { FunctionName: name, ...present(Properties) },
    })
  }
  const told = await tell<FunctionConfiguration & { CapacityProviderConfig?: unknown }>(
    ask,
    'lambda',
    'GetFunctionConfiguration',
    {
      FunctionName: arn,
    },
  )
  const concurrency = await tell<{ ReservedConcurrentExecutions?: number }>(ask, 'lambda', 'GetFunctionConcurrency', {
    FunctionName: name,
  })
  const ReservedConcurrentExecutions =
    concurrency.is === 'told'
      ? concurrency.answer.ReservedConcurrentExecutions
      : notSeen(concurrency.is === 'missing' ? 'the function is gone' : concurrency.why)
  if (told.is !== 'told') {
    const why = told.is === 'missing' ? `the function ${name} is gone` : told.why
    const unseen = allNotSeen(why, 'Timeout', 'Runtime', 'Role', 'Environment', 'DeadLetterConfig', 'CapacityProviderConfig')
    add({ ...unseen, ReservedConcurrentExecutions })
    return undefined
  }
  const { Timeout, Runtime, Role, Environment, DeadLetterConfig, CapacityProviderConfig } = told.answer
  const variables = Environment?.Error ? notSeen(`the environment: ${Environment.Error.ErrorCode ?? 'encrypted'}`) : Environment
  add({ Timeout, Runtime, Role, Environment: variables, DeadLetterConfig, CapacityProviderConfig, ReservedConcurrentExecutions })
  return told.answer
}

/** AWS leaves out or gives null for what is not set. */
const present = (properties: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined && value !== null))

const functionName = (arn: string): string => /:function:([^:]+)/.exec(arn)?.[1] ?? arn
