/** Finds and parses a serverless.yml. */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { UsageError } from './command.ts'

/** The names under which the frameworks look for a service, as far as they can be read without running it. */
const NAMES = ['serverless.yml', 'serverless.yaml', 'serverless.json']

/** A service's file as it stands, with CloudFormation's short forms written out. */
export interface ServiceFile {
  readonly path: string
  readonly folder: string
  readonly parsed: Readonly<Record<string, unknown>>
}

/** Reads the file that is named, else the one in the folder. */
export async function readServiceFile(named: string | undefined, folder: string): Promise<ServiceFile> {
  const path = named === undefined ? NAMES.map((name) => join(folder, name)).find(existsSync) : resolve(folder, named)
  if (path === undefined) {
    throw new UsageError(`There is no serverless.yml in ${folder}. Go to your service's folder, or give --handler and --queue.`)
  }
  if (!existsSync(path)) throw new UsageError(`--config: there is no file ${path}.`)
  const parsed = await parse(path)
  if (typeof parsed !== 'object' || parsed === null) throw new UsageError(`${path} holds no service.`)
  return { path, folder: resolve(path, '..'), parsed: parsed as ServiceFile['parsed'] }
}

async function parse(path: string): Promise<unknown> {
  const yaml = await loadYaml()
  const document = yaml.parseDocument(readFileSync(path, 'utf8'), { merge: true, logLevel: 'silent' })
  const [error] = document.errors
  if (error !== undefined) throw new UsageError(`${path}: ${error.message}`)
  yaml.visit(document, {
    Node(_, node) {
      const [, form] = /^!(\w+)$/.exec(node.tag ?? '') ?? []
      if (form === undefined) return undefined
      node.tag = undefined as never
      const attribute = form === 'GetAtt' && yaml.isScalar(node) ? /^([^.]+)\.(.+)$/.exec(String(node.value)) : null
      const name = form === 'Ref' || form === 'Condition' ? form : `Fn::${form}`
      const written = new yaml.YAMLMap()
      written.set(name, attribute === null ? node : document.createNode(attribute.slice(1)))
      return written
    },
  })
  return document.toJS()
}

/** It comes with no other package of redrive's: only `redrive dev` and `redrive doctor` read YAML. */
async function loadYaml(): Promise<typeof import('yaml')> {
  try {
    return await import('yaml')
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new UsageError('Reading serverless.yml needs the package yaml: npm install --save-dev yaml')
  }
}
