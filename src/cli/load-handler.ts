/** Finds a Lambda handler by `file#export`. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { LambdaHandler } from '../worker/invoke.ts'
import { UsageError } from './command.ts'

/** Where a handler is: `./dist/orders.js#handler`. Without `#…` the export is `handler`. */
export interface HandlerPlace {
  readonly path: string
  readonly exportName: string
}

/** Reads `file#export` and checks that the file exists. */
export function handlerPlace(reference: string, folder: string): HandlerPlace {
  const [file = '', exportName = 'handler'] = reference.split('#', 2)
  const path = resolve(folder, file)
  if (existsSync(path)) return { path, exportName }
  throw new UsageError(
    `--handler: there is no file ${path}. Give the file itself, e.g. ./dist/orders.js#handler; build it first.`,
  )
}

/** Imports the handler. An error that the module itself throws passes as it is. */
export async function loadHandler({ path, exportName }: HandlerPlace): Promise<LambdaHandler> {
  const loaded = await importFile(path)
  // The exports of a CommonJS file may be found on its default export only.
  const inner = loaded['default'] as Record<string, unknown> | undefined
  const handler = loaded[exportName] ?? inner?.[exportName]
  if (typeof handler === 'function') return handler as LambdaHandler
  const names = Object.keys(loaded).join(', ') || 'nothing'
  const found = handler === undefined ? `has no export '${exportName}'` : `exports '${exportName}', but it is no function`
  throw new UsageError(`--handler: ${path} ${found}. It exports: ${names}. Name the right one after a #, e.g. ${path}#orders`)
}

async function importFile(path: string): Promise<Record<string, unknown>> {
  try {
    return (await import(pathToFileURL(path).href)) as Record<string, unknown>
  } catch (error) {
    if ((error as { code?: unknown })?.code !== 'ERR_UNKNOWN_FILE_EXTENSION') throw error
    throw new UsageError(`--handler: Node ${process.version} can't run ${path}. Build it to JavaScript, or use Node 24.`)
  }
}
