/** Why a worker did not start. */

/** Thrown by `startWorker` for a wrong option or a queue that it can't use. The message says what, where and what to do. */
export class WorkerStartError extends Error {
  override readonly name = 'WorkerStartError'
}

/** What to say of an error by its name (the SDK's or the older code of SQS). */
const REASONS: readonly { readonly match: RegExp; readonly say: string }[] = [
  { match: /QueueDoesNotExist|NonExistentQueue/, say: 'does not exist. Check the name, the account and the region in the URL.' },
  {
    match: /AccessDenied|InvalidSecurity/,
    say: 'refuses access. The worker needs sqs:GetQueueAttributes, ReceiveMessage, DeleteMessage and ChangeMessageVisibility on it.',
  },
  {
    match: /CredentialsProviderError|UnrecognizedClient|InvalidClientTokenId|ExpiredToken/,
    say: 'needs AWS credentials, and none that work were found. Set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
  },
  { match: /InvalidAddress/, say: 'is not the URL of a queue.' },
]

/** Says of a queue that could not be asked for its attributes what is wrong. */
export function queueNotUsable(queueUrl: string, error: unknown): WorkerStartError {
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  const known = REASONS.find(({ match }) => match.test(name))
  const say = known?.say ?? `could not be reached: ${message || name}. Check the URL, the network and the endpoint.`
  return new WorkerStartError(`The queue ${queueUrl} ${say}`, { cause: error })
}
