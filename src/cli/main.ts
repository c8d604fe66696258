/** The command line: finds the command, parses its options, prints what went wrong. */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { WorkerStartError } from '../worker/start-error.ts'
import { classify } from './classify.ts'
import { type Command, type OptionValues, type Terminal, UsageError } from './command.ts'
import { dev } from './dev.ts'
import { doctor } from './doctor.ts'
import { stack } from './stack.ts'
import { work } from './work.ts'

const commands: readonly Command[] = [dev, work, classify, stack, doctor]

/**
 * Runs the command line. Resolves with the exit code: 0 done as asked; 1 done, and the answer is bad; 2 not done.
 * Never rejects.
 */
export async function main(argv: readonly string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = argv
  if (name === '--version' || name === '-v') return say(terminal, version())
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    const wanted = commands.find((command) => command.name === rest[0])
    terminal[name === undefined ? 'error' : 'out'](wanted?.help ?? overview())
    return name === undefined ? 2 : 0
  }
  const command = commands.find((each) => each.name === name)
  if (!command) return complain(terminal, `redrive: there is no command '${name}'. Commands: ${commandNames()}.`)
  try {
    const values = parse(command, rest)
    if (values['help']) return say(terminal, command.help)
    return await command.run(values, terminal)
  } catch (error) {
    return complain(terminal, explain(command, error))
  }
}

function parse(command: Command, args: string[]): OptionValues {
  const options = { ...command.options, help: { type: 'boolean', short: 'h' } } as const
  try {
    return parseArgs({ args, options, strict: true, allowPositionals: false }).values as OptionValues
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    const quoted = /'(.*?)'/.exec(message)?.[1] ?? ''
    if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
      const known = Object.keys(options).map((option) => `--${option}`)
      throw new UsageError(`There is no option ${quoted}. Options: ${known.join(' ')}`)
    }
    if (code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL') {
      throw new UsageError(`'${quoted}' stands alone; every argument belongs to an option.`)
    }
    throw new UsageError(message.split('\n')[0]!)
  }
}

function explain(command: Command, error: unknown): string {
  if (error instanceof UsageError) return `redrive ${command.name}: ${error.message}\nSee: redrive ${command.name} --help`
  if (error instanceof WorkerStartError) return `redrive ${command.name}: ${error.message}`
  return `redrive ${command.name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
}

function say(terminal: Terminal, text: string): number {
  terminal.out(text)
  return 0
}

function complain(terminal: Terminal, text: string): number {
  terminal.error(text)
  return 2
}

function commandNames(): string {
  return commands.map(({ name }) => name).join(', ')
}

function overview(): string {
  const width = Math.max(...commands.map(({ name }) => name.length))
  const list = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)
  return [
    'redrive: SQS consumers that decide which failures are worth another try.',
    '',
    'Usage: redrive <command> [options]',
    '',
    'Commands:',
    ...list,
    '',
    'redrive <command> --help   options and examples of a command',
    'redrive --version          the version',
    '',
    'Exit codes: 0 done as asked; 1 done, and the answer is bad; 2 not done.',
  ].join('\n')
}

function version(): string {
  const packageFile = new URL('../../package.json', import.meta.url)
  return (JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }).version
}
