/** The recorded errors of real libraries, turned back into things that can be thrown. */
import { readFileSync } from 'node:fs'
import type { VerdictName } from '../../src/errors/verdict.ts'
import { rehydrate } from '../fixtures/errors/rehydrate.mjs'

interface RecordedCase {
  readonly id: string
  readonly provoke: string
  readonly expected: VerdictName
  readonly debatable?: string
  readonly retryAfterSeconds?: number
  readonly shape: unknown
}

export interface Recorded extends RecordedCase {
  readonly error: unknown
  /** When the script that provoked it had run, epoch ms: answers with a date in Retry-After were given shortly before. */
  readonly now: number
}

const file = new URL('../fixtures/errors/open.json', import.meta.url)
const { cases, recordedAt } = JSON.parse(readFileSync(file, 'utf8')) as {
  readonly cases: readonly RecordedCase[]
  readonly recordedAt: Readonly<Record<string, string>>
}

export const recorded: readonly Recorded[] = cases.map((each) => ({
  ...each,
  error: rehydrate(each.shape),
  now: Date.parse(recordedAt[each.provoke.replace('provoke/', '')] ?? ''),
}))
