// Before every script: installs, if what is in node_modules is not what the lockfile says. So each script may be the very first
// command in a fresh clone. It runs on the machine's own Node, whatever that is, and needs no package; the script after it runs
// on the Node that was installed, since npm puts node_modules/.bin first on the path.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const binaries = join(root, 'node_modules', '.bin')

if (!isInstalled()) {
  console.log('redrive: installing what package-lock.json names (npm ci) …')
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
    // npm must not run on a Node that it is about to replace.
    env: {
      ...process.env,
      PATH: (process.env.PATH ?? '')
        .split(delimiter)
        .filter((part) => part !== binaries)
        .join(delimiter),
    },
  })
  if (status !== 0) fail('npm ci failed, see above. It needs the npm registry once.')
  if (!isInstalled()) fail("npm ci ran, but Node is missing: does npm's configuration forbid install scripts (ignore-scripts)?")
}

/** By content, not by time: a checkout or a second clone may touch the lockfile. */
function isInstalled() {
  const installed = packagesIn(join('node_modules', '.package-lock.json'))
  const wanted = packagesIn('package-lock.json')
  if (installed === undefined || wanted === undefined || !existsSync(join(binaries, 'node'))) return false
  return Object.entries(wanted).every(([path, { version, optional, peer, devOptional }]) => {
    if (path === '') return true
    const found = installed[path]
    return found === undefined ? Boolean(optional || devOptional || peer) : found.version === version
  })
}

function packagesIn(file) {
  try {
    return JSON.parse(readFileSync(join(root, file), 'utf8')).packages
  } catch {
    return undefined
  }
}

function fail(why) {
  console.error(`redrive: ${why}`)
  process.exit(1)
}
