/** What a source file imports, uses and holds, read by TypeScript's own parser. */
import {
  isCallExpression,
  isExportDeclaration,
  isFunctionLikeDeclaration,
  isIdentifier,
  isImportDeclaration,
  isImportTypeNode,
  isLiteralTypeNode,
  isNewExpression,
  isPropertyAccessExpression,
  isStringLiteral,
  type Node,
  type SourceFile,
  SyntaxKind,
} from 'typescript/unstable/ast'
import { createVirtualFileSystem } from 'typescript/unstable/fs'
import { API } from 'typescript/unstable/sync'

/** Texts by path from the root, e.g. `src/flow/decide.ts`. */
export type Files = Readonly<Record<string, string>>

export interface Facts {
  readonly path: string
  readonly lines: number
  /** Specifiers as written; dynamic imports, type imports and re-exports among them. */
  readonly imports: readonly string[]
  /** What it uses of the world, e.g. `process.env`, `console`, `Date.now`, `new Date()`. */
  readonly uses: readonly string[]
  readonly functions: readonly { readonly line: number; readonly lines: number }[]
}

/** Reads the facts of all TypeScript files. */
export function factsOf(files: Files): Facts[] {
  const paths = Object.keys(files).filter((path) => path.endsWith('.ts'))
  const compilerOptions = { noLib: true, noResolve: true, types: [] }
  const texts = Object.entries(files).map(([path, text]) => [`/root/${path}`, text])
  const config = JSON.stringify({ compilerOptions, files: paths })
  const api = new API({
    cwd: '/root',
    fs: createVirtualFileSystem({ ...Object.fromEntries(texts), '/root/tsconfig.json': config }),
  })
  try {
    const project = api.updateSnapshot({ openProjects: ['/root/tsconfig.json'] }).getProjects()[0]
    return paths.map((path) => {
      const source = project?.program.getSourceFile(`/root/${path}`)
      if (source === undefined) throw new Error(`TypeScript did not read ${path}.`)
      return factsOfFile(path, source)
    })
  } finally {
    api.close()
  }
}

function factsOfFile(path: string, source: SourceFile): Facts {
  const imports: string[] = []
  const uses: string[] = []
  const functions: { line: number; lines: number }[] = []
  const visit = (node: Node): void => {
    const specifier = importedBy(node)
    if (specifier !== undefined) imports.push(specifier)
    const used = usedBy(node)
    if (used !== undefined) uses.push(used)
    // A describe holds tests, as a file does: its length says nothing.
    if (isFunctionLikeDeclaration(node) && !isDescribed(node, source)) {
      const line = lineOf(source, node.getStart(source))
      functions.push({ line, lines: lineOf(source, node.end) - line + 1 })
    }
    node.forEachChild(visit)
  }
  source.forEachChild(visit)
  return { path, lines: source.text.trimEnd().split('\n').length, imports, uses, functions }
}

const lineOf = (source: SourceFile, position: number): number => source.text.slice(0, position).split('\n').length

function importedBy(node: Node): string | undefined {
  if (isImportDeclaration(node) || isExportDeclaration(node)) return textOf(node.moduleSpecifier)
  if (isImportTypeNode(node)) return isLiteralTypeNode(node.argument) ? textOf(node.argument.literal) : undefined
  if (isCallExpression(node) && node.expression.kind === SyntaxKind.ImportKeyword) return textOf(node.arguments[0])
  return undefined
}

const textOf = (node: Node | undefined): string | undefined =>
  node !== undefined && isStringLiteral(node) ? node.text : undefined

const WORLD = new Set(['console', 'setTimeout', 'setInterval', 'setImmediate', 'fetch'])
const WORLD_MEMBERS = new Set([
  'process.env',
  'process.argv',
  'Date.now',
  'Math.random',
  'performance.now',
  'crypto.randomUUID',
  'crypto.getRandomValues',
])

function usedBy(node: Node): string | undefined {
  if (isPropertyAccessExpression(node) && isIdentifier(node.expression)) {
    const member = `${node.expression.text}.${node.name.text}`
    if (WORLD_MEMBERS.has(member)) return member
    return WORLD.has(node.expression.text) ? node.expression.text : undefined
  }
  if (isCallExpression(node) && isIdentifier(node.expression)) {
    if (node.expression.text === 'Date') return 'Date()'
    return WORLD.has(node.expression.text) ? node.expression.text : undefined
  }
  const isNow = isNewExpression(node) && isIdentifier(node.expression) && node.expression.text === 'Date'
  return isNow && (node.arguments?.length ?? 0) === 0 ? 'new Date()' : undefined
}

function isDescribed(node: Node, source: SourceFile): boolean {
  const call = node.parent
  return call !== undefined && isCallExpression(call) && /^(describe|suite)\b/.test(call.expression.getText(source))
}
