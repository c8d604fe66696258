/** A Python of the wanted version, and what a bed needs in a virtual environment of its own, made once. */
import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { BedError, cacheFolder } from './folders.ts'
import { tail } from './log.ts'
import { run } from './run.ts'

/** What is installed for a bed. */
export interface Installation {
  readonly name: string
  /** The least version, e.g. `[3, 13]`. */
  readonly python: readonly [number, number]
  /** Pinned versions, all of them. */
  readonly requirements: string
  /** A Python package of ours, installed after them. */
  readonly plugin?: string
}

/** The interpreter in the bed's virtual environment, which is made first where it is not there. */
export async function installed(wanted: Installation): Promise<string> {
  const python = await findPython(wanted)
  const folder = join(cacheFolder(), `${wanted.name}-${await fingerprint(wanted, python)}`)
  if (!existsSync(folder)) await install(wanted, python, folder)
  return join(folder, 'bin', 'python')
}

/** Made aside and put in place with one rename: a run that was killed leaves nothing half done, two at once don't meet. */
async function install({ name, requirements, plugin }: Installation, python: string, folder: string): Promise<void> {
  const made = `${folder}.${randomUUID()}`
  await mkdir(cacheFolder(), { recursive: true })
  const interpreter = join(made, 'bin', 'python')
  const pip = ['-m', 'pip', 'install', '--quiet', '--no-input', '--disable-pip-version-check']
  try {
    await must(name, python, ['-m', 'venv', made])
    await must(name, interpreter, [...pip, '--requirement', requirements])
    if (plugin !== undefined) {
      // pip builds in the source tree, and the repository is not its workshop.
      const copy = join(made, 'plugin')
      await cp(plugin, copy, { recursive: true })
      await must(name, interpreter, [...pip, '--no-deps', copy])
    }
    await rename(made, folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(made, { recursive: true, force: true })
  }
}

async function must(name: string, command: string, parameters: readonly string[]): Promise<void> {
  const { status, output } = await run(command, parameters)
  if (status === 0) return
  throw new BedError(`${name} could not be installed: ${command} ${parameters.join(' ')}\n${tail(output)}`)
}

/** Each candidate is run, for a pyenv shim may be there and still fail. */
async function findPython({ name, python: [major, minor] }: Installation): Promise<string> {
  const test = `import sys, venv, ensurepip; sys.exit(sys.version_info < (${major}, ${minor}))`
  for (const candidate of await candidates()) {
    if ((await run(candidate, ['-c', test]).catch(() => undefined))?.status === 0) return candidate
  }
  throw new BedError(
    `${name} needs Python ${major}.${minor} or newer with venv: install it (e.g. pyenv install ${major}.${minor}), or name it in REDRIVE_E2E_PYTHON.`,
  )
}

async function candidates(): Promise<string[]> {
  const given = process.env['REDRIVE_E2E_PYTHON']
  if (given) return [given]
  const versions = join(process.env['PYENV_ROOT'] || join(homedir(), '.pyenv'), 'versions')
  const ofPyenv = (await readdir(versions).catch(() => [])).filter((version) => /^3\.1[3-9]/.test(version))
  return ['python3.13', ...ofPyenv.toSorted().map((version) => join(versions, version, 'bin', 'python')), 'python3.14', 'python3']
}

async function fingerprint({ requirements, plugin }: Installation, python: string): Promise<string> {
  const hash = createHash('sha256').update(python)
  hash.update(await readFile(requirements))
  if (plugin !== undefined) {
    const files = (await readdir(plugin, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
    for (const path of files.map(({ parentPath, name }) => join(parentPath, name)).toSorted()) hash.update(await readFile(path))
  }
  return hash.digest('hex').slice(0, 12)
}
