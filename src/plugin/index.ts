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
import { readServerless } from '../stack/serverless.ts'
import { ServerlessError, type ServerlessService } from '../stack/serverless-service.ts'
import { eventSettings, serviceSettings } from '../stack/serverless-settings.ts'
import { StackError } from '../stack/stack-error.ts'
import { addConsumers, Taken } from './add.ts'
import { textFor } from './foreign-role.ts'
import type { Framework, FrameworkUtils } from './framework.ts'
import { grant } from './grant.ts'

/** The plugin, as the frameworks load it. */
export default class RedrivePlugin {
  /** When what is done. */
  readonly hooks = {
    // After variables and schema, before anything is packaged. Version 3 only warns where the schema does not hold.
    initialize: () => this.#said(() => this.#addConsumers()),
    // Other plugins (roles a function) have done their part with `package:finalize`.
    'before:aws:package:finalize:mergeCustomProviderResources': () => this.#said(() => this.#grant()),
  }

  readonly #framework: Framework
  readonly #utils: FrameworkUtils
  #service: ServerlessService | undefined

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
    this.#service = readServerless(service, { stage: this.#framework.getProvider('aws').getStage() })
    addConsumers(service, this.#service)
  }

  #grant(): void {
    const service = this.#service
    if (service === undefined) return
    const stackName = this.#framework.getProvider('aws').naming.getStackName()
    for (const foreign of grant(this.#framework, service)) this.#utils.log.notice(textFor(foreign, service, stackName))
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
