import type { Link } from '../chain.ts'
import { isObject, read, readText } from '../read.ts'
import { family } from './family.ts'

/**
 * Errors of the AWS SDKs by name, without `Exception` or `Error` at the end (but for `NotFoundException`: SNS means the topic,
 * S3 with `NotFound` the object). Throttles and conflicts come with HTTP 400 there, so the name comes before the status.
 */
export const aws = family('aws', 'specific', keys, {
  hinted: '$retryable',
  throttled:
    /throttl|TooMany(Requests|Updates|Concurrent)|RequestLimit|RequestRate|ThroughputExceeded|SlowDown|BandwidthLimit|OverLimit|RateExceeded|RateLimit|^(Service|Account|)?(Limit|Quota)Exceeded|ServiceQuota|LimitReached/i,
  conflict:
    /^(Transaction(Conflict|InProgress)|ReplicatedWriteConflict|ConditionalRequestConflict|OperationAborted|PriorRequestNotComplete|Resource(InUse|Conflict|NotReady)|Concurrent\w*|\w*InProgress|Conflict|OptimisticLock)$|ConcurrentModification/,
  expired:
    /^(ExpiredToken|RequestExpired|TokenRefresh|Credentials|Provider$|Request(TimeTooSkewed|InTheFuture)|IDPCommunication)/,
  unavailable: [
    'unparsable',
    /^(Internal|Service$|Server|RequestTimeout|KeyUnavailable|KMSInternal|DependencyTimeout|BadDigest)|Unavailable$|Timeout$|TimedOut$|^EC2Unexpected|NotStabilized/,
  ],
  denied:
    /Denied|NotAuthorized|Unauthorized|Authoriz|Forbidden|OptInRequired|UnrecognizedClient|InvalidClientToken|AuthenticationToken|Signature|AuthFailure|InvalidAccessKey|^InvalidToken|Suspended|Paused|^Region/,
  absent:
    /NotFoundException$|(Resource|Parameter|Function|Table|Secret|Topic|Bucket)NotFound|DoesNotExist|NonExistent|QueueDeleted|NoSuchBucket|StateMachineDeleting|PermanentRedirect|^NoSuchHostedZone/,
  misconfigured:
    /^(KMS|Kms|Decryption|EncryptionFailure|InvalidKms)|Disabled$|^Invalid(Runtime|SecurityGroup|Subnet|ZipFile|Request$)|^(Config|UnknownEndpoint|SnapStart|EFS|ENI|Subnet)/,
  condition: 'ConditionalCheckFailed PreconditionFailed',
  exists: /AlreadyExists|^IdempotentParameterMismatch|^Duplicate/,
  nonexistent: 'NoSuchKey NotFound NoSuchVersion NoSuchUpload InvalidObjectState MessageNotInflight ReceiptHandleIsInvalid',
  invalid:
    /^(Validation|Invalid|Malformed|Missing|Serialization|Unsupported|BadRequest|MessageRejected|EmptyBatch|TooManyEntries|BatchEntry|Unknown(Operation|Parameter)|ParamValidation|MultipleValidation|Unprocessable|UnexpectedParameter|Base64|MethodNotAllowed|NotImplemented)|Too(Large|Small|Long)$|SizeLimit/,
  unclear: 'client',
})

function keys(link: Link): readonly string[] {
  const { value, name, status = 0, code = '' } = link
  if (isObject(read(value, '$retryable'))) return ['$retryable']
  if (!isAws(link)) return /^[A-Z]\w*(Throttl|ThroughputExceeded|TooManyRequests)\w*$/.test(name) ? [name] : []
  if (/^(Syntax)?Error$/.test(name)) return isObject(read(value, '$response')) ? ['unparsable'] : []
  // What is the matter is said by the reasons, which are asked on their own.
  if (name.startsWith('TransactionCanceled')) return ['client']
  // `com.amazonaws.sqs#QueueDoesNotExist`, `AWS.SimpleQueueService.NonExistentQueue`.
  const keys = [name, readText(value, 'Code'), String(code)]
    .map((text) => text.replace(/^.*[#.]/, '').replace(/(?<!^NotFound)(Exception|Error)+$/, ''))
    .filter((text) => text !== 'Unknown')
  // Under a name that no rule knows: not enough to call it permanent.
  return status >= 400 && status < 500 && status !== 408 && status !== 429 ? [...keys, 'client'] : keys
}

/** By what the SDKs leave on each error; version 2 repeats the name as the code. */
function isAws({ value, name, className, code }: Link): boolean {
  return (
    ['$metadata', '$fault', 'tryNextLink'].some((field) => read(value, field) !== undefined) ||
    className.endsWith('ServiceException') ||
    (name !== '' && name === code) ||
    (name === '' && typeof read(value, 'Code') === 'string')
  )
}
