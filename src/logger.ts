import type { LogLevel } from './environment.ts'
import type { Log, Logger } from './flow/ports.ts'

const LEVELS = ['debug', 'info', 'warn', 'error'] as const

/** JSON lines on standard output. Written around the runtime's patched console, so that a line stays one JSON object. */
export function jsonLines(from: LogLevel, write: (line: string) => void = (line) => void process.stdout.write(line)): Log {
  const least = from === 'silent' ? LEVELS.length : LEVELS.indexOf(from)
  return eachLevel((level) => {
    if (LEVELS.indexOf(level) < least) return () => {}
    return (message, fields) => write(`${line({ level, time: new Date().toISOString(), message }, fields)}\n`)
  })
}

/** One JSON object. Fields that JSON can't take (a cycle) are left out, and the line says so. */
function line(own: Record<string, unknown>, fields: Record<string, unknown> | undefined): string {
  try {
    return JSON.stringify({ ...own, ...fields }, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
  } catch (error) {
    return JSON.stringify({ ...own, fieldsLeftOut: error instanceof Error ? error.message.split('\n')[0] : 'not JSON' })
  }
}

/** A logger that never throws or rejects, whatever the user's own does; pino gets its fields first, as it wants them. */
export function safely(logger: Logger): Log {
  const fieldsFirst = typeof (logger as { bindings?: unknown }).bindings === 'function'
  return eachLevel((level) => async (message, fields = {}) => {
    try {
      if (fieldsFirst)
        await (logger as unknown as Record<Level, (fields: object, message: string) => void>)[level](fields, message)
      else await logger[level](message, fields)
    } catch {
      // A logger that fails must not change what becomes of a message, and there is nowhere left to say so.
    }
  })
}

/** The same logger, with fields on each line. */
export const withFields = (logger: Logger, own: Record<string, unknown>): Log =>
  eachLevel((level) => (message, fields) => logger[level](message, { ...own, ...fields }))

type Level = (typeof LEVELS)[number]

const eachLevel = (make: (level: Level) => Log[Level]): Log =>
  Object.fromEntries(LEVELS.map((level) => [level, make(level)])) as unknown as Log
