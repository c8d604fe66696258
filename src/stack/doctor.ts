/** The doctor: what is wrong with consumers as they are deployed. Its rules are data, in `doctor/rules`. */
import { diagnose, type Finding } from './doctor/diagnose.ts'
import type { OwnOptions } from './doctor/facts.ts'
import { type Known, notSeen } from './doctor/known.ts'
import { type OptionsOf, readConsumers } from './doctor/read-consumers.ts'
import { type ReadTemplate, readTemplate, record } from './doctor/template.ts'

export type { Finding } from './doctor/diagnose.ts'
export type { OwnOptions } from './doctor/facts.ts'

/** What else the doctor may know. */
export interface DoctorOptions {
  /** Only the consumers of these functions, by logical id or name. @default all */
  readonly functions?: readonly string[]
  /** What a consumer says in its own code, by its function's logical id; `undefined` or a text: not known, and why. */
  readonly optionsOf?: (functionId: string, functionName: string) => OwnOptions | string | undefined
}

/** What came of a look at a template. */
export interface Diagnosis {
  /** Names of the functions that were looked at. */
  readonly consumers: readonly string[]
  readonly findings: readonly Finding[]
}

/**
 * All that is wrong with the consumers of a template: every mapping from an SQS queue to a function. What can't be resolved is a
 * finding of its own, `not checked`. Never throws, whatever it is given.
 */
export function diagnoseTemplate(template: unknown, options: DoctorOptions = {}): Finding[] {
  return [...examine(template, options).findings]
}

/** The same with the names of the consumers that were found. */
export function examine(template: unknown, options: DoctorOptions = {}): Diagnosis {
  const read = readTemplate(template)
  const { functions } = options
  const consumers = readConsumers(read, knownOptions(options)).filter(
    ({ name, function: { where } }) => functions === undefined || functions.includes(name) || functions.includes(where),
  )
  return { consumers: consumers.map(({ name }) => name), findings: [...diagnose(consumers), ...notExpanded(read)] }
}

function knownOptions({ optionsOf }: DoctorOptions): OptionsOf {
  return (id, name): Known<OwnOptions> => {
    const own = optionsOf?.(id, name) ?? 'the handler was not imported'
    return typeof own === 'string' ? notSeen(`the consumer's own options: ${own}`) : { is: 'seen', value: own }
  }
}

/** SAM makes functions and mappings only when it deploys: what it will make can't be looked at before. */
function notExpanded(read: ReadTemplate): Finding[] {
  const functions = read
    .ofType('AWS::Serverless::Function')
    .filter(({ get }) => Object.values(record(get('Events'))).some((event) => record(event)['Type'] === 'SQS'))
  return functions.map(({ where }) => ({
    rule: 'template.not-expanded',
    severity: 'not checked',
    consumer: where,
    where,
    what: 'SAM makes its resources only when it deploys',
    otherwise: 'Nothing of this function was looked at.',
    fix: 'Deploy it, then: redrive doctor --stack NAME',
    link: 'https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/sam-resource-function.html',
  }))
}
