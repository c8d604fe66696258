/** What a stack holds, that of its nested stacks included. */
import type { ListStackResourcesOutput } from '@aws-sdk/client-cloudformation'
import { type Ask, NotReached, tell } from './describe-stack-ask.ts'

export interface StackList {
  /** Names of its functions. */
  readonly functions: readonly string[]
  /** Ids of its event source mappings. */
  readonly mappings: readonly string[]
}

const DEEPEST = 5

export async function listStack(stack: string, ask: Ask, depth = 0): Promise<StackList> {
  const resources = await resourcesOf(stack, ask, depth)
  const ofType = (type: string): string[] =>
    resources.flatMap(({ ResourceType, PhysicalResourceId }) =>
      ResourceType === type && PhysicalResourceId ? [PhysicalResourceId] : [],
    )
  const nested = depth < DEEPEST ? ofType('AWS::CloudFormation::Stack') : []
  const inner = await Promise.all(nested.map((one) => listStack(one, ask, depth + 1)))
  return {
    functions: [...ofType('AWS::Lambda::Function'), ...inner.flatMap(({ functions }) => functions)],
    mappings: [...ofType('AWS::Lambda::EventSourceMapping'), ...inner.flatMap(({ mappings }) => mappings)],
  }
}

async function resourcesOf(StackName: string, ask: Ask, depth: number) {
  const all: NonNullable<ListStackResourcesOutput['StackResourceSummaries']> = []
  let token: string | undefined
  do {
    const page = await tell<ListStackResourcesOutput>(ask, 'cloudformation', 'ListStackResources', {
      StackName,
      ...(token === undefined ? {} : { NextToken: token }),
    })
    if (page.is !== 'told') {
      if (depth > 0) break
      throw new NotReached(
        page.is === 'missing'
          ? `there is no stack ${StackName} here. Check its name (service-stage, as a rule), --region and the account.`
          : `${page.why}: allow it, or give --function NAME.`,
      )
    }
    all.push(...(page.answer.StackResourceSummaries ?? []))
    token = page.answer.NextToken || undefined
  } while (token !== undefined)
  return all
}
