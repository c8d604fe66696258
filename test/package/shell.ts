/** Other programs, run as a user would, in an environment without traces of this one. */
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** Where this repository's own tools are, e.g. `tsc`. */
export const tool = (name: string): string => join(root, 'node_modules', '.bin', name)

/** A new empty folder; it is gone when the process ends. */
export function emptyFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `redrive-${name}-`))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Runs a program and resolves with what it printed; rejects, with all that it printed, when it ends badly. */
export async function run(
  folder: string,
  program: string,
  argv: readonly string[],
  env: Record<string, string> = {},
): Promise<string> {
  const keep = Object.entries(process.env).filter(([name]) => !/^(NODE_|AWS_|REDRIVE_|npm_(lifecycle|package))/.test(name))
  const options = { cwd: folder, env: { ...Object.fromEntries(keep), ...env }, maxBuffer: 64 * 1024 * 1024 }
  try {
    return (await promisify(execFile)(program, argv, options)).stdout
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new Error(`${program} ${argv.join(' ')}\n${stdout}\n${stderr}`)
  }
}

/** Installs packages into a folder. Without the registry this fails: what could not be tried is not shown. */
export async function install(folder: string, ...packages: readonly string[]): Promise<void> {
  if (!existsSync(join(folder, 'package.json')))
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module", "allowScripts": { "node": true } }')
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
  await run(folder, 'npm', ['install', ...flags, ...packages])
}

/** The path of Node's newest release of a major version. Kept in the system's folder for temporary files. */
export async function nodeBinary(major: 22 | 24): Promise<string> {
  const folder = join(tmpdir(), `redrive-node-${major}`)
  const binary = join(folder, 'node_modules', 'node', 'bin', 'node')
  if (!existsSync(binary)) {
    // Made ready elsewhere and moved there whole, for a run beside this one may do the same.
    const making = mkdtempSync(`${folder}-`)
    await install(making, `node@${major}`)
    try {
      renameSync(making, folder)
    } catch {
      rmSync(making, { recursive: true, force: true })
    }
  }
  return binary
}
