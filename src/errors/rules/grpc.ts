import type { Link } from '../chain.ts'
import { isObject, read } from '../read.ts'
import { family } from './family.ts'

/** The sixteen codes of gRPC, Connect and Google's clients. */
export const grpc = family('grpc', keys, {
  aborted: '1',
  timeout: '4',
  throttled: '8',
  conflict: '10',
  unavailable: '13 14',
  unclear: '2',
  denied: '7 16',
  invalid: '3 11 12 15 local',
  nonexistent: '5',
  exists: '6',
  condition: '9',
})

function keys({ value, code, message }: Link): ReadonlyArray<string | number> {
  const isGrpc = isObject(read(value, 'metadata')) || typeof read(value, 'details') === 'string'
  if (typeof code !== 'number' || !isGrpc) return []
  // Our own side refused to send or to take it: under the codes for "used up" and "server fault".
  return /larger than max|message size|serialization failure|serializing/i.test(message) ? ['local'] : [code]
}
