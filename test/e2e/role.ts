/** The role of a deployed function, and single permissions taken away from it. */
import { GetRolePolicyCommand, IAMClient, ListRolePoliciesCommand, PutRolePolicyCommand } from '@aws-sdk/client-iam'
import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { settingsFor } from './clients.ts'
import { STACK } from './deploy.ts'

interface Statement {
  readonly Action: readonly string[]
  readonly Resource: unknown
}

/** A policy as IAM keeps it. */
export interface Policy {
  readonly name: string
  readonly statements: readonly Statement[]
}

/**
 * MiniStack checks the batch forms as actions of their own, which AWS does not have (F16): each is granted, and taken away, with
 * the action that covers it on AWS.
 */
const withBatchForm = (action: string): string[] =>
  ['sqs:SendMessage', 'sqs:ChangeMessageVisibility'].includes(action) ? [action, `${action}Batch`] : [action]

/** The role of one function. */
export class Role {
  readonly name: string
  /** As they were deployed. */
  readonly policies: readonly Policy[]
  readonly #iam: IAMClient

  private constructor(iam: IAMClient, name: string, policies: readonly Policy[]) {
    this.#iam = iam
    this.name = name
    this.policies = policies
  }

  /** Reads what was deployed. */
  static async of(endpoint: string, functionName: string): Promise<Role> {
    const iam = new IAMClient(settingsFor(endpoint))
    const lambda = new LambdaClient(settingsFor(endpoint))
    const { Role: arn = '' } = await lambda.send(
      new GetFunctionConfigurationCommand({ FunctionName: `${STACK}-${functionName}` }),
    )
    const RoleName = arn.slice(arn.lastIndexOf('/') + 1)
    const { PolicyNames = [] } = await iam.send(new ListRolePoliciesCommand({ RoleName }))
    const policies = PolicyNames.map(async (PolicyName): Promise<Policy> => {
      const { PolicyDocument = '' } = await iam.send(new GetRolePolicyCommand({ RoleName, PolicyName }))
      return { name: PolicyName, statements: JSON.parse(decodeURIComponent(PolicyDocument)).Statement }
    })
    return new Role(iam, RoleName, await Promise.all(policies))
  }

  /** Grants what was deployed, but for one action. */
  async grantAllBut(action?: string): Promise<void> {
    for (const { name, statements } of this.policies) {
      await this.#iam.send(
        new PutRolePolicyCommand({ RoleName: this.name, PolicyName: name, PolicyDocument: documentOf(statements, action) }),
      )
    }
  }
}

/** The actions that policies grant, less those of the function's log, which are the framework's own affair. */
export const actionsOf = (policies: readonly Policy[]): string[] =>
  policies.flatMap(({ statements }) => statements.flatMap(({ Action }) => Action)).filter((action) => !action.startsWith('logs:'))

/** A policy's text, less one action. */
export function documentOf(statements: readonly Statement[], without?: string): string {
  const left = statements.map((statement) => ({
    ...statement,
    Action: statement.Action.filter((action) => action !== without).flatMap(withBatchForm),
  }))
  return JSON.stringify({ Version: '2012-10-17', Statement: left.filter(({ Action }) => Action.length > 0) })
}
