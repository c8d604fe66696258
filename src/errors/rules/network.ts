import type { Link } from '../chain.ts'
import { family } from './family.ts'

/** Codes of sockets, DNS and TLS, and of the HTTP clients' own troubles with them. */
export const network = family('network', 'specific', (link) => [link.code], {
  connection: [
    'ECONNREFUSED ECONNRESET EPIPE ECONNABORTED ENOTCONN ECONNCLOSED ECONNECTION EHOSTDOWN EHOSTUNREACH ENETDOWN ENETUNREACH ENETRESET EADDRNOTAVAIL ESHUTDOWN ESOCKET ENOTOPEN UND_ERR_SOCKET UND_ERR_DESTROYED UND_ERR_CLOSED CONNECTION_CLOSED CONNECTION_ENDED CONNECTION_DESTROYED ERR_STREAM_PREMATURE_CLOSE ERR_STREAM_DESTROYED ERR_STREAM_WRITE_AFTER_END ERR_NETWORK ERR_SOCKET_CLOSED',
    /^HPE_|^ERR_(HTTP2_(SESSION|STREAM|GOAWAY|INVALID_SESSION|ERROR)|SOCKET_CLOSED|QUIC)/,
  ],
  timeout: ['ETIMEDOUT ETIMEOUT ETIME CONNECT_TIMEOUT ERR_HTTP_REQUEST_TIMEOUT', /^(UND_)?ERR_\w*TIMEOUT$|^ES?OCKETTIMEDOUT$/],
  resolution: 'ENOTFOUND EAI_AGAIN EAI_FAIL EAI_NODATA EAI_NONAME ENODATA ESERVFAIL EREFUSED EDNS ECANCELLED EBADRESP EFORMERR',
  exhausted: 'EMFILE ENFILE ENOMEM ENOSPC EDQUOT EAGAIN EBUSY EIO ENOBUFS ERR_WORKER_OUT_OF_MEMORY ERR_MEMORY_ALLOCATION_FAILED',
  expired: 'CERT_HAS_EXPIRED CERT_NOT_YET_VALID',
  misconfigured: [
    'EPROTO ERR_FR_TOO_MANY_REDIRECTS ERR_TOO_MANY_REDIRECTS EACCES EPERM EROFS',
    /^(ERR_(SSL|TLS)_|CERT_|UNABLE_TO_|HOSTNAME_MISMATCH)|SELF_SIGNED_CERT/,
  ],
  answer: ['ERR_BODY_PARSE_FAILURE', /^UND_ERR_(HEADERS_OVERFLOW|RES_)/],
  invalid: 'UND_ERR_INVALID_ARG UND_ERR_NOT_SUPPORTED UND_ERR_REQ_CONTENT_LENGTH_MISMATCH ERR_UNSUPPORTED_PROTOCOL',
})

/** Names that say "too late", "given up" or "no connection" whatever the library. */
export const names = family('name', 'generic', (link) => [onPurpose(link), link.name, link.className, link.code], {
  timeout: /Timed?-?out(Error|Exception|Exceeded)?$/i,
  connection:
    /^(Connection|Connect|Socket|Network|APIConnection|HTTPParser)Error$|Connection(Refused|Reset|Closed|Lost|Failed)\w*$/,
  aborted: /^(Abort|Cancell?(ed)?)Error$|^(ERR_CANCELED|ERR_ABORTED|ABORT_ERR)$/,
  refused: 'on purpose',
})

/** A library that retries has an AbortError of its own: it says "do not retry", and holds the error that made it say so. */
function onPurpose(link: Link): string {
  return link.name === 'AbortError' && link.children.some(([path]) => path.endsWith('originalError')) ? 'on purpose' : ''
}
