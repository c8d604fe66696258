import type { Link } from '../chain.ts'
import { read } from '../read.ts'
import { family } from './family.ts'

/** Replies of SMTP and FTP: 4xx passes, 5xx stays. */
export const mail = family('mail', keys, {
  unavailable: /^4/,
  denied: ['530 534 535 538 454 EAUTH', /greeting$/],
  refused: /^5/,
  invalid: 'EENVELOPE EMESSAGE',
})

function keys({ value, name, code }: Link): ReadonlyArray<string | number | undefined> {
  const reply = read(value, 'responseCode')
  const command = read(value, 'command')
  if (name === 'FTPError') return [code]
  if (typeof command !== 'string') return []
  if (typeof reply !== 'number') return [code]
  // Who is turned away at the door is turned away with every message.
  return [command === 'CONN' && reply >= 500 ? 'greeting' : reply]
}
