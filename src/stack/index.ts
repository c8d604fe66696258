/** `redrive/stack`: from a few options to CloudFormation. Nothing here reads or writes anything. */
export { alarmsFor } from './alarms.ts'
export { checkConsumer, checkQueueNames, checkService } from './check.ts'
export { dashboardFor } from './dashboard.ts'
export { environmentFor, type MappingProperties, mappingFor } from './mapping.ts'
export type {
  ConsumerOptions,
  Intrinsic,
  Output,
  QueueOption,
  Resource,
  Resources,
  ServiceOptions,
  Statement,
  Template,
  Value,
} from './options.ts'
export { consumerResources, serviceResources } from './resources.ts'
export { StackError } from './stack-error.ts'
export { operatorStatements, pollStatementsFor, statementsFor } from './statements.ts'
export { templateFor } from './template.ts'
export { yamlOf } from './yaml.ts'
