import type { Link } from '../chain.ts'
import { read, readText } from '../read.ts'
import { family } from './family.ts'

/** Codes of the file system and of child processes. */
export const files = family('files', keys, {
  connection: 'socket',
  exhausted: 'EMFILE ENFILE ENOMEM ENOSPC EDQUOT EAGAIN EIO ENOBUFS ERR_WORKER_OUT_OF_MEMORY',
  conflict: 'EBUSY ETXTBSY ELOCKED',
  aborted: 'killed',
  denied: 'EACCES EPERM EROFS',
  absent: 'program',
  exists: 'EEXIST',
  nonexistent: 'ENOENT',
  invalid: 'ENAMETOOLONG ENOTDIR EISDIR ENOTEMPTY EINVAL EILSEQ ELOOP EXDEV EFBIG EMSGSIZE E2BIG',
})

function keys({ value, code }: Link): ReadonlyArray<string | number | undefined> {
  if (typeof read(value, 'killed') === 'boolean' && readText(value, 'signal') !== '') return ['killed']
  const call = readText(value, 'syscall')
  // The same codes for a file, for the socket of a local server and for a program that is missing.
  if (call === 'connect' && (code === 'ENOENT' || code === 'EINVAL')) return ['socket']
  if (call.startsWith('spawn')) return ['program']
  return [code]
}
