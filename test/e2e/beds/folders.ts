/** Where the beds keep what is installed, and what runs. Nothing of it is in the repository. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../../', import.meta.url))

/** `REDRIVE_E2E_CACHE`, else a folder in the user's cache. */
export function cacheFolder(): string {
  const caches = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache')
  return process.env['REDRIVE_E2E_CACHE'] || join(caches, 'redrive-e2e')
}

/** What runs: one folder a bed, gone when it stops. */
export const runFolder = (): string => join(cacheFolder(), 'run')

/** A bed can't be started. The text says what to do. */
export class BedError extends Error {
  override readonly name = 'BedError'
}
