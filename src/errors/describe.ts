import { chainOf, type Link, membersOf } from './chain.ts'
import type { Issue } from './message-error.ts'
import { isObject, listOf, read, readList, readText } from './read.ts'
import { callsOf } from './stack.ts'

/** An error in chosen fields that fit into JSON: never its config, request, response or headers, where secrets are. */
export interface ErrorDescription {
  readonly name: string
  readonly message: string
  readonly code?: string | number
  readonly status?: number
  readonly stack?: string
  /** The errors beneath, nearest first. */
  readonly causes?: readonly CauseDescription[]
  /** What is wrong with the data, where a schema told. */
  readonly issues?: readonly Issue[]
}

/** An error beneath another one. */
export type CauseDescription = Omit<ErrorDescription, 'causes' | 'issues'>

/** How much of an error is kept: characters of the texts, numbers of the lists. */
export interface DescriptionLimits {
  /** @default 2000 */
  readonly message?: number
  /** @default 8000 */
  readonly stack?: number
  /** @default 5 */
  readonly causes?: number
  /** @default 50 */
  readonly issues?: number
}

const defaults = { message: 2000, stack: 8000, causes: 5, issues: 50 }
const shortText = 200

/** Describes whatever was thrown. Never throws, never changes it, calls no method of it (no `toJSON`), and is cheap on huge ones. */
export function describeError(error: unknown, limits: DescriptionLimits = {}): ErrorDescription {
  const limit = { ...defaults, ...limits }
  const [first, ...rest] = chainOf(error, '', limit.causes + 1) as [Link, ...Link[]]
  const members = membersOf(first).flatMap(([path, member]) => (isError(member) ? chainOf(member, path, 1) : []))
  const causes = [...rest, ...members].slice(0, limit.causes).map((link) => describeLink(link, limit))
  const issues = issuesOf(error, limit.issues)
  return {
    ...describeLink(first, limit),
    ...(causes.length > 0 && { causes }),
    ...(issues.length > 0 && { issues }),
  }
}

/** Name and message of whatever was thrown, the message cut at 200 characters: for lists, logs and the history. */
export function describeShortly(error: unknown): { readonly name: string; readonly message: string } {
  const [link] = chainOf(error, '', 1) as [Link]
  return { name: nameOf(link), message: messageOf(link.value, shortText) }
}

/** As `describeShortly`, in one line of text: `Name: message`. */
export function oneLine(error: unknown): string {
  const { name, message } = describeShortly(error)
  return `${name}: ${message}`.replace(/\s+/g, ' ').trim()
}

function describeLink(link: Link, limit: typeof defaults): CauseDescription {
  const name = nameOf(link)
  const message = messageOf(link.value, limit.message)
  const calls = callsOf(link.value)
  // Under a short heading, or a long message would push the calls out.
  const stack = calls && cut(`${name}: ${cut(message, shortText)}\n${calls}`, limit.stack)
  const code = typeof link.code === 'string' ? cut(link.code, shortText) : link.code
  return {
    name,
    message,
    ...(code !== undefined && code !== '' && { code }),
    ...(link.status !== undefined && { status: link.status }),
    ...(stack !== '' && { stack }),
  }
}

/** Its name; where that is no more than `Error`, its class, which may say more. */
function nameOf({ name, className, value }: Link): string {
  const own = /^error$/i.test(name) && className.length > 2 && className !== 'Object' ? className : name
  return cut(own || className || typeof value, shortText)
}

/** The message, cut at `limit` characters; for what has none, a text about what was thrown, without its values. */
export function messageOf(value: unknown, limit = defaults.message): string {
  if (!isObject(value)) return cut(String(value), limit)
  const message = read(value, 'message')
  if (typeof message === 'string') return cut(message, limit)
  if (typeof value === 'function') return cut(`the function ${readText(value, 'name')}`, limit)
  return cut(`thrown without a message, with the fields ${fieldsOf(value)}`, limit)
}

/** Names only: values may be secrets. */
function fieldsOf(value: object): string {
  try {
    return Object.keys(value).slice(0, 20).join(', ') || '(none)'
  } catch {
    return '(unreadable)'
  }
}

/** What is wrong with the data, as validation libraries list it: `issues`, `details`, `inner` or the thrown array itself. */
function issuesOf(error: unknown, limit: number): Issue[] {
  for (const list of [
    readList(error, 'issues', limit),
    readList(error, 'details', limit),
    readList(error, 'inner', limit),
    listOf(error, limit),
  ]) {
    const issues = list.filter(isIssue).map((issue) => ({ path: pathOf(issue), message: cut(textOf(issue), shortText) }))
    if (issues.length > 0) return issues
  }
  return []
}

function isIssue(issue: unknown): boolean {
  return isObject(issue) && (typeof read(issue, 'message') === 'string' || isObject(read(issue, 'constraints')))
}

function textOf(issue: unknown): string {
  const message = read(issue, 'message')
  // class-validator lists the broken constraints by name, each with its sentence.
  return typeof message === 'string' ? message : fieldsOf(read(issue, 'constraints') as object)
}

/** zod and valibot give a list (of keys or of `{ key }`), yup and ours a text, ajv a JSON pointer, class-validator a property. */
function pathOf(issue: unknown): string {
  const path = read(issue, 'path') ?? read(issue, 'instancePath') ?? read(issue, 'property')
  if (typeof path === 'string') return cut(path, shortText)
  const parts = listOf(path, 30).map((part) => (isObject(part) ? read(part, 'key') : part))
  return cut(parts.map((part) => String(isObject(part) ? '' : part)).join('.'), shortText)
}

function isError(value: unknown): boolean {
  return typeof read(value, 'message') === 'string' && typeof read(value, 'stack') === 'string'
}

/** Cuts at a whole character: half of a surrogate pair is no text, and SQS refuses it. */
function cut(text: string, limit: number): string {
  if (text.length <= limit) return text
  const end = /[\uD800-\uDBFF]/.test(text[limit - 1] ?? '') ? limit - 1 : limit
  return text.slice(0, end)
}
