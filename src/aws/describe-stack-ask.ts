/** One question to AWS at a time, and what its refusal means. */

/** The SDK's packages that the doctor asks with, by the name of the service. */
const PACKAGES = {
  cloudformation: ['@aws-sdk/client-cloudformation', 'CloudFormationClient'],
  lambda: ['@aws-sdk/client-lambda', 'LambdaClient'],
  sqs: ['@aws-sdk/client-sqs', 'SQSClient'],
  dynamodb: ['@aws-sdk/client-dynamodb', 'DynamoDBClient'],
  cloudwatch: ['@aws-sdk/client-cloudwatch', 'CloudWatchClient'],
  iam: ['@aws-sdk/client-iam', 'IAMClient'],
} as const

export type Service = keyof typeof PACKAGES

/** Asks AWS: `ask('sqs', 'GetQueueUrl', { QueueName: 'orders' })`. Rejects as the SDK does. */
export type Ask = (service: Service, operation: string, input: object) => Promise<unknown>

/** Nothing can be looked at. Its message says in one line what to do. */
export class NotReached extends Error {
  override readonly name = 'NotReached'
}

interface Client {
  send(command: object): Promise<unknown>
}

type Constructor<T> = new (input: object) => T

/** Asks with the SDK; each of its packages is loaded when it is first needed. */
export function askWithSdk(options: { readonly region?: string | undefined; readonly endpoint?: string | undefined }): Ask {
  const clients = new Map<Service, { readonly sdk: Readonly<Record<string, unknown>>; readonly client: Client }>()
  return async (service, operation, input) => {
    let open = clients.get(service)
    if (open === undefined) {
      const [packageName, clientName] = PACKAGES[service]
      const sdk = await load(packageName)
      const client = new (sdk[clientName] as Constructor<Client>)({
        ...(options.region === undefined ? {} : { region: options.region }),
        ...(options.endpoint === undefined ? {} : { endpoint: options.endpoint }),
        requestHandler: { connectionTimeout: 3_000, requestTimeout: 20_000, throwOnRequestTimeout: true },
      })
      open = { sdk, client }
      clients.set(service, open)
    }
    return await open.client.send(new (open.sdk[`${operation}Command`] as Constructor<object>)(input))
  }
}

async function load(packageName: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (await import(packageName)) as Readonly<Record<string, unknown>>
  } catch (error) {
    if (!String(Object(error).code).endsWith('MODULE_NOT_FOUND')) throw error
    const all = Object.values(PACKAGES).map(([name]) => name)
    throw new NotReached(
      `looking at a live stack needs ${packageName}. Install what it asks with: npm install --save-dev ${all.join(' ')}`,
    )
  }
}

/** What became of a question. */
export type Told<T> =
  | { readonly is: 'told'; readonly answer: T }
  | { readonly is: 'missing' }
  /** Denied, or nothing that this endpoint knows. */
  | { readonly is: 'not told'; readonly why: string }

const MISSING =
  /^(ResourceNotFoundException|QueueDoesNotExist|AWS\.SimpleQueueService\.NonExistentQueue|NoSuchEntity(Exception)?|StackNotFoundException)$/

/** Asks, and tells refusals apart. Rejects with {@link NotReached} only where nobody answers, or nobody knows who asks. */
export async function tell<T>(ask: Ask, service: Service, operation: string, input: object): Promise<Told<T>> {
  try {
    return { is: 'told', answer: (await ask(service, operation, input)) as T }
  } catch (error) {
    if (error instanceof NotReached) throw error
    const { name = '', message = '', code = '' } = Object(error) as { name?: string; message?: string; code?: string }
    const unreachable = whyUnreachable(name, message, String(code))
    if (unreachable !== undefined) throw new NotReached(unreachable, { cause: error })
    if (MISSING.test(name) || (service === 'cloudformation' && /does not exist/.test(message))) return { is: 'missing' }
    return { is: 'not told', why: `${service}:${operation} was refused (${name || message})` }
  }
}

/** By name or code of the error: what a person can do about it. */
const UNREACHABLE: readonly { readonly when: RegExp; readonly say: string }[] = [
  {
    when: /^(CredentialsProviderError|TokenProviderError)$|Could not load credentials|Resolved credential object is not valid/,
    say: 'there are no AWS credentials. Set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (any for an emulator), and try again',
  },
  {
    when: /^(ExpiredToken(Exception)?|RequestExpired)$|[Tt]oken.* expired/,
    say: 'the AWS credentials have expired. Log in again (e.g. aws sso login)',
  },
  {
    when: /^(InvalidClientTokenId|UnrecognizedClientException|SignatureDoesNotMatch|InvalidSignatureException|InvalidAccessKeyId)$/,
    say: 'AWS does not accept the credentials. Check AWS_PROFILE, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
  },
  { when: /Region is missing/, say: 'there is no region. Give it like this: --region eu-central-1' },
  {
    when: /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|TimeoutError|NetworkingError)$|ECONNREFUSED/,
    say: 'nobody answers at the endpoint. Check --endpoint (or AWS_ENDPOINT_URL), --region and the network',
  },
]

function whyUnreachable(name: string, message: string, code: string): string | undefined {
  const found = UNREACHABLE.find(({ when }) => when.test(name) || when.test(code) || when.test(message))
  return found && `${found.say} (${name || code}: ${message.split('\n')[0] ?? ''}).`
}
