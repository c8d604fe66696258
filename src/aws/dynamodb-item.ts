/** How an idempotency record lies in DynamoDB: the one place that knows the names and types of its attributes. */
import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { HistoryNote, LeaseRecord, LeaseState } from '../flow/record.ts'

/** Attributes as DynamoDB has them. */
export type Item = Record<string, AttributeValue>

interface Column<Value> {
  readonly stored: string
  write(value: Value): AttributeValue
  read(attribute: AttributeValue | undefined): Value
}

const text = (stored: string): Column<string> => ({
  stored,
  write: (value) => ({ S: value }),
  read: (attribute) => attribute?.S ?? '',
})

const number = (stored: string): Column<number> => ({
  stored,
  write: (value) => ({ N: String(value) }),
  read: (attribute) => Number(attribute?.N ?? 0),
})

const states: readonly string[] = ['running', 'failed', 'done', 'dead'] satisfies LeaseState[]

const state: Column<LeaseState> = {
  stored: 'leaseState',
  write: (value) => ({ S: value }),
  read: (attribute) => {
    const value = attribute?.S ?? ''
    if (!states.includes(value))
      throw new Error(`Not an idempotency record of redrive: its leaseState is ${JSON.stringify(value)}`)
    return value as LeaseState
  },
}

// One JSON text a note. A failure often repeats itself: a note that says what the one before it said holds its time only,
// so that a record with ten of them still fits into one write unit (1 KB).
const history: Column<readonly HistoryNote[]> = {
  stored: 'history',
  write: (notes) => ({
    L: notes.map((note, index) => {
      const before = notes[index - 1]
      const same = before?.name === note.name && before.message === note.message && before.rule === note.rule
      return { S: JSON.stringify(same ? [note.at] : [note.at, note.name, note.message, note.rule]) }
    }),
  }),
  read: (attribute) => {
    let before: HistoryNote = { at: '', name: '', message: '', rule: '' }
    return (attribute?.L ?? []).map((entry) => {
      const [at = '', name = before.name, message = before.message, rule = before.rule]: string[] = JSON.parse(entry.S ?? '[]')
      before = { at, name, message, rule }
      return before
    })
  },
}

const steps: Column<Readonly<Record<string, string>>> = {
  stored: 'steps',
  write: (value) => ({ M: Object.fromEntries(Object.entries(value).map(([name, result]) => [name, { S: result }])) }),
  read: (attribute) => Object.fromEntries(Object.entries(attribute?.M ?? {}).map(([name, result]) => [name, result.S ?? ''])),
}

// None of the stored names is on DynamoDB's list of reserved words (`state`, `open` and `unknown` are), so no expression
// needs a placeholder for a name.
const columns: { readonly [Field in keyof LeaseRecord]: Column<LeaseRecord[Field]> } = {
  id: text('id'),
  state,
  run: text('run'),
  freeAt: number('freeAt'),
  attempts: number('attempts'),
  open: number('openRuns'),
  retryable: number('retryableFailures'),
  unknown: number('unknownFailures'),
  history,
  steps,
  fingerprint: text('fingerprint'),
  messageId: text('messageId'),
  firstMessageId: text('firstMessageId'),
  letter: text('letter'),
  expiresAt: number('expiresAt'),
}

const fields = Object.keys(columns) as (keyof LeaseRecord)[]

/** The stored name of a field. */
export function nameOf(field: keyof LeaseRecord): string {
  return columns[field].stored
}

/** The fields given, each with its value as DynamoDB has it. */
export function attributesOf(part: Partial<LeaseRecord>): (readonly [keyof LeaseRecord, AttributeValue])[] {
  const write = <Field extends keyof LeaseRecord>(field: Field, value: LeaseRecord[Field] | undefined) =>
    value === undefined ? [] : [[field, columns[field].write(value)] as const]
  return fields.flatMap((field) => write(field, part[field]))
}

/** A whole record as an item. */
export function itemOf(record: LeaseRecord): Item {
  return Object.fromEntries(attributesOf(record).map(([field, attribute]) => [nameOf(field), attribute]))
}

/** The record that an item holds. */
export function recordOf(item: Item): LeaseRecord {
  const read = <Field extends keyof LeaseRecord>(field: Field): LeaseRecord[Field] => columns[field].read(item[nameOf(field)])
  return Object.fromEntries(fields.map((field) => [field, read(field)])) as unknown as LeaseRecord
}
