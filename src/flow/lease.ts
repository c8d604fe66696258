/**
 * The idempotency record, its states and what each write means. Pure: the stores carry it out.
 *
 * Begin. A store tries one *first write*: it takes the record if there is none, or if `freeAt <= now`, `expiresAt` is ahead and
 * the fingerprint is equal. What that refuses goes through {@link decide} with the item found; the first row that fits holds.
 *
 * | the record is                                        | then                                                             |
 * | ---------------------------------------------------- | ---------------------------------------------------------------- |
 * | missing                                              | first write: `running`, attempts 1, open 1                       |
 * | `running`, by this very run (an answer was lost)     | acquired, nothing written                                        |
 * | expired, whatever its state                          | taken over anew: no attempts, history or steps of old            |
 * | `dead`, the very SQS message that died               | `dead`, or `undelivered` while the record keeps its letter       |
 * | `dead`, and this is another SQS message              | taken over anew: attempts 1, open 1; steps and history kept      |
 * | of another payload: other fingerprint and first id   | `mismatch`                                                       |
 * | `done`                                               | `done`                                                           |
 * | `running`, its lease not over                        | `busy` until `freeAt`                                            |
 * | `failed`, or `running` with its lease over           | first write, or taken over where the body was edited or the      |
 * |                                                      | fingerprint came or went: attempts + 1, open + 1, all else kept  |
 *
 * A take-over is a second write, conditional on the item just seen. An empty fingerprint equals any.
 *
 * End. Every write has absolute values, made from the record that begin gave, and the condition `run = mine AND state = running`
 * (delivered: `dead`). So a write repeated after a lost answer changes nothing twice, and one that comes late changes nothing.
 *
 * | to        | state     | freeAt    | attempts          | open | and                                                        |
 * | --------- | --------- | --------- | ----------------- | ---- | ---------------------------------------------------------- |
 * | done      | `done`    | expiry    | as begun          | 0    | history and steps stay, for a completion taken back        |
 * | failed    | `failed`  | 0         | as begun          | 0    | the verdict's counter + 1, a note                          |
 * | cut       | `running` | its lease | less 1, or begun  | 0    | a note; the code may still run, so it may still end `done` |
 * | released  | `failed`  | 0         | less 1            | - 1  | as if begin had not been                                   |
 * | dead      | `dead`    | never     | as begun          | 0    | the letter, a note if there is one                         |
 * | delivered | `dead`    | never     | stay              | stay | the letter is gone                                         |
 */
import type { BeginRequest, BeginResult, EndRequest, EndResult } from './ports.ts'
import { type HistoryNote, type LeaseRecord, type LeaseState, NEVER } from './record.ts'

/** How many history notes a record keeps: the last ones. */
export const HISTORY_LENGTH = 10

/** How long a begin waits that was overtaken in each of its rounds: somebody is busy, nobody knows until when. */
export const CONTENDED_MS = 1000

/** A second write, on condition of the item just seen. `open` is for the caller, as in `acquired`. */
export interface TakeOver {
  readonly is: 'take-over'
  readonly record: LeaseRecord
  readonly open: number
}

/** Attributes of a record and the values they get. */
export type LeaseChanges = { -readonly [Field in Exclude<keyof LeaseRecord, 'id'>]?: LeaseRecord[Field] }

/** The record of a first attempt; `kept` is what outlives a death. */
export function fresh(request: BeginRequest, kept?: Pick<LeaseRecord, 'steps' | 'history'>): LeaseRecord {
  return {
    id: request.id,
    state: 'running',
    run: request.run,
    freeAt: request.leaseUntil,
    attempts: 1,
    open: 1,
    retryable: 0,
    unknown: 0,
    history: kept?.history ?? [],
    steps: kept?.steps ?? {},
    fingerprint: request.fingerprint,
    messageId: request.messageId,
    firstMessageId: request.firstMessageId,
    letter: '',
    expiresAt: request.expiresAt,
  }
}

/** The answer to a begin whose write was stored as `record`. */
export function acquired(record: LeaseRecord): Extract<BeginResult, { is: 'acquired' }> {
  return { is: 'acquired', record, open: openBefore(record) }
}

/** What a begin means for a record that is there. */
export function decide(old: LeaseRecord, request: BeginRequest): BeginResult | TakeOver {
  if (old.state === 'running' && old.run === request.run) return acquired(old)
  if (old.expiresAt * 1000 <= request.now) return takeOver(fresh(request))
  if (old.state === 'dead') {
    if (old.messageId !== request.messageId) return takeOver(fresh(request, old))
    return old.letter === '' ? { is: 'dead' } : { is: 'undelivered', record: old }
  }
  if (!samePayload(old, request)) return { is: 'mismatch', record: old }
  if (old.state === 'done') return { is: 'done' }
  if (old.state === 'running' && old.freeAt > request.now) return { is: 'busy', until: old.freeAt }
  return takeOver({
    ...fresh(request, old),
    attempts: old.attempts + 1,
    open: old.open + 1,
    retryable: old.retryable,
    unknown: old.unknown,
    // A consumer that stops to compare for a while still finds the old one when it compares again.
    fingerprint: request.fingerprint === '' ? old.fingerprint : request.fingerprint,
  })
}

/** What the owner's write sets. */
export function ended(request: EndRequest): LeaseChanges {
  const { record, expiresAt } = request
  switch (request.to) {
    case 'done':
      // Attempts are written again because a cut may have taken one off before the handler resolved after all.
      return { state: 'done', freeAt: expiresAt * 1000, attempts: record.attempts, open: 0, expiresAt }
    case 'failed':
      return {
        state: 'failed',
        freeAt: 0,
        attempts: record.attempts,
        open: 0,
        [request.verdict]: record[request.verdict] + 1,
        history: noted(record, request.note),
        letter: '',
        expiresAt,
      }
    case 'cut':
      return {
        attempts: request.counts ? record.attempts : less(record.attempts),
        open: 0,
        history: noted(record, request.note),
        expiresAt,
      }
    case 'released':
      return { state: 'failed', freeAt: 0, attempts: less(record.attempts), open: less(record.open), expiresAt }
    case 'dead':
      return {
        state: 'dead',
        freeAt: NEVER,
        attempts: record.attempts,
        open: 0,
        history: noted(record, request.note),
        letter: request.letter,
        expiresAt,
      }
    case 'delivered':
      return { letter: '', expiresAt }
  }
}

/** The state in which an end must find its record, beside `run`. */
export function endsFrom(to: EndRequest['to']): LeaseState {
  return to === 'delivered' ? 'dead' : 'running'
}

/** What a refused end means: our own write of before, whose answer was lost, or somebody else's. */
export function endRefused(request: EndRequest, seen: LeaseRecord | undefined): EndResult {
  const wanted = ended(request).state ?? endsFrom(request.to)
  return seen?.run === request.record.run && seen.state === wanted ? { is: 'stored' } : { is: 'lost', seen }
}

function takeOver(record: LeaseRecord): TakeOver {
  return { is: 'take-over', record, open: openBefore(record) }
}

/** Runs before the one that holds the record whose end nobody wrote. */
function openBefore(record: LeaseRecord): number {
  return less(record.open)
}

function less(count: number): number {
  return Math.max(0, count - 1)
}

/** The same message may come back with an edited body: only another message makes other content another payload. */
function samePayload(old: LeaseRecord, request: BeginRequest): boolean {
  if (old.fingerprint === '' || request.fingerprint === '' || old.fingerprint === request.fingerprint) return true
  return old.firstMessageId === request.firstMessageId
}

function noted(record: LeaseRecord, note: HistoryNote | undefined): readonly HistoryNote[] {
  return note ? [...record.history, note].slice(-HISTORY_LENGTH) : record.history
}
