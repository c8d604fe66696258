import { createHash } from 'node:crypto'
import { chainOf, type Link } from './chain.ts'
import { callsOf } from './stack.ts'

/**
 * Twelve characters that are the same for the same fault, whichever message it hit, and different for another fault: of names,
 * codes and statuses along the chain, the message without what belongs to one message only, and the call in the user's code.
 */
export function fingerprint(error: unknown): string {
  const links = chainOf(error, '', 5)
  const chain = links.map(({ name, code, status }) => [name, code, status])
  const [outermost] = links as [Link]
  const text = typeof error === 'string' ? error.slice(0, 1000) : outermost.message
  const fault = JSON.stringify([chain, withoutParticulars(text), ownCall(callsOf(error))])
  return createHash('sha256').update(fault).digest('base64url').slice(0, 12)
}

/** Takes out quoted text, and each word with a digit in it: numbers, ids, times, addresses. */
function withoutParticulars(text: string): string {
  return (
    text
      // A quote within a word is an apostrophe.
      .replace(/(?<!\w)(["'`])(?:(?!\1).)*\1/gs, '#')
      .replace(/\S*[\d@#]\S*/g, '#')
      .replace(/#(\s+#)+/g, '#')
      .replace(/\s+/g, ' ')
  )
}

/** The first call that is neither the runtime's nor a library's: function and file, no line, which a deploy or bundler moves. */
function ownCall(calls: string): string {
  const own = calls
    .slice(0, 10_000)
    .split('\n')
    .find((line) => /^ +at /.test(line) && !/node:|[\\/]node_modules[\\/]|<anonymous>\)?$|\(native\)/.test(line))
  if (own === undefined) return ''
  const [, name = '', place = ''] = /^ +at (?:async |new )*(?:(.*) \()?(.*?)\)?$/.exec(own) ?? []
  const file = place.replace(/^.*[\\/]/, '').replace(/[:.?].*$/, '')
  // Bundlers number functions of the same name, and put an underscore in front of classes.
  return `${name.replace(/\d+\b|\b_+/g, '')} ${file}`
}
