/** What resources of a template are called: by their own name, else by `<LogicalId>`, the one that CloudFormation makes up. */
import type { LooseResource, Resolve } from './loose.ts'

type Names = (name: string) => Readonly<Record<string, string>>
const arn = (service: string, rest: string): string => `arn:<partition>:${service}:<region>:<account>:${rest}`

/** By type: the property that holds the name, and what `Ref` (here `''`) and attributes give. */
const TYPES: Readonly<Record<string, { readonly property: string; readonly names: Names }>> = {
  'AWS::SQS::Queue': {
    property: 'QueueName',
    names: (name) => {
      const url = `https://sqs.<region>.<domain>/<account>/${name}`
      return { '': url, QueueUrl: url, Arn: arn('sqs', name), QueueName: name }
    },
  },
  'AWS::Lambda::Function': { property: 'FunctionName', names: (name) => ({ '': name, Arn: arn('lambda', `function:${name}`) }) },
  'AWS::DynamoDB::Table': { property: 'TableName', names: (name) => ({ '': name, Arn: arn('dynamodb', `table/${name}`) }) },
  'AWS::DynamoDB::GlobalTable': { property: 'TableName', names: (name) => ({ '': name, Arn: arn('dynamodb', `table/${name}`) }) },
  'AWS::IAM::Role': { property: 'RoleName', names: (name) => ({ '': name, Arn: `arn:<partition>:iam::<account>:role/${name}` }) },
  'AWS::IAM::ManagedPolicy': { property: 'ManagedPolicyName', names: (name) => managedPolicy(name) },
  'AWS::KMS::Key': { property: '', names: (name) => ({ '': name, KeyId: name, Arn: arn('kms', `key/${name}`) }) },
  'AWS::SNS::Topic': {
    property: 'TopicName',
    names: (name) => ({ '': arn('sns', name), TopicArn: arn('sns', name), TopicName: name }),
  },
}

function managedPolicy(name: string): Readonly<Record<string, string>> {
  const policy = `arn:<partition>:iam::<account>:policy/${name}`
  return { '': policy, PolicyArn: policy }
}

/** `undefined`: only the deployment knows. */
export function identity(resource: LooseResource, attribute: string | undefined, resolve: Resolve): string | undefined {
  if (resource.type === 'AWS::Lambda::Alias' || resource.type === 'AWS::Lambda::Version')
    return qualified(resource, attribute, resolve)
  if (!Object.hasOwn(TYPES, resource.type)) return undefined
  // No property of CloudFormation's: a live stack knows region and account.
  const { Arn } = (resource.properties ?? {}) as { readonly Arn?: unknown }
  if (attribute === 'Arn' && typeof Arn === 'string') return Arn
  const names = TYPES[resource.type]?.names(nameOf(resource, resolve)) ?? {}
  const key = attribute ?? ''
  return Object.hasOwn(names, key) ? names[key] : undefined
}

/** The resource's own name, or `<LogicalId>` where it has none or only the deployment knows it. */
export function nameOf({ id, type, properties }: LooseResource, resolve: Resolve): string {
  const property = Object.hasOwn(TYPES, type) ? (TYPES[type]?.property ?? '') : ''
  const loose = typeof properties === 'object' && properties !== null ? (properties as Record<string, unknown>) : {}
  const name = Object.hasOwn(loose, property) ? resolve(loose[property]) : undefined
  return typeof name === 'string' && name !== '' ? name : `<${id}>`
}

/** An alias or a version is its function with a qualifier behind. */
function qualified({ id, properties }: LooseResource, attribute: string | undefined, resolve: Resolve): string | undefined {
  if (attribute !== undefined && attribute !== 'AliasArn' && attribute !== 'FunctionArn') return undefined
  const target = resolve((properties as Record<string, unknown> | null)?.['FunctionName'])
  if (typeof target !== 'string') return undefined
  return `${target.startsWith('arn:') ? target : arn('lambda', `function:${target}`)}:<${id}>`
}
