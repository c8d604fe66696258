/** What consumers say in their own code, where it can be imported. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setupKey } from '../flow/controls.ts'
import { examine, type OwnOptions } from '../stack/doctor.ts'
import type { Terminal } from './command.ts'
import type { Source } from './doctor-source.ts'
import { handlerPlace, loadHandler } from './load-handler.ts'

const ENDINGS = ['ts', 'mts', 'js', 'mjs', 'cjs']

type OptionsOf = (functionId: string, functionName: string) => OwnOptions | string | undefined

/** With `--handler` the same for all; in a service by each function's own handler. What can't be imported is not known. */
export async function handlerOptions(source: Source, given: string | undefined, terminal: Terminal): Promise<OptionsOf> {
  if (given !== undefined) {
    const own = setupOf(await loadHandler(handlerPlace(given, terminal.folder)), given)
    return () => own
  }
  if (source.service === undefined) return () => 'no handler was given (--handler FILE#EXPORT)'
  const { folder, handlers } = source.service
  const all = new Map<string, OwnOptions | string>()
  for (const id of consumersIn(source.template)) {
    const handler = handlers[id]
    if (handler !== undefined) all.set(id, await importedOptions(folder, handler))
  }
  return (id) => all.get(id)
}

/** Their functions' logical ids: no other handler is anybody's business here. */
function consumersIn(template: unknown): Set<string> {
  const ids = new Set<string>()
  examine(template, { optionsOf: (id) => void ids.add(id) })
  return ids
}

async function importedOptions(folder: string, handler: string): Promise<OwnOptions | string> {
  const dot = handler.lastIndexOf('.')
  const [file, exportName] = [handler.slice(0, dot), handler.slice(dot + 1)]
  const path = ENDINGS.map((ending) => join(folder, `${file}.${ending}`)).find((one) => existsSync(one))
  if (path === undefined) return `there is no file of the handler ${handler}`
  try {
    return setupOf(await loadHandler({ path, exportName }), handler)
  } catch (error) {
    return `the handler ${handler} can't be imported (${String(Object(error).message).split('\n')[0]})`
  }
}

/** Only what it says is looked at: a handler of another version of redrive may say less. */
function setupOf(handler: unknown, name: string): OwnOptions | string {
  const setup = (handler as { readonly [setupKey]?: unknown })[setupKey]
  if (typeof setup !== 'object' || setup === null) return `the handler ${name} does not tell them`
  const { maxAttempts, options } = setup as Readonly<Record<string, unknown>>
  // The options as they are written: the environment of this process is not the function's.
  const { name: own, maxAge, deadLetterQueue, store, key } = Object(options) as Readonly<Record<string, unknown>>
  return {
    name: typeof own === 'string' ? own : undefined,
    maxAttempts: Number((maxAttempts as { readonly retryable?: unknown } | undefined)?.retryable ?? 12),
    maxAge: typeof maxAge === 'number' ? maxAge : undefined,
    deadLetterQueue: typeof deadLetterQueue === 'string' ? deadLetterQueue : undefined,
    store: key === false || store === false ? 'none' : store === undefined ? 'environment' : 'own',
  }
}
