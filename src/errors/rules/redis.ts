import type { Link } from '../chain.ts'
import { family } from './family.ts'

/** Replies of Redis and Valkey: they have no code, only the first word of the message. */
export const redis = family('redis', keys, {
  unavailable: 'LOADING CLUSTERDOWN MASTERDOWN READONLY MISCONF NOREPLICAS UNBLOCKED MOVED ASK NOSCRIPT NOQUORUM',
  conflict: 'BUSY TRYAGAIN INPROG INPROGRESS',
  exhausted: 'OOM',
  throttled: 'ERR-max',
  denied: 'NOAUTH NOPERM WRONGPASS DENIED',
  absent: 'NOGROUP',
  exists: 'BUSYGROUP BUSYKEY',
  invalid: 'ERR WRONGTYPE CROSSSLOT EXECABORT NOTBUSY UNKILLABLE',
})

function keys({ name, className, message, code }: Link): ReadonlyArray<string | undefined> {
  const word = /^-?([A-Z]{3,}) /.exec(message)?.[1]
  if (word === undefined) return []
  const isReply = [name, className].some((text) => /^(Reply|Simple|Blob)Error$|ErrorReply$/.test(text))
  if (word === 'ERR' && isReply)
    return [/max number|too many|connection/i.test(message) ? 'ERR-max' : /auth|passw|permitted/i.test(message) ? 'NOAUTH' : word]
  // Bundlers shorten the class, so the word must do where it is one that nobody else uses.
  const telling = name === 'Error' && code === undefined && !['ERR', 'BUSY', 'ASK', 'DENIED', 'OOM'].includes(word)
  return isReply || telling ? [word] : []
}
