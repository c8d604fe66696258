/** Reads what a handler answered, as Lambda reads it with `ReportBatchItemFailures` on. Pure. */

/** What an answer means for the messages of its batch. */
export type Answer =
  /** The named messages stay in the queue (none: all are done); the others are deleted. */
  | { readonly is: 'read'; readonly failures: ReadonlySet<string> }
  /** Lambda can't make sense of it: the whole batch stays in the queue. `why` is one sentence for the log. */
  | { readonly is: 'refused'; readonly why: string }

/**
 * Turns the value that a handler resolved with into the text that Lambda's runtime would post, and reads that.
 * A value that can't be written as JSON (BigInt, a cycle, a `toJSON` that throws) refuses the batch.
 */
export function readAnswer(value: unknown, messageIds: readonly string[]): Answer {
  let text: string
  try {
    // `undefined` (and whatever else JSON has no word for) is posted as nothing, which Lambda takes for success.
    text = JSON.stringify(value) ?? 'null'
  } catch (error) {
    return refused(`the answer can't be written as JSON (${error instanceof Error ? error.message : String(error)})`)
  }
  return readAnswerText(text, messageIds)
}

/** Reads the text of an answer. */
export function readAnswerText(text: string, messageIds: readonly string[]): Answer {
  if (text === '') return { is: 'read', failures: new Set() }
  let answer: unknown
  try {
    answer = JSON.parse(text)
  } catch {
    return refused('the answer is not JSON')
  }
  if (answer === null) return { is: 'read', failures: new Set() }
  // Not documented for other JSON values; a message is never acknowledged in doubt.
  if (typeof answer !== 'object' || Array.isArray(answer)) return refused(`the answer is ${nameOf(answer)}, not an object`)
  const list = (answer as { batchItemFailures?: unknown }).batchItemFailures
  if (list === undefined || list === null) return { is: 'read', failures: new Set() }
  if (!Array.isArray(list)) return refused(`batchItemFailures is ${nameOf(list)}, not a list`)
  return readList(list, new Set(messageIds))
}

function readList(list: readonly unknown[], known: ReadonlySet<string>): Answer {
  const failures = new Set<string>()
  for (const [position, item] of list.entries()) {
    const id: unknown =
      item === null || typeof item !== 'object' ? undefined : (item as { itemIdentifier?: unknown }).itemIdentifier
    if (typeof id !== 'string' || id === '') return refused(`batchItemFailures[${position}] has no itemIdentifier`)
    if (!known.has(id)) return refused(`batchItemFailures[${position}] names ${id}, which is no message of this batch`)
    failures.add(id)
  }
  return { is: 'read', failures }
}

function refused(why: string): Answer {
  return { is: 'refused', why }
}

function nameOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
