/** The pages that say why: https://docs.aws.amazon.com, but for our own. */
const lambda = 'https://docs.aws.amazon.com/lambda/latest/dg'
const sqs = 'https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide'
const cloudwatch = 'https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring'

export const pages = {
  configure: `${lambda}/services-sqs-configure.html`,
  errorHandling: `${lambda}/services-sqs-errorhandling.html`,
  parameters: `${lambda}/services-sqs-parameters.html`,
  scaling: `${lambda}/services-sqs-scaling.html`,
  filtering: `${lambda}/with-sqs-filtering.html`,
  runtimes: `${lambda}/lambda-runtimes.html`,
  managedInstances: `${lambda}/lambda-managed-instances-nodejs-runtime.html`,
  environment: `${lambda}/configuration-envvars.html`,
  visibility: `${sqs}/sqs-visibility-timeout.html`,
  deadLetters: `${sqs}/sqs-dead-letter-queues.html`,
  retention: `${sqs}/setting-up-dead-letter-queue-retention.html`,
  redrive: `${sqs}/troubleshooting-dlq-redrive.html`,
  attributes: 'https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SetQueueAttributes.html',
  permissions: `${sqs}/sqs-api-permissions-reference.html`,
  keys: `${sqs}/sqs-key-management.html`,
  metrics: `${sqs}/sqs-available-cloudwatch-metrics.html`,
  missingData: `${cloudwatch}/alarms-and-missing-data.html`,
  metricMath: `${cloudwatch}/using-metric-math.html`,
  alarmActions: `${cloudwatch}/alarm-actions.html`,
  ttl: 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TTL.html',
  tableKeys: 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.CoreComponents.html',
  tablePermissions: 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/api-permissions-reference.html',
} as const

export type Page = (typeof pages)[keyof typeof pages]
