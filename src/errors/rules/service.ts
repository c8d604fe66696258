import type { Link } from '../chain.ts'
import { isObject, read, readList, readText } from '../read.ts'
import { family } from './family.ts'

/**
 * Words by which web services (AWS and others) call an error, in whatever spelling: `RATE_LIMITED` and `rateLimited` are one
 * word, without `exception` or `error` at its end. They come before the status, because AWS throttles with 400 and GraphQL
 * fails with 200. With `!` in front: the place shows that a service said it. Only then a word may mean permanent.
 */
export const service = family('service', words, {
  throttled:
    /throttl|ratelimit|toomany(requests|updates|concurrent|simultaneous|connections)|request(limit|rate)|slowdown|throughputexceeded|bandwidthlimit|rateexceeded|overlimit|(?<!size)limit(exceeded|reached)$|servicequota|resourceexhausted|serverbusy/,
  conflict:
    /^(transaction(conflict|inprogress)|replicatedwriteconflict|conditionalrequestconflict|operationaborted|priorrequestnotcomplete|resource(inuse|conflict)|lease\w+|locktimeout|idempotencykeyinuse)$|concurrent|inprogress$|notready$|^neotransient/,
  expired:
    /^(expiredtoken|requestexpired|tokenrefresh|credentials|!provider$|request(timetooskewed|inthefuture)|idpcommunication|(id)?tokenexpired|jwtexpired|pgrst301)/,
  timeout: /time(d?)out(exceeded)?$|^deadlineexceeded/,
  connection: /^(network|stripeconnection|requestsend|connectionrefused|disconnect|noresponders)$/,
  unavailable: [
    'processing issuernotavailable reentertransaction fatal backend overloaded badgateway stripeapi unparsable',
    /^(internal|!?service$|!?server|keyunavailable|kmsinternal|!baddigest|pgrst00)|unavailable$|(notstabilized|resuming)$/,
  ],
  quota: 'insufficientquota quotaexceeded dailylimitexceeded billinghardlimitreached tryagainlater',
  denied:
    /denied|unauthori[sz]ed|unauthenticated|notauth|authori[sz]ation|forbidden|optinrequired|unrecognizedclient|authentication|signaturedoes|!.*signature$|authfailure|^invalid(auth|grant|client|token|access|api|cred)|suspended|paused|!region|accountinactive|tokenrevoked|missingscope|permission|mismatchedcred|restricted/,
  absent:
    /^!(?!.*(users?|channel|message|file|thread|object|key|item|record)notfound$).+notfound(exception)?$|^!nosuch(?!key|version|upload)|permanentredirect|notfoundexception$|doesnotexist$|nonexistent|queuedeleted|^!statemachinedel/,
  misconfigured:
    /^!(kms|decryption|encryption|invalid(kms|runtime|securitygroup|subnet|zipfile)|config|unknownendpoint|snapstart|efs|eni|subnet)|^!invalidrequest$|disabled$/,
  contested: /^!invalid(?!object)\w*state/,
  condition: '!conditionalcheckfailed !preconditionfailed',
  exists: /^!(.*exists$|already|idempotentparametermismatch|duplicate)/,
  nonexistent: /^!(nosuch|.*notfound$|messagenotinflight|receipthandle|invalidobjectstate|pgrst116|isarchived|registrationtoken)/,
  refused: /^!(stripecard|messagerejected|cant)/,
  invalid:
    /^!(bad|graphql|invalid|malformed|missing|validation|parse|serialization|unsupported|unprocessable|empty|batch|unknown(operation|parameter)|param|multiplevalidation|unexpectedparam|base64|method|notimpl|msg|notext|payload|toomany(entries|att|mem)|stripe(invalid|idem|signature)|pgrst[12]|neoclient)|^!.*(too(large|small|long)|sizelimit)/,
  unclear: '!client',
})

function words(link: Link): readonly string[] {
  const { value, status, message } = link
  const body = read(read(value, 'response'), 'data')
  // Of a 403 the text says more than the status only where it names a limit.
  const telling = status === 400 || (status === 403 && /limit|quota|rate|throttl/i.test(message))
  const anywhere = [readText(readList(value, 'errors', 1)[0], 'reason'), telling ? message : '']
  for (const holder of [value, read(value, 'error'), read(value, 'data'), body, read(body, 'error')]) {
    if (isObject(holder))
      anywhere.push(...['decline_code', 'code', 'type', 'error', 'reason', 'status'].map((field) => readText(holder, field)))
  }
  const placed = normalised(isAws(link) ? awsNames(link) : serviceNames(link))
  return [...normalised(anywhere), ...placed, ...placed.map((word) => `!${word}`)]
}

/** By what the SDKs leave on each error; version 2 repeats the name as the code. */
function isAws({ value, name, className, code }: Link): boolean {
  return (
    ['$metadata', '$fault', 'tryNextLink'].some((field) => read(value, field) !== undefined) ||
    /ServiceException$|^[A-Z]\w*(Throttl|ThroughputExceeded)/.test(`${name} ${className}`) ||
    (name !== '' && name === code) ||
    (name === '' && typeof read(value, 'Code') === 'string')
  )
}

function awsNames({ value, name, code, status = 0 }: Link): readonly string[] {
  if (/^(Syntax)?Error$/.test(name)) return isObject(read(value, '$response')) ? ['unparsable'] : []
  // `com.amazonaws.sqs#QueueDoesNotExist`, `AWS.SimpleQueueService.NonExistentQueue`.
  const names = [name, readText(value, 'Code'), String(code ?? '')].map((text) => text.replace(/^.*[#.]|^Unknown(Error)?$/, ''))
  // Refused under a name that no rule knows: not enough to call it permanent. What a transaction lacks, its reasons say.
  const isRefused = status >= 400 && status < 500 && status !== 408 && status !== 429
  return name.startsWith('TransactionCanceled') ? ['client'] : isRefused ? [...names, 'client'] : names
}

/** The places where GraphQL, Slack, tRPC, Azure, Firebase, PostgREST and Stripe put a code of their own. */
function serviceNames({ value, code }: Link): readonly string[] {
  const data = read(value, 'data')
  const type = readText(value, 'type')
  return [
    readText(read(value, 'extensions'), 'code'),
    readText(data, 'error'),
    readText(data, 'code'),
    readText(read(value, 'details'), 'errorCode'),
    /^([a-z]+\/|PGRST|Neo\.)/.test(String(code)) ? String(code) : '',
    type.startsWith('Stripe') ? type : '',
  ]
}

/** `messaging/server-unavailable` → `serverunavailable`; a long text is no word. */
function normalised(texts: readonly string[]): readonly string[] {
  return (
    texts
      .filter((text) => text !== '' && text.length < 60)
      .map((text) =>
        text
          .replace(/^[a-z]+\//, '')
          .toLowerCase()
          .replace(/[^a-z\d]/g, ''),
      )
      // SNS means the topic by `NotFoundException`, S3 the object by `NotFound`.
      .map((word) => word.replace(/(?<!^notfound)(exception|error)+$/, ''))
  )
}
