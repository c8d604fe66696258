import type { Link } from '../chain.ts'
import { read } from '../read.ts'
import { family } from './family.ts'

/** Codes of sockets, DNS and TLS, and of the HTTP clients' own troubles with them. */
export const network = family('network', keys, {
  connection: [
    'ECONNREFUSED ECONNRESET EPIPE ECONNABORTED ENOTCONN ECONNCLOSED ECONNECTION EHOSTDOWN EHOSTUNREACH ENETDOWN ENETUNREACH ENETRESET EADDRNOTAVAIL ESHUTDOWN ESOCKET ENOTOPEN CONNECTION_CLOSED CONNECTION_ENDED CONNECTION_DESTROYED ERR_NETWORK EOPENBREAKER',
    /^HPE_|^ERR_(HTTP2_(SESSION|STREAM|GOAWAY|INVALID_SESSION|ERROR)|SOCKET_|STREAM_(PREMATURE|DESTROYED|WRITE))|^UND_ERR_(SOCKET|DESTROYED|CLOSED)$/,
  ],
  timeout: /(TIMED?OUT|^ETIME)$/,
  resolution: 'ENOTFOUND EAI_AGAIN EAI_FAIL EAI_NODATA EAI_NONAME ENODATA ESERVFAIL EREFUSED EDNS ECANCELLED EBADRESP',
  expired: 'CERT_HAS_EXPIRED CERT_NOT_YET_VALID',
  misconfigured: /^(EPROTO$|ERR_(SSL|TLS)_|CERT_|UNABLE_TO_|HOSTNAME_MISMATCH)|SELF_SIGNED_CERT|TOO_MANY_REDIRECTS|^ELOGIN/,
  answer: /^(ERR_BODY_PARSE|UND_ERR_(HEADERS_OVERFLOW|RES_))/,
  invalid: /^(UND_ERR_(INVALID_ARG|NOT_SUPPORTED|REQ_)|ERR_UNSUPPORTED_|ERR_J[OW]|CSV_)/,
})

function keys({ code, message }: Link): ReadonlyArray<string | number | undefined> {
  // nodemailer calls a certificate that it does not trust a socket error.
  return [code === 'ESOCKET' && /certificate|SSL/i.test(message) ? 'EPROTO' : code]
}

/** Names that say "too late", "given up" or "no connection" whatever the library. */
export const names = family('name', (link) => [inContext(link), link.name, link.className, link.code], {
  throttled: /RateLimit|TooManyRequests|Throttl|Overloaded/,
  timeout: /Timed?-?out(Error|Exception|Exceeded)?$/i,
  connection:
    /(Connection|Connect|Socket|Network|HTTPParser|NoHostAvailable|NoLivingConnections|MaxRetriesPerRequest|ClusterAllFailed|ServerSelection|NotReachable|NoResponders)Error$|Connection(Refused|Reset|Closed|Lost|Failed|Acquire)\w*$|^Mongo(TopologyClosed|NotConnected|Pool\w+|ServerClosed|ExpiredSession)Error$/,
  unavailable:
    /^(BrokenCircuit|CircuitBreakerOpen|BulkheadRejected|TaskCancelled|MongoWriteConcern)Error$|ServiceUnavailable|InternalServer/,
  conflict: /OptimisticLock|^(VersionError|WatchError|ResourceLockedError|StaleObjectState\w*)$/,
  aborted: /^(Abort|Cancell?(ed)?)Error$|^(ERR_CANCELED|ERR_ABORTED|ABORT_ERR)$/,
  expired: 'NotBeforeError',
  nonexistent: /^(EntityNotFound|EmptyResult|NoResult|DocumentNotFound|QueryResult|RecordNotFound)Error$/,
  invalid: [
    'old-token',
    /^(Validation|PrismaClientValidation|MongoInvalidArgument|JsonWebToken|Serialization|(YAML|Toml|Csv)\w*)(Error|Exception)$/,
  ],
  refused: 'on-purpose',
})

/** Names that mean what they say only beside certain fields. */
function inContext({ name, value, children }: Link): string {
  // A library that retries has an AbortError of its own: it says "do not retry", and holds the error that made it say so.
  if (name === 'AbortError' && children.some(([path]) => path.endsWith('originalError'))) return 'on-purpose'
  // A token in the message, that is: one's own is fetched anew.
  return name === 'TokenExpiredError' && read(value, 'expiredAt') !== undefined ? 'old-token' : ''
}
