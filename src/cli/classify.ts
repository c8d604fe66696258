/** `redrive classify`: says what redrive would make of an error. */
import { text } from 'node:stream/consumers'
import { type Explanation, explain } from '../errors/classify.ts'
import { oneLine } from '../errors/describe.ts'
import { pastedError } from '../errors/pasted.ts'
import { type Command, UsageError } from './command.ts'

const help = `redrive classify: says what redrive makes of an error that is given on standard input: retryable, permanent or unknown,
the rule that says so, why, and which error of the chain it is about. No list of your own is known to it.

Usage: redrive classify [--json] < error

  --json   the answer as JSON

The error is JSON in any usual form (an error's fields, a logger's line, the evidence of a dead letter) or the text that Node
prints, with its causes.

  pbpaste | redrive classify
  echo '{"name":"TimeoutError","code":"ECONNRESET"}' | redrive classify --json
  redrive classify < crash.txt

All rules: docs/errors.md`

/** The command, reading the error from wherever the caller says. */
export function classifyCommand(input: () => Promise<string>): Command {
  return {
    name: 'classify',
    summary: 'say whether an error is worth another try, and which rule says so',
    help,
    options: { json: { type: 'boolean' } },
    async run(values, terminal) {
      const pasted = await input()
      if (pasted.trim() === '')
        throw new UsageError('There is no error on standard input. Give it like this: redrive classify < error.txt')
      const error = pastedError(pasted)
      const found = explain(error, { now: Date.now() })
      const about = oneLine(errorAt(error, found.path))
      terminal.out(values['json'] === true ? JSON.stringify({ ...found, error: about }, undefined, 2) : forPeople(found, about))
      return 0
    },
  }
}

/** The command on the standard input of this process. */
export const classify: Command = classifyCommand(() => text(process.stdin))

function forPeople({ verdict, rule, why, retryAfter, path }: Explanation, about: string): string {
  return [
    `verdict  ${verdict}`,
    `rule     ${rule}`,
    `why      ${why}`,
    `error    ${about}`,
    `found    ${path === '' ? 'in the error itself' : `in its ${path}`}`,
    ...(retryAfter === undefined ? [] : [`wait     at least ${retryAfter} s`]),
  ].join('\n')
}

/** The error at such a place as `cause.errors[1]`. */
function errorAt(error: unknown, path: string): unknown {
  const steps = path.match(/[\w$]+/g) ?? []
  return steps.reduce<unknown>(
    (at, step) => (typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[step] : at),
    error,
  )
}
