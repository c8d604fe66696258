/** What the conformance suite works on, and short ways to say what a test begins, ends and finds. */
import assert from 'node:assert/strict'
import type { BeginRequest, BeginResult, EndRequest, IdempotencyStore } from '../../src/flow/ports.ts'
import type { HistoryNote, LeaseRecord } from '../../src/flow/record.ts'

/** A store under test, with a way to put a record there that no begin or end has written. */
export interface Bench {
  readonly store: IdempotencyStore
  plant(record: LeaseRecord): Promise<void>
  close?(): Promise<void>
}

export const now = Date.UTC(2026, 7, 3, 10)
export const leaseMs = 30_000
export const expiresAt = now / 1000 + 30 * 86_400

let sequence = 0

/** A key that no other test has. */
export function newKey(): string {
  sequence += 1
  return `orders#${sequence}`
}

function newRun(): string {
  sequence += 1
  return `run-${sequence}`
}

/** A begin of a new run for message m1. */
export function ask(id: string, changes: Partial<BeginRequest> = {}): BeginRequest {
  const at = changes.now ?? now
  return {
    id,
    run: newRun(),
    messageId: 'm1',
    firstMessageId: 'm1',
    fingerprint: 'A',
    now: at,
    leaseUntil: at + leaseMs,
    expiresAt,
    ...changes,
  }
}

/** A record as a first begin leaves it, with changes. */
export function recordOf(id: string, changes: Partial<LeaseRecord> = {}): LeaseRecord {
  return {
    id,
    state: 'running',
    run: newRun(),
    freeAt: now + leaseMs,
    attempts: 1,
    open: 1,
    retryable: 0,
    unknown: 0,
    history: [],
    steps: {},
    fingerprint: 'A',
    messageId: 'm1',
    firstMessageId: 'm1',
    letter: '',
    expiresAt,
    ...changes,
  }
}

export function note(message: string): HistoryNote {
  return { at: '2026-08-03T10:00:00.000Z', name: 'TimeoutError', message, rule: 'network.timeout' }
}

/** Begins, and is sure to get the lease. */
export async function acquire(bench: Bench, request: BeginRequest): Promise<Extract<BeginResult, { is: 'acquired' }>> {
  const result = await bench.store.begin(request)
  assert.equal(result.is, 'acquired')
  return result as Extract<BeginResult, { is: 'acquired' }>
}

type Ending = EndRequest extends infer Request
  ? Request extends EndRequest
    ? Omit<Request, 'record' | 'now' | 'expiresAt'>
    : never
  : never

/** Each way to end a run that holds the lease. */
export const endings = {
  done: { to: 'done' },
  'failed as retryable': { to: 'failed', verdict: 'retryable', note: note('e') },
  'failed as unknown': { to: 'failed', verdict: 'unknown', note: note('e') },
  'cut, an attempt': { to: 'cut', counts: true, note: note('e') },
  'cut, no attempt': { to: 'cut', counts: false, note: note('e') },
  released: { to: 'released' },
  dead: { to: 'dead', letter: '', note: note('e') },
  'dead, the letter still here': { to: 'dead', letter: '{"reason":"permanent"}', note: undefined },
} satisfies Record<string, Ending>

/** Ends the run that holds `record`. */
export function end(bench: Bench, record: LeaseRecord, ending: Ending, changes: { expiresAt?: number } = {}) {
  return bench.store.end({ record, now: now + 1000, expiresAt, ...ending, ...changes })
}

/** The record says exactly this. */
export async function holds(bench: Bench, id: string, record: LeaseRecord | undefined): Promise<void> {
  assert.deepEqual(await bench.store.read(id), record)
}

/** A begin that changes nothing and answers this. */
export async function refuses(bench: Bench, request: BeginRequest, answer: BeginResult): Promise<void> {
  const before = await bench.store.read(request.id)
  assert.deepEqual(await bench.store.begin(request), answer)
  await holds(bench, request.id, before)
}
