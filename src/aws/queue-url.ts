/** The domain of a partition's endpoints: https://docs.aws.amazon.com/general/latest/gr/sqs-service.html */
const DOMAINS: Readonly<Record<string, string>> = {
  aws: 'amazonaws.com',
  'aws-us-gov': 'amazonaws.com',
  'aws-cn': 'amazonaws.com.cn',
  'aws-eusc': 'amazonaws.eu',
  'aws-iso': 'c2s.ic.gov',
  'aws-iso-b': 'sc2s.sgov.gov',
  'aws-iso-e': 'cloud.adc-e.uk',
  'aws-iso-f': 'csp.hci.ic.gov',
}

/** The name of a queue, from its ARN or URL. */
export const queueName = (arnOrUrl: string): string => /[^:/]*$/.exec(arnOrUrl)?.[0] ?? arnOrUrl

/**
 * The URL of a queue, from its ARN alone, so that no permission to ask SQS is needed. `known`: a URL that is taken if it names
 * the same queue. `endpoint`: the base to use instead of the region's own (an emulator, a VPC endpoint).
 */
export function queueUrl(arn: string, known: string | undefined, endpoint: string | undefined): string {
  const [, partition = 'aws', , region = '', account = '', name = ''] = arn.split(':')
  if (known !== undefined && queueName(known) === name) return known
  const base = endpoint ?? `https://sqs.${region}.${DOMAINS[partition] ?? 'amazonaws.com'}`
  return `${base.replace(/\/+$/, '')}/${account}/${name}`
}
