import { LARGEST_MESSAGE } from '../flow/letter.ts'
import type { EntryResult, Letter, Queue } from '../flow/ports.ts'

/** An SQS that writes down what it is asked. */
export interface RecordedQueue extends Queue {
  /** The visibility timeouts that were set, in order. */
  readonly hidden: { readonly receiptHandle: string; readonly seconds: number }[]
  /** The letters that the dead-letter queue took, in order. */
  readonly letters: Letter[]
}

/** An SQS in memory. `answer` may refuse an entry, or take its time; by default all is accepted. */
export function recordedQueue(
  answer: (action: 'hide' | 'bury') => EntryResult | Promise<EntryResult> = () => ({ is: 'accepted' }),
): RecordedQueue {
  const hidden: RecordedQueue['hidden'] = []
  const letters: Letter[] = []
  return {
    hidden,
    letters,
    hide: async ({ receiptHandle, seconds }) => {
      const result = await answer('hide')
      if (result.is === 'accepted') hidden.push({ receiptHandle, seconds })
      return result
    },
    bury: async ({ fit }) => {
      const result = await answer('bury')
      if (result.is === 'accepted') letters.push(fit(LARGEST_MESSAGE))
      return result
    },
  }
}
