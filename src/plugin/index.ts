/**
 * `redrive/plugin`: a function event `redrive` for osls 4 and Serverless Framework 3.
 *
 * ```yaml
 * plugins: [redrive/plugin]
 * functions:
 *   orders:
 *     handler: src/orders.handler
 *     events:
 *       - redrive: { queue: orders }
 * ```
 */
import { diagnoseTemplate, type Finding } from '../stack/doctor.ts'
import { readServerless } from '../stack/serverless.ts'
import { ServerlessError, type ServerlessService } from '../stack/serverless-service.ts'
import { eventSettings, serviceSettings } from '../stack/serverless-settings.ts'
import { StackError } from '../stack/stack-error.ts'
import { addConsumers, Taken } from './add.ts'
import { textFor } from './foreign-role.ts'
import type { Framework, FrameworkUtils } from './framework.ts'
import { grant } from './grant.ts'
import { findingLine, findingText, isUrgent, summary } from './say-findings.ts'

/** As in package.json. */
const OLDEST_NODE = 22

/** The plugin, as the frameworks load it. */
export default class RedrivePlugin {
  /** When what is done. */
  readonly hooks = {
    // After variables and schema, before anything is packaged. Version 3 only warns where the schema does not hold.
    initialize: () => this.#said(() => this.#addConsumers()),
    // Other plugins (roles a function) have done their part with `package:finalize`.
    'before:aws:package:finalize:mergeCustomProviderResources': () => this.#said(() => this.#grant()),
    // The template is whole now, with the service's own resources in it.
    'after:aws:package:finalize:mergeCustomProviderResources': () => this.#warn(),
    'redrive:doctor:doctor': () => this.#doctor(),
  }

  /** `serverless redrive doctor`. */
  readonly commands = {
    redrive: {
      usage: 'SQS consumers that decide which failures are worth another try',
      commands: {
        doctor: {
          usage: 'Package the service and say what is wrong with its consumers, and how to fix it',
          lifecycleEvents: ['doctor'],
          serviceDependencyMode: 'required',
        },
      },
    },
  }

  readonly #framework: Framework
  readonly #utils: FrameworkUtils
  #service: ServerlessService | undefined
  #isDoctor = false

  constructor(framework: Framework, _options: unknown, utils: FrameworkUtils) {
    this.#framework = framework
    this.#utils = utils
    // The frameworks write into the schemas that they are given.
    framework.configSchemaHandler.defineFunctionEvent('aws', 'redrive', structuredClone(eventSettings))
    framework.configSchemaHandler.defineCustomProperties({
      type: 'object',
      properties: { redrive: structuredClone(serviceSettings) },
    })
  }

  #addConsumers(): void {
    const { service } = this.#framework
    // Version 3 itself runs on older ones, and would show a stack of ours.
    if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
      throw new ServerlessError(
        `this is Node ${process.versions.node}. Packaging with redrive/plugin needs ${OLDEST_NODE} or later.`,
      )
    }
    this.#service = readServerless(service, { stage: this.#framework.getProvider('aws').getStage() })
    addConsumers(service, this.#service)
  }

  #grant(): void {
    const service = this.#service
    if (service === undefined) return
    const stackName = this.#framework.getProvider('aws').naming.getStackName()
    for (const foreign of grant(this.#framework, service)) this.#utils.log.notice(textFor(foreign, service, stackName))
  }

  /** Of our own consumers: the service may have others, which are none of our business at a deploy. */
  #findings(): Finding[] {
    const { naming } = this.#framework.getProvider('aws')
    const consumers = this.#service?.consumers ?? []
    if (consumers.length === 0) return []
    return diagnoseTemplate(this.#framework.service.provider.compiledCloudFormationTemplate, {
      functions: consumers.map(({ functionName }) => naming.getLambdaLogicalId(functionName)),
    })
  }

  #warn(): void {
    if (this.#isDoctor) return
    const urgent = this.#findings().filter(isUrgent)
    for (const finding of urgent) this.#utils.log.warning(`redrive: ${findingLine(finding)}`)
    if (urgent.length > 0) this.#utils.log.warning('redrive: what happens then, and how to fix it: serverless redrive doctor')
  }

  async #doctor(): Promise<void> {
    this.#isDoctor = true
    await this.#framework.pluginManager.spawn('package')
    const findings = this.#findings()
    for (const finding of findings) this.#utils.log.notice(findingText(finding))
    const found = `redrive doctor: ${summary(findings)}`
    if (findings.some(({ severity }) => severity === 'error')) throw new this.#framework.classes.Error(found, 'REDRIVE_DOCTOR')
    this.#utils.log.notice(found)
  }

  /** Faults of a person's are the framework's errors: printed in words, without a stack. */
  #said(step: () => void): void {
    try {
      step()
    } catch (error) {
      if (!(error instanceof ServerlessError || error instanceof StackError || error instanceof Taken)) throw error
      throw new this.#framework.classes.Error(error.message, 'REDRIVE_CONFIGURATION')
    }
  }
}
