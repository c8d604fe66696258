import { isObject, isReadable, listOf, read, readText } from './read.ts'
import { statusOf } from './status.ts'

/** One error of a chain with the fields that rules look at, read once. */
export interface Link {
  /** What was thrown, or the cause that hangs on it. */
  readonly value: unknown
  /** Nothing to be read from: not an object, or a Proxy that throws. Rules are not asked about it. */
  readonly opaque: boolean
  /** The way from the thrown value: empty for itself, else such as `cause.parent` or `errors[1]`. */
  readonly path: string
  /** Empty where there is none. */
  readonly name: string
  /** Libraries often set one of name and class only, and bundlers shorten the class. Empty where there is none. */
  readonly className: string
  readonly message: string
  readonly code: string | number | undefined
  readonly status: number | undefined
  /** Errors that hang on this one, nearest first. */
  readonly children: readonly Child[]
}

type Child = readonly [path: string, value: object]

/** The fields in which libraries keep the error beneath. */
const childFields = [
  'cause',
  'jse_cause',
  'nativeError',
  'parent',
  'original',
  'originalError',
  'driverError',
  'lastError',
  'networkError',
  'suppressed',
  'error',
  'reason',
  'detail',
]

/** The fields in which libraries keep several errors side by side. */
const memberFields = ['errors', 'CancellationReasons', 'graphQLErrors', 'previousErrors']

/** So many errors side by side are looked at; where there are more, one that nobody knows is added. */
const mostMembers = 20

/** So many links of one chain are looked at: deep and cyclic ones end there. */
const longestChain = 50

/** The links of a value's chain, outermost first, each once, at most `limit`. */
export function chainOf(value: unknown, path = '', limit = longestChain): Link[] {
  const links: Link[] = []
  const seen = new Set<unknown>()
  const pending: Array<readonly [path: string, value: unknown]> = [[path, value]]
  for (let next = pending.shift(); next !== undefined && links.length < limit; next = pending.shift()) {
    if (seen.has(next[1])) continue
    seen.add(next[1])
    const link = linkOf(next[1], next[0])
    links.push(link)
    pending.unshift(...link.children)
  }
  return links
}

/** Errors that stand side by side under one: of an AggregateError, a cancelled transaction, a GraphQL answer. */
export function membersOf(link: Link): Array<readonly [path: string, value: unknown]> {
  if (link.opaque) return []
  const { value, path, message } = link
  const lists: Array<readonly [field: string, list: unknown]> = memberFields.map((field) => [field, read(value, field)])
  lists.push(['response.errors', read(read(value, 'response'), 'errors')], ['', value])
  // Of several commands, Redis gives the good replies as well.
  lists.push(['replies', listOf(read(value, 'replies')).filter(isObject)])
  // Version 2 of the AWS SDK has the reasons of a cancelled transaction in the text only.
  const reasons = /specific reasons \[(.*)\]/.exec(message)?.[1]?.split(', ')
  if (reasons && !read(value, 'CancellationReasons')) lists.push(['message', reasons.map((reason) => ({ Code: reason }))])
  return lists.flatMap(([field, list]) =>
    membersIn(list).map((member, index) => [join(path, `${field}[${index}]`), member] as const),
  )
}

function membersIn(list: unknown): readonly unknown[] {
  const first = listOf(list, mostMembers + 1)
  // The last one stands for all that nobody looks at.
  const members = first.length > mostMembers ? [...first.slice(0, mostMembers), undefined] : first
  // Of a transaction, what was all right is listed, too.
  return members.filter((member) => read(member, 'Code') !== 'None')
}

function linkOf(value: unknown, path: string): Link {
  if (!isReadable(value)) {
    return { value, opaque: true, path, name: '', className: '', message: '', code: undefined, status: undefined, children: [] }
  }
  const code = read(value, 'code')
  return {
    value,
    opaque: false,
    path,
    name: readText(value, 'name'),
    className: readText(read(value, 'constructor'), 'name'),
    message: readText(value, 'message', 1000),
    code: typeof code === 'string' ? code.slice(0, 300) : typeof code === 'number' ? code : undefined,
    status: statusOf(value),
    children: childrenOf(value, path),
  }
}

function childrenOf(value: object, path: string): readonly Child[] {
  const children: Child[] = []
  for (const field of childFields) {
    const child = read(value, field)
    // verror's `cause` is a function: its cause is in `jse_cause`.
    if (isObject(child) && typeof child !== 'function') children.push([join(path, field), child])
  }
  const adapterError = read(read(value, 'meta'), 'driverAdapterError')
  if (isObject(adapterError)) children.push([join(path, 'meta.driverAdapterError'), adapterError])
  return children
}

function join(path: string, field: string): string {
  return path === '' ? field : `${path}.${field}`
}
