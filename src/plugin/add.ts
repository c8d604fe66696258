/** Turns `redrive` events into what the framework knows: `sqs` events, resources and environment variables. */
import { environmentFor, mappingFor } from '../stack/mapping.ts'
import type { Resources } from '../stack/options.ts'
import { consumerResources, serviceResources } from '../stack/resources.ts'
import { pathOf, type ServerlessConsumer, type ServerlessService } from '../stack/serverless-service.ts'
import type { FrameworkService } from './framework.ts'

/** Puts all that the consumers need into the service, before anything is compiled. */
export function addConsumers(service: FrameworkService, { options, consumers }: ServerlessService): void {
  if (consumers.length === 0) return
  const all = consumers.map((consumer) => consumer.options)
  addResources(service, serviceResources(options, all), 'custom.redrive')
  for (const consumer of consumers) {
    addResources(service, consumerResources(consumer.options, options), pathOf(consumer))
    const { events, environment } = service.functions[consumer.functionName]!
    events[consumer.eventIndex] = { sqs: sqsEvent(consumer) }
    const ours = Object.entries(environmentFor(consumer.options, options))
    // What the service says itself comes first.
    const added = ours.filter(([name]) => consumer.environment[name] === undefined)
    service.functions[consumer.functionName]!.environment = { ...Object.fromEntries(added), ...environment }
  }
}

/** The framework's own event, as far as it goes. */
function sqsEvent({ options, event }: ServerlessConsumer): Record<string, unknown> {
  const mapping = mappingFor(options)
  const settings = {
    arn: mapping.EventSourceArn,
    batchSize: mapping.BatchSize,
    maximumBatchingWindow: mapping.MaximumBatchingWindowInSeconds,
    functionResponseType: mapping.FunctionResponseTypes[0],
    maximumConcurrency: mapping.ScalingConfig?.MaximumConcurrency,
    enabled: event.enabled,
    filterPatterns: event.filterPatterns,
  }
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))
}

/** Into the service's own resources: `resources.extensions` can change them as it changes the framework's. */
function addResources(service: FrameworkService, added: Resources, path: string): void {
  const resources = service.resources?.Resources ?? {}
  service.resources = { ...service.resources, Resources: resources }
  for (const [id, resource] of Object.entries(added)) {
    if (Object.hasOwn(resources, id)) throw new Taken(id, path)
    resources[id] = resource
  }
}

/** The service has a resource of that name already. */
export class Taken extends Error {
  override readonly name = 'Taken'

  constructor(id: string, path: string) {
    super(
      `redrive: ${path} makes a resource ${id}, and the service has another of that name. Rename yours (resources.Resources.${id}).`,
    )
  }
}
