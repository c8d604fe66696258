/** What only a serverless.yml can have wrong, and where in it the settings stand that `check.ts` refuses. */
import { checkQueueNames, checkService } from './check.ts'
import { pathOf, type ServerlessConsumer, type ServerlessService } from './serverless-service.ts'
import { StackError } from './stack-error.ts'
import { isIntrinsic } from './values.ts'

/** From which intrinsic functions the frameworks' `sqs` event can read a queue (F109). */
const READABLE = ['Fn::GetAtt', 'Fn::ImportValue', 'Fn::Join']

/** What is wrong, with the full path of the setting; `undefined`: nothing. */
export function faultOf({ options, consumers }: ServerlessService): string | undefined {
  const found = consumers.map(queueFault).find((fault) => fault !== undefined) ?? sameFunction(consumers)
  if (found !== undefined) return found
  try {
    const all = consumers.map((consumer) => consumer.options)
    checkService(options, all)
    checkQueueNames(all)
    return undefined
  } catch (error) {
    if (!(error instanceof StackError)) throw error
    return `${settingOf(error, consumers)} ${wordsOf(error, consumers)}`
  }
}

function queueFault(consumer: ServerlessConsumer): string | undefined {
  const { queue } = consumer.event as { queue: unknown }
  const path = `${pathOf(consumer)}.queue`
  if (queue === undefined) return `${path} is missing. It is the name of a queue to make, or the ARN of your own.`
  if (typeof queue === 'string') return undefined
  if (!isIntrinsic(queue))
    return `${path} is ${JSON.stringify(queue)}. It must be the name of a queue to make, or the ARN of your own.`
  const [name = ''] = Object.keys(queue)
  if (READABLE.includes(name)) return undefined
  return `${path} uses ${name}, from which the frameworks can't read a queue. Use ${READABLE.join(', ')} or the ARN itself.`
}

function sameFunction(consumers: readonly ServerlessConsumer[]): string | undefined {
  const [two] = groups(consumers, ({ functionName }) => functionName)
  if (two !== undefined) return `${two}: a function has one redrive event. Make a function for each queue.`
  const [alike] = groups(consumers, ({ options }) => options.logicalName)
  return alike && `${alike}: the resources of both would have the same names. Rename one of the functions.`
}

/** The paths of those that share something, for each thing that is shared. */
function groups(all: readonly ServerlessConsumer[], by: (one: ServerlessConsumer) => string): string[] {
  return [...Map.groupBy(all, by).values()].flatMap((group) => (group.length > 1 ? [group.map(pathOf).join(' and ')] : []))
}

/** Where a setting of the options stands in a serverless.yml. */
function settingOf({ where, setting }: StackError, consumers: readonly ServerlessConsumer[]): string {
  const consumer = consumers.find(({ options }) => where === `consumer ${options.logicalName}`)
  if (consumer === undefined)
    return setting === 'stage' ? 'provider.stage' : setting === 'service' ? setting : `custom.redrive.${setting}`
  if (setting === 'functionTimeout') return `functions.${consumer.functionName}.timeout`
  if (setting === 'logicalName') return `functions.${consumer.functionName}: its name in the template`
  return `${pathOf(consumer)}.${setting.replace(/^queue\..*/, 'queue')}`
}

/** What a setting must be. Its name is another one in the options, and so are those of other consumers. */
function wordsOf({ message, setting }: StackError, consumers: readonly ServerlessConsumer[]): string {
  const words = message.slice(message.indexOf(`"${setting}"`) + setting.length + 3)
  const names = new Map(consumers.map(({ options, functionName }) => [options.logicalName, functionName]))
  return words.replace(/\bconsumer (\w+)/, (all, name) => (names.has(name) ? `functions.${names.get(name)}` : all))
}
