import type { Decision, Leased } from './decision.ts'
import { untilTime } from './flow/decide.ts'
import type { Invocation } from './invocation.ts'
import { judge } from './judge.ts'
import type { RunEnd } from './run.ts'

/** What a run of the handler comes to. */
export function afterRun(end: RunEnd, { message, record, tally, key }: Leased, invocation: Invocation): Decision {
  const decided = { is: 'decided', message, record, key, attempts: tally.attempts } as const
  switch (end.is) {
    case 'resolved':
      return { ...decided, outcome: { is: 'done' } }
    case 'threw':
      return { ...decided, outcome: judge(end.error, message, tally, invocation) }
    case 'cut': {
      const seconds = untilTime(invocation.deadline.leaseUntil, message.sentAt, invocation.rules())
      return { ...decided, outcome: { is: 'cut', counts: end.counts, seconds } }
    }
  }
}
