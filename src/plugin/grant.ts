/** Permissions, and what the framework's `sqs` event can't say: put into the compiled template, when roles are final. */
import { isDeepStrictEqual } from 'node:util'
import { mappingFor } from '../stack/mapping.ts'
import type { Resource, Statement } from '../stack/options.ts'
import type { ServerlessConsumer, ServerlessService } from '../stack/serverless-service.ts'
import { pollStatementsFor, statementsFor } from '../stack/statements.ts'
import { Taken } from './add.ts'
import { attributeOf, type CompiledResource, type Framework } from './framework.ts'

/** A role that is not in this template: what its function needs of it has to be given by hand. */
export interface ForeignRole {
  readonly functionName: string
  readonly role: unknown
  readonly statements: readonly Statement[]
}

/**
 * One policy a consumer, on the role that its function has by now: the framework's, that of a plugin such as
 * serverless-iam-roles-per-function, or the user's own. Returns the functions whose roles are elsewhere.
 */
export function grant(framework: Framework, { options, consumers }: ServerlessService): ForeignRole[] {
  return consumers.flatMap((consumer) => {
    const { functionName } = consumer
    const mapping = mappingOf(framework, consumer)
    const pollers = mappingFor(consumer.options).ProvisionedPollerConfig
    if (pollers !== undefined) mapping.Properties = { ...mapping.Properties, ProvisionedPollerConfig: pollers }

    const role = functionOf(framework, functionName).Properties?.['Role']
    const own = roleInTemplate(framework, role)
    const ours = statementsFor(consumer.options, options)
    // The frameworks let their own roles receive, and no others (F110).
    const all = [...pollStatementsFor(consumer.options), ...ours]
    if (own === undefined) return [{ functionName, role, statements: all }]
    const id = `${consumer.options.logicalName}Policy`
    add(framework, id, policy(consumer, own, isFromUser(framework, functionName) ? all : ours))
    // Else the first messages come before the permissions.
    mapping.DependsOn = [...[mapping.DependsOn ?? []].flat(), id]
    return []
  })
}

const policy = ({ options }: ServerlessConsumer, role: string, Statement: readonly Statement[]): Resource => ({
  Type: 'AWS::IAM::Policy',
  Properties: {
    PolicyName: `redrive-${options.logicalName}`.slice(0, 128),
    PolicyDocument: { Version: '2012-10-17', Statement },
    Roles: [{ Ref: role }],
  },
})

const compiled = (framework: Framework): Record<string, CompiledResource> =>
  framework.service.provider.compiledCloudFormationTemplate.Resources

const functionOf = (framework: Framework, functionName: string): CompiledResource => {
  const id = framework.getProvider('aws').naming.getLambdaLogicalId(functionName)
  return compiled(framework)[id] ?? missing(id)
}

/** The framework's own, found by what it connects: how it is called is the framework's affair. */
function mappingOf(framework: Framework, { options, functionName }: ServerlessConsumer): CompiledResource {
  const { EventSourceArn } = mappingFor(options)
  const idOfFunction = framework
    .getProvider('aws')
    .naming.getLambdaLogicalId(functionName)
    .replace(/LambdaFunction$/, '')
  const found = Object.entries(compiled(framework)).find(
    ([id, { Type, Properties }]) =>
      Type === 'AWS::Lambda::EventSourceMapping' &&
      id.startsWith(`${idOfFunction}EventSourceMappingSQS`) &&
      isDeepStrictEqual(Properties?.['EventSourceArn'], EventSourceArn),
  )
  return found?.[1] ?? missing(`${idOfFunction}EventSourceMappingSQS…`)
}

function missing(id: string): never {
  throw new Error(`redrive: the framework has made no resource ${id}. Has another plugin taken it away?`)
}

function roleInTemplate({ service }: Framework, role: unknown): string | undefined {
  const [id] = attributeOf(role) ?? []
  const all: Record<string, { readonly Type: string }> = {
    ...service.resources?.Resources,
    ...service.provider.compiledCloudFormationTemplate.Resources,
  }
  return id !== undefined && all[id]?.Type === 'AWS::IAM::Role' ? id : undefined
}

/** Whether serverless.yml names the role: for the function, or for all of them in any of the frameworks' ways. */
function isFromUser({ service }: Framework, functionName: string): boolean {
  const { role, iam } = service.provider as { role?: unknown; iam?: { role?: unknown } }
  const ofAll = iam?.role
  return [service.functions[functionName]?.role, role, typeof ofAll === 'string' || attributeOf(ofAll) ? ofAll : undefined].some(
    (one) => one !== undefined,
  )
}

function add(framework: Framework, id: string, resource: Resource): void {
  const resources = compiled(framework)
  if (Object.hasOwn(resources, id) || Object.hasOwn(framework.service.resources?.Resources ?? {}, id)) {
    throw new Taken(id, 'the policy of a consumer')
  }
  resources[id] = resource as CompiledResource
}
