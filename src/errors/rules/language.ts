import type { Link } from '../chain.ts'
import { read } from '../read.ts'
import { family } from './family.ts'

/** Codes with which the runtime says that it was called the wrong way. */
export const runtime = family('runtime', (link) => [link.code], {
  bug: /^(ERR_(INVALID_(?!STATE|\w*(RESPON|CREDEN|SESSION|AUTH))|OUT_OF_RANGE|MISSING_ARGS|ASSERTION|UNKNOWN_ENCODING|BUFFER_OUT|ILLEGAL_|METHOD_NOT_|ENCODING_|UNESCAPED|CHILD_PROCESS_STDIO_MAXBUFFER)|(ERR_)?MODULE_NOT_FOUND)/,
})

/** The language's own errors: they speak where nothing stronger does, and only with no error beneath and no answer beside. */
export const language = family('language', keys, {
  exhausted: /^RangeError: .*(allocat|memory)/i,
  unclear: /^TypeError: (fetch failed|terminated|Failed to fetch|Load failed|.*\bnetwork)/i,
  answer: /^SyntaxError: Unexpected token '?</,
  invalid: [
    'InvalidCharacterError DataCloneError QuotaExceededError OperationError DataError NotSupportedError SyntaxError IndexSizeError',
    /^SyntaxError: |^Z_/,
  ],
  bug: /^(Type|Reference|Range|Eval|URI|Assertion)Error: /,
})

function keys(link: Link): readonly string[] {
  const { name, message, code, children, status, value } = link
  const text = `${name}: ${message}`
  // A failed fetch is a TypeError, too; the error beneath says what happened, if anything does.
  if (children.length > 0) return /^TypeError: (fetch failed|terminated)/.test(text) ? [text] : []
  if (status !== undefined || ['response', '$response', '$metadata'].some((field) => read(value, field) !== undefined)) return []
  // A DOMException has a number for a code, where the language's own errors have none.
  if (typeof code === 'number') return [name]
  return [code ?? text]
}
