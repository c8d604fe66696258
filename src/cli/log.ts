/** Log lines of the command line: JSON for machines, short lines for people. */
import type { Logger } from '../flow/ports.ts'
import type { Terminal } from './command.ts'

const LEVELS = ['debug', 'info', 'warn', 'error'] as const
type Level = (typeof LEVELS)[number]

/** A logger on a terminal. `REDRIVE_LOG_LEVEL` is the lowest level shown (default `info`). */
export function terminalLogger(terminal: Terminal): Logger {
  const asked = LEVELS.indexOf(terminal.env['REDRIVE_LOG_LEVEL']?.toLowerCase() as Level)
  const lowest = asked < 0 ? LEVELS.indexOf('info') : asked
  const line = terminal.interactive ? readableLine : jsonLine
  const at =
    (level: Level): Logger[Level] =>
    (message, fields = {}) => {
      if (LEVELS.indexOf(level) >= lowest) terminal.out(line(level, message, fields))
    }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

function jsonLine(level: Level, message: string, fields: Record<string, unknown>): string {
  return JSON.stringify({ time: new Date().toISOString(), level, message, ...fields })
}

function readableLine(level: Level, message: string, { stack, ...fields }: Record<string, unknown>): string {
  const rest = Object.entries(fields).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  const line = [new Date().toTimeString().slice(0, 8), level.padEnd(5), message, ...rest].join(' ')
  return typeof stack === 'string' ? `${line}\n${stack}` : line
}
