/** What a command of the command line is. */
import type { ParseArgsOptionsConfig } from 'node:util'

/** Values of parsed options by name, without the dashes. */
export type OptionValues = Readonly<Record<string, string | boolean | undefined>>

/** How a command speaks with the world, so that it can be tested without a process of its own. */
export interface Terminal {
  readonly env: Record<string, string | undefined>
  readonly folder: string
  /** True where a person reads along: log lines are then made for people. */
  readonly interactive: boolean
  out(text: string): void
  error(text: string): void
  /** Calls back when the process is asked to end (SIGTERM, SIGINT). Returns what stops listening. */
  onEnd(listener: () => void): () => void
}

/** One command, in a file of its own. */
export interface Command {
  readonly name: string
  /** One line, for the list of commands. */
  readonly summary: string
  /** All that `--help` prints, with examples. */
  readonly help: string
  readonly options: ParseArgsOptionsConfig
  /** Resolves with the exit code: 0 done as asked; 1 done, and the answer is bad; 2 not done. */
  run(values: OptionValues, terminal: Terminal): Promise<number>
}

/** An argument is wrong or something asked for can't be had. Its message is all that a person needs: it is printed without a stack. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The text of an option that must be given. */
export function required(values: OptionValues, option: string, example: string): string {
  const value = values[option]
  if (typeof value === 'string' && value !== '') return value
  throw new UsageError(`--${option} is missing. Give it like this: --${option} ${example}`)
}

/** The text of an option, if it was given. */
export function optional(values: OptionValues, option: string): string | undefined {
  const value = values[option]
  return typeof value === 'string' ? value : undefined
}

/** The whole number of an option, if it was given; both limits are allowed values. */
export function wholeNumber(values: OptionValues, option: string, from: number, to: number): number | undefined {
  const text = optional(values, option)
  if (text === undefined) return undefined
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= from && value <= to) return value
  throw new UsageError(`--${option} is '${text}'. It must be a whole number from ${from} to ${to}.`)
}

/** The text of an option that must be a URL, if it was given. */
export function webAddress(values: OptionValues, option: string, example: string): string | undefined {
  const text = optional(values, option)
  if (text === undefined || /^https?:\/\/[^/]/.test(text)) return text
  throw new UsageError(`--${option} is '${text}'. It must be a URL, like ${example}`)
}
