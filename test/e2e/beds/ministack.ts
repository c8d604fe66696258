/** MiniStack: the emulator that holds functions to their role's permissions. */
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installed } from './python.ts'
import { type Bed, serve } from './serve.ts'

/** Installs what MiniStack needs, if it is not there. */
export const installMinistack = (): Promise<string> =>
  installed({
    name: 'ministack',
    python: [3, 10],
    requirements: fileURLToPath(new URL('./ministack.lock.txt', import.meta.url)),
  })

/** Starts MiniStack. */
export async function startMinistack(): Promise<Bed> {
  const python = await installMinistack()
  return serve({
    name: 'ministack',
    isHealthy,
    command: (port, folder) => ({
      command: python,
      parameters: ['-m', 'ministack'],
      env: {
        // Its functions run in the first Node on the path, which must be ours.
        PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
        HOME: join(folder, 'home'),
        TMPDIR: folder,
        PYTHONDONTWRITEBYTECODE: '1',
        BIND_HOST: '127.0.0.1',
        MINISTACK_HOST: '127.0.0.1',
        GATEWAY_PORT: String(port),
        LAMBDA_EXECUTOR: 'local',
        AUTH: 'true',
        AWS_ACCESS_KEY_ID: 'test',
        AWS_SECRET_ACCESS_KEY: 'test',
      },
    }),
  })
}

async function isHealthy(endpoint: string): Promise<boolean> {
  const response = await fetch(`${endpoint}/_ministack/health`, { signal: AbortSignal.timeout(2_000) })
  return response.ok
}
