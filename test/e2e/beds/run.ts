import { spawn } from 'node:child_process'

/** What became of a command. */
export interface Ran {
  readonly status: number | null
  /** Both streams, as they came. */
  readonly output: string
}

/** Runs a command to its end. Rejects where it can't be started, and after `timeoutMs`. */
export function run(
  command: string,
  parameters: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv; readonly timeoutMs?: number } = {},
): Promise<Ran> {
  const { timeoutMs = 300_000, ...rest } = options
  return new Promise((resolve, reject) => {
    const child = spawn(command, parameters, {
      ...rest,
      stdio: ['ignore', 'pipe', 'pipe'],
      signal: AbortSignal.timeout(timeoutMs),
    })
    const chunks: Buffer[] = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('error', reject)
    child.on('close', (status) => resolve({ status, output: Buffer.concat(chunks).toString() }))
  })
}
