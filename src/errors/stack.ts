import { read } from './read.ts'

/**
 * The lines of the calls, without the heading: a stack as the runtime writes it begins with name and whole message, and a message
 * may itself look like a stack. Empty where there are none.
 */
export function callsOf(error: unknown): string {
  const stack = read(error, 'stack')
  if (typeof stack !== 'string') return ''
  const message = read(error, 'message')
  const from = typeof message === 'string' && stack.includes(message) ? stack.indexOf(message) + message.length : 0
  const start = stack.indexOf('\n    at ', from)
  return start < 0 ? '' : stack.slice(start + 1)
}
