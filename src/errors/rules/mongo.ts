import type { Link } from '../chain.ts'
import { call, read, readList } from '../read.ts'
import { family } from './family.ts'

const labels = ['TransientTransactionError', 'RetryableWriteError', 'SystemOverloadedError', 'UnknownTransactionCommitResult']

/** MongoDB and what speaks like it: labels first, then the server's code. */
export const mongo = family('mongo', keys, {
  hinted: 'label',
  unavailable: '6 7 43 63 89 91 133 134 136 175 189 237 384 9001 10058 10107 11600 11602 13388 13435 13436',
  timeout: '50 64 202 262 290',
  conflict: '24 46 112 117 225 246 251 267 12586 12587',
  throttled: '462 16500',
  exhausted: '39 14031',
  denied: '11 13 18 31 8000',
  absent: '26 27 73',
  exists: '48 68 11000 11001 12582',
  invalid: '2 4 9 10 12 14 15 16 22 28 40 52 53 54 55 56 57 66 72 121 168 257 10334 17280 17419 17420 40324 40353',
})

function keys({ value, name, className, code }: Link): ReadonlyArray<string | number | undefined> {
  const known = readList(value, 'errorLabels')
  if (labels.some((label) => known.includes(label) || call(value, 'hasErrorLabel', label) === true)) return ['label']
  const isMongo = [name, className].some((text) => text.startsWith('Mongo')) || typeof read(value, 'codeName') === 'string'
  return isMongo ? [code] : []
}
