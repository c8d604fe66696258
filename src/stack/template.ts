/** A whole template, for those who deploy the function with SAM, CDK or by hand. */
import { environmentFor, mappingFor } from './mapping.ts'
import { deadLetterQueueOf, prefixOf, queueOf, TABLE, TOPIC } from './names.ts'
import type { ConsumerOptions, Output, Resource, Resources, ServiceOptions, Statement, Template, Value } from './options.ts'
import { consumerResources, serviceResources } from './resources.ts'
import { operatorStatements, pollStatementsFor, statementsFor } from './statements.ts'
import { ref } from './values.ts'

/** Logical id of the policy for people. */
export const OPERATOR_POLICY = 'RedriveOperatorPolicy'

/**
 * All resources and one managed policy a consumer, without the functions; outputs for what these need, and as metadata each
 * one's environment and mapping, to copy. Throws a `StackError`.
 */
export function templateFor(service: ServiceOptions, consumers: readonly ConsumerOptions[]): Template {
  const shared = serviceResources(service, consumers)
  const resources: Resources = Object.assign({}, ...consumers.map((consumer) => consumerResources(consumer, service)), shared)
  return {
    AWSTemplateFormatVersion: '2010-09-09',
    Description: `Queues, dead-letter queues, alarms and permissions of ${prefixOf(service)}, made by redrive`,
    ...(consumers.length > 0 && { Metadata: { redrive: metadata(service, consumers) } }),
    Resources: { ...resources, ...policies(service, consumers) },
    Outputs: outputs(service, consumers),
  }
}

function metadata(service: ServiceOptions, consumers: readonly ConsumerOptions[]) {
  return Object.fromEntries(
    consumers.map((consumer) => [
      consumer.logicalName,
      { Environment: environmentFor(consumer, service), EventSourceMapping: mappingFor(consumer) },
    ]),
  )
}

function policies(service: ServiceOptions, consumers: readonly ConsumerOptions[]): Resources {
  if (consumers.length === 0) return {}
  const each = consumers.map((consumer): [string, Resource] => [
    `${consumer.logicalName}Policy`,
    policy(`What the function behind ${consumer.logicalName} needs of its role`, [
      ...pollStatementsFor(consumer),
      ...statementsFor(consumer, service),
    ]),
  ])
  const operator = policy('For a person who lists dead letters and replays them', operatorStatements(consumers, service))
  return { ...Object.fromEntries(each), [OPERATOR_POLICY]: operator }
}

const policy = (Description: string, Statement: readonly Statement[]): Resource => ({
  Type: 'AWS::IAM::ManagedPolicy',
  Properties: { Description, PolicyDocument: { Version: '2012-10-17', Statement } },
})

/** Of what is made here alone: what is one's own is known already. */
function outputs(service: ServiceOptions, consumers: readonly ConsumerOptions[]): Template['Outputs'] {
  const made: [string, Output][] = []
  const add = (id: string, Description: string, Value: Value) => made.push([id, { Description, Value }])
  for (const consumer of consumers) {
    const { logicalName } = consumer
    const queue = queueOf(consumer)
    const letters = deadLetterQueueOf(consumer)
    if (queue.logicalId !== undefined) {
      add(`${queue.logicalId}Arn`, 'For the event source mapping', queue.arn)
      add(`${queue.logicalId}Url`, 'For those who send', queue.url)
    }
    if (letters.logicalId !== undefined) {
      add(`${letters.logicalId}Arn`, 'For those who read dead letters', letters.arn)
      add(`${letters.logicalId}Url`, "For the function's REDRIVE_DLQ_URL", letters.url)
    }
    add(`${logicalName}PolicyArn`, "For the function's role", ref(`${logicalName}Policy`))
  }
  if (service.table === undefined) add(`${TABLE}Name`, "For the functions' REDRIVE_TABLE", ref(TABLE))
  if (consumers.length > 0) add(`${OPERATOR_POLICY}Arn`, 'For people who list and replay dead letters', ref(OPERATOR_POLICY))
  if (service.alarm !== undefined && service.alarm.topicArn === undefined) add(`${TOPIC}Arn`, 'Where the alarms go', ref(TOPIC))
  return Object.fromEntries(made)
}
