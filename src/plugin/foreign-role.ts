/** What a person has to do for a role that is not in the template. */
import { deadLetterQueueOf, queueOf, TABLE } from '../stack/names.ts'
import type { Intrinsic, Value } from '../stack/options.ts'
import type { ServerlessService } from '../stack/serverless-service.ts'
import { joined, ref } from '../stack/values.ts'
import type { ForeignRole } from './grant.ts'

/** The text for the terminal: which function, which role, and the statements to put into it. */
export function textFor({ functionName, role, statements }: ForeignRole, service: ServerlessService, stackName: string): string {
  const name = typeof role === 'string' ? role : JSON.stringify(role)
  const known = arnsOf(service, stackName)
  const written = JSON.stringify(
    statements.map(({ Resource, ...rest }) => ({
      ...rest,
      Resource: Resource.map((arn) => known.get(JSON.stringify(arn)) ?? arn),
    })),
    undefined,
    2,
  )
  return `redrive: the role of the function ${functionName} is not made here (${name}). Give it these statements before the deploy:\n${written}`
}

/** Attributes of this template mean nothing where the role is: ARNs made of names do. */
function arnsOf({ consumers }: ServerlessService, stackName: string): ReadonlyMap<string, Value> {
  const arn = (kind: string, rest: Value): Value =>
    sub('arn:', ref('AWS::Partition'), `:${kind}:`, ref('AWS::Region'), ':', ref('AWS::AccountId'), ':', rest)
  const queues = consumers.flatMap(({ options }) => [queueOf(options), deadLetterQueueOf(options)])
  return new Map([
    ...queues.flatMap(({ logicalId, arn: attribute, name }) =>
      logicalId === undefined ? [] : [[JSON.stringify(attribute), arn('sqs', name)] as const],
    ),
    // CloudFormation gives the table a name of its own behind this.
    [JSON.stringify({ 'Fn::GetAtt': [TABLE, 'Arn'] }), arn('dynamodb', `table/${stackName}-${TABLE}-*`)] as const,
  ])
}

/** Easier to read than `Fn::Join`. */
function sub(...parts: readonly Value[]): Value {
  const texts = parts.map((part) => (typeof part === 'string' ? part : isRef(part) ? `\${${part.Ref}}` : undefined))
  return texts.every((text) => text !== undefined) ? { 'Fn::Sub': texts.join('') } : joined(...parts)
}

const isRef = (value: Intrinsic): value is { readonly Ref: string } => typeof value['Ref'] === 'string'
