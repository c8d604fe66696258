/** A function's role with the documents of all its policies. */
import type { GetPolicyVersionResponse, GetRoleResponse } from '@aws-sdk/client-iam'
import { type Ask, type Told, tell } from './describe-stack-ask.ts'
import { type Gathered, notSeen } from './describe-stack-gathered.ts'

interface Policy {
  readonly PolicyDocument: unknown
}

export async function describeRole({ resources }: Gathered, arn: string, ask: Ask): Promise<void> {
  const RoleName = arn.slice(arn.lastIndexOf('/') + 1)
  const [inline, attached, role] = await Promise.all([
    inlinePolicies(RoleName, ask),
    attachedPolicies(RoleName, ask),
    tell<GetRoleResponse>(ask, 'iam', 'GetRole', { RoleName }),
  ])
  const boundary = role.is === 'told' ? role.answer.Role?.PermissionsBoundary?.PermissionsBoundaryArn : undefined
  resources.set(`role ${RoleName}`, {
    Type: 'AWS::IAM::Role',
    Properties: {
      RoleName,
      Policies: [...inline, ...attached],
      ...(boundary === undefined ? {} : { PermissionsBoundary: boundary }),
    },
  })
}

async function inlinePolicies(RoleName: string, ask: Ask): Promise<Policy[]> {
  const names = await pages<{ PolicyNames?: string[] }>(ask, 'ListRolePolicies', { RoleName })
  const policies = names.told.flatMap(({ PolicyNames = [] }) => PolicyNames)
  const documents = await Promise.all(
    policies.map(async (PolicyName) => {
      const policy = await tell<{ PolicyDocument?: string }>(ask, 'iam', 'GetRolePolicy', { RoleName, PolicyName })
      return documentOf(policy, (answer) => answer.PolicyDocument, PolicyName)
    }),
  )
  return [...documents, ...names.unseen]
}

async function attachedPolicies(RoleName: string, ask: Ask): Promise<Policy[]> {
  const lists = await pages<{ AttachedPolicies?: { PolicyArn?: string }[] }>(ask, 'ListAttachedRolePolicies', { RoleName })
  const arns = lists.told.flatMap(({ AttachedPolicies = [] }) => AttachedPolicies.flatMap(({ PolicyArn }) => PolicyArn ?? []))
  const documents = await Promise.all(
    arns.map(async (PolicyArn) => {
      const policy = await tell<{ Policy?: { DefaultVersionId?: string } }>(ask, 'iam', 'GetPolicy', { PolicyArn })
      if (policy.is !== 'told') return documentOf(policy, () => undefined, PolicyArn)
      const VersionId = policy.answer.Policy?.DefaultVersionId ?? 'v1'
      const version = await tell<GetPolicyVersionResponse>(ask, 'iam', 'GetPolicyVersion', { PolicyArn, VersionId })
      return documentOf(version, (answer) => answer.PolicyVersion?.Document, PolicyArn)
    }),
  )
  return [...documents, ...lists.unseen]
}

/** All pages of a list, and what stands for those that were refused. */
async function pages<T>(ask: Ask, operation: string, input: object): Promise<{ told: T[]; unseen: Policy[] }> {
  const told: T[] = []
  let marker: string | undefined
  do {
    const page = await tell<T & { Marker?: string }>(ask, 'iam', operation, {
      ...input,
      ...(marker === undefined ? {} : { Marker: marker }),
    })
    if (page.is !== 'told') {
      return { told, unseen: [{ PolicyDocument: notSeen(page.is === 'missing' ? 'the role does not exist' : page.why) }] }
    }
    told.push(page.answer)
    marker = page.answer.Marker || undefined
  } while (marker !== undefined)
  return { told, unseen: [] }
}

/** IAM gives documents as JSON in the encoding of URLs. */
function documentOf<T>(told: Told<T>, pick: (answer: T) => string | undefined, name: string): Policy {
  if (told.is !== 'told') return { PolicyDocument: notSeen(told.is === 'missing' ? `the policy ${name} is gone` : told.why) }
  try {
    const text = pick(told.answer) ?? ''
    return { PolicyDocument: JSON.parse(text.trimStart().startsWith('{') ? text : decodeURIComponent(text)) as unknown }
  } catch {
    return { PolicyDocument: notSeen(`the policy ${name}, which is no JSON`) }
  }
}
