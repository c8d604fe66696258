/** The statements that a function's role has, from wherever a template attaches them. */
import { lastName } from './arn.ts'
import type { RoleFacts, StatementFacts } from './facts.ts'
import { identity, nameOf } from './identity.ts'
import { type Known, notSeen, seen } from './known.ts'
import { isRecord, Unresolved } from './loose.ts'
import { asList, type Read, type ReadTemplate, record } from './template.ts'

/** AWS's own policies that consumers have, by name: what they allow on all resources. */
const MANAGED: Readonly<Record<string, readonly string[]>> = {
  AWSLambdaBasicExecutionRole: [],
  AWSLambdaVPCAccessExecutionRole: [],
  AWSXRayDaemonWriteAccess: [],
  CloudWatchLambdaInsightsExecutionRolePolicy: [],
  AWSLambdaSQSQueueExecutionRole: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
  AmazonSQSFullAccess: ['sqs:*'],
  AmazonDynamoDBFullAccess: ['dynamodb:*'],
  AdministratorAccess: ['*'],
}

interface Gathered {
  readonly found: StatementFacts[]
  readonly maybeMore: string[]
}

/** The role of an ARN. */
export function readRole(template: ReadTemplate, arn: Known<string>): RoleFacts {
  if (arn.is === 'not seen') return { where: 'role', statements: { found: [], maybeMore: [`the function's role: ${arn.why}`] } }
  const name = lastName(arn.value)
  const role = template.ofType('AWS::IAM::Role').find(({ resource }) => nameOf(resource, template.resolve) === name)
  const all: Gathered = { found: [], maybeMore: [...template.hidden] }
  if (role === undefined) all.maybeMore.push(`the role ${name} is not in this template`)
  else readOwn(template, role, all)
  readAttached(template, name, all)
  return { where: role?.where ?? `role ${name}`, statements: all }
}

function readOwn(template: ReadTemplate, role: Read, all: Gathered): void {
  const policies = asList(role.get('Policies'))
  if (policies.is === 'not seen') all.maybeMore.push(`a policy of ${role.where}: ${policies.why}`)
  else for (const policy of policies.value) readDocument(isRecord(policy) ? policy['PolicyDocument'] : policy, role.where, all)
  const managed = asList(role.get('ManagedPolicyArns'))
  if (managed.is === 'not seen') all.maybeMore.push(`a managed policy of ${role.where}: ${managed.why}`)
  else for (const policy of managed.value) readManaged(template, policy, role.where, all)
  if (role.get('PermissionsBoundary') !== undefined) {
    const unseen = notSeen(`the permissions boundary of ${role.where}`)
    all.found.push({ effect: 'Deny', actions: unseen, resources: unseen, conditional: true })
  }
}

function readManaged(template: ReadTemplate, policy: unknown, where: string, all: Gathered): void {
  if (typeof policy !== 'string') {
    all.maybeMore.push(`a managed policy of ${where}${policy instanceof Unresolved ? `: ${policy.why}` : ''}`)
    return
  }
  const own = template
    .ofType('AWS::IAM::ManagedPolicy')
    .find(({ resource }) => identity(resource, undefined, template.resolve) === policy)
  const name = lastName(policy)
  const known = /:aws:policy\//.test(policy) && Object.hasOwn(MANAGED, name) ? MANAGED[name] : undefined
  if (own !== undefined) readDocument(own.get('PolicyDocument'), own.where, all)
  else if (known !== undefined)
    all.found.push({ effect: 'Allow', actions: seen(known), resources: seen([seen('*')]), conditional: false })
  else all.maybeMore.push(`the managed policy ${name} is not in this template`)
}

/** Policies that name the role, instead of being named by it. */
function readAttached(template: ReadTemplate, role: string, all: Gathered): void {
  for (const policy of template.ofType('AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy', 'AWS::IAM::RolePolicy')) {
    const roles = asList(policy.get('Roles') ?? policy.get('RoleName'))
    const named = roles.is === 'seen' && roles.value.some((one) => typeof one === 'string' && lastName(one) === role)
    const maybe = roles.is === 'not seen' || roles.value.some((one) => one instanceof Unresolved)
    if (named && !policy.conditional) readDocument(policy.get('PolicyDocument'), policy.where, all)
    else if (named) all.maybeMore.push(`the policy ${policy.where} depends on a condition`)
    else if (maybe) all.maybeMore.push(`the policy ${policy.where} may belong to the role`)
  }
}

function readDocument(document: unknown, where: string, all: Gathered): void {
  if (!isRecord(document)) {
    if (document !== undefined)
      all.maybeMore.push(`a policy of ${where}${document instanceof Unresolved ? `: ${document.why}` : ''}`)
    return
  }
  const statements = asList(document['Statement'])
  if (statements.is === 'not seen') all.maybeMore.push(`statements of ${where}: ${statements.why}`)
  else for (const statement of statements.value) all.found.push(...readStatement(statement, where))
}

/** One whose effect can't be seen may allow, and may deny. */
function readStatement(value: unknown, where: string): StatementFacts[] {
  const { Effect, Action, Resource, Condition } = record(value)
  const unseen = notSeen(value instanceof Unresolved ? value.why : `a statement of ${where}`)
  const actions = asList(Action)
  const resources = asList(Resource)
  const statement = {
    actions: Action === undefined || actions.is === 'not seen' ? unseen : (textsOnly(actions.value) ?? unseen),
    resources:
      Resource === undefined || resources.is === 'not seen'
        ? unseen
        : seen(resources.value.map((one) => (typeof one === 'string' ? seen(one) : unseen))),
  }
  if (Effect === 'Allow' || Effect === 'Deny') return [{ ...statement, effect: Effect, conditional: Condition !== undefined }]
  return (['Allow', 'Deny'] as const).map((effect) => ({ ...statement, effect, conditional: true }))
}

function textsOnly(values: readonly unknown[]): Known<readonly string[]> | undefined {
  return values.every((one) => typeof one === 'string') ? seen(values as readonly string[]) : undefined
}
