import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { before, describe, it } from 'node:test'
import { parseArgs, promisify } from 'node:util'
import { classify } from '../../src/cli/classify.ts'
import { dev } from '../../src/cli/dev.ts'
import { doctor } from '../../src/cli/doctor.ts'
import { stack } from '../../src/cli/stack.ts'
import { work } from '../../src/cli/work.ts'
import { blocks, read, root } from './readme.ts'

// Within the repository, so that the blocks find `redrive` and the packages by name, as in a user's project.
const folder = `${root}/.build/readme`
const code = blocks('ts')

before(() => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  cpSync(`${root}/test/readme/stubs`, folder, { recursive: true })
  for (const [position, text] of code.entries()) writeFileSync(`${folder}/block-${position + 1}.ts`, text)
  writeFileSync(`${folder}/tsconfig.json`, '{ "extends": "../../tsconfig.json", "include": ["."] }')
})

describe('the TypeScript of README.md', () => {
  it('compiles, every block of it', () => {
    assert.equal(code.length, 5)
    const { stdout, status } = spawnSync(process.execPath, [`${root}/node_modules/typescript/bin/tsc`, '-p', folder], {
      encoding: 'utf8',
    })
    assert.equal(stdout, '')
    assert.equal(status, 0)
  })

  it('has a whole consumer in 14 lines', () => {
    const lines = code[0]?.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('//')) ?? []
    assert.ok(lines.length <= 14, `${lines.length} lines`)
  })

  it('has a test that passes', async () => {
    const position = code.findIndex((text) => text.includes('node:test')) + 1
    const argv = ['--conditions=redrive-source', `${folder}/block-${position}.ts`]
    const { NODE_TEST_CONTEXT: _ofThisRun, ...env } = process.env
    await promisify(execFile)(process.execPath, argv, { env })
  })
})

describe('the shell lines of README.md', () => {
  const lines = blocks('sh').flatMap((block) => block.trim().split('\n'))

  for (const line of lines) {
    it(line, () => {
      const [program, command, ...rest] = line.replace(/\s+[#<].*$/, '').split(' ')
      if (program === 'npm') return isNpmLine(command ?? '', rest)
      assert.equal(program, 'npx')
      if (command === 'osls') return assert.deepEqual(rest, ['deploy'])
      const [name, ...args] = rest
      const found = [classify, dev, doctor, stack, work].find((each) => each.name === name)
      assert.ok(command === 'redrive' && found !== undefined, 'no such command')
      parseArgs({ args, options: found.options, strict: true, allowPositionals: false })
    })
  }
})

function isNpmLine(command: string, rest: readonly string[]): void {
  const manifest = JSON.parse(read('package.json')) as Record<'scripts' | 'peerDependencies', Record<string, string>>
  if (command === 'run' || command === 'test') {
    assert.ok(manifest.scripts[rest[0] ?? command])
    return
  }
  assert.equal(command, 'install')
  const ofTheDeployment = ['serverless-esbuild', 'esbuild']
  const packages = rest.filter((each) => !each.startsWith('-') && each !== 'redrive' && !ofTheDeployment.includes(each))
  for (const name of packages) assert.ok(manifest.peerDependencies[name], `${name} is no peer`)
}
