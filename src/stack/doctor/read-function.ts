/** A function's facts out of a template, and the ARN of its role. */
import type { FunctionFacts } from './facts.ts'
import { andThen, type Known, notSeen, seen } from './known.ts'
import { asNumber, asRecord, asText, type Read } from './template.ts'

/** Lambda's own default. */
const DEFAULT_TIMEOUT = 3
/** Of Managed Instances, for each vCPU (F82). */
const MANAGED_CONCURRENCY = 64

export interface ReadFunction {
  readonly facts: Omit<FunctionFacts, 'concurrencyOfMappings'>
  readonly role: Known<string>
}

export function readFunction({ get, where }: Read): ReadFunction {
  const variables = andThen(asRecord(get('Environment')), ({ Variables }) => asRecord(Variables))
  const environment = andThen(variables, (all) =>
    seen(Object.fromEntries(Object.entries(all).map(([name, value]) => [name, asText(value, '')]))),
  )
  const role = asText(get('Role'), undefined)
  return {
    role: andThen(role, (arn) => (arn === undefined ? notSeen(`${where} names no role`) : seen(arn))),
    facts: {
      where,
      environment,
      timeout: asNumber(get('Timeout'), DEFAULT_TIMEOUT),
      runtime: asText(get('Runtime'), undefined),
      reservedConcurrency: asNumber(get('ReservedConcurrentExecutions'), undefined),
      deadLetterTarget: andThen(asRecord(get('DeadLetterConfig')), ({ TargetArn }) => asText(TargetArn, undefined)),
      invocationsAtATime: atATime(get('CapacityProviderConfig'), environment),
    },
  }
}

/** A function that the template only names. */
export function unseenFunction(name: string, target: Known<string>): ReadFunction {
  const unseen =
    target.is === 'seen'
      ? notSeen(`the function ${name} is not in this template`)
      : notSeen(`the function of ${name}: ${target.why}`)
  return {
    role: unseen,
    facts: {
      where: `function ${name}`,
      environment: unseen,
      timeout: unseen,
      runtime: unseen,
      reservedConcurrency: unseen,
      deadLetterTarget: unseen,
      invocationsAtATime: unseen,
    },
  }
}

function atATime(capacity: unknown, environment: FunctionFacts['environment']): Known<number> {
  if (capacity !== undefined) {
    return andThen(asRecord(capacity), ({ LambdaManagedInstancesCapacityProviderConfig: managed }) =>
      andThen(asRecord(managed), ({ PerExecutionEnvironmentMaxConcurrency: most }) => asNumber(most, MANAGED_CONCURRENCY)),
    )
  }
  return andThen(environment, (variables) =>
    andThen(variables['AWS_LAMBDA_MAX_CONCURRENCY'] ?? seen('1'), (text) => asNumber(text, 1)),
  )
}
