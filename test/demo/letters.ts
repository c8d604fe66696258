import type { Evidence } from 'redrive'
import { messagesIn, QUEUES, type QueueName, type Stage, takeFrom } from './stage.ts'

/** A dead letter as it lay in its queue. */
export interface Letter {
  readonly queue: QueueName
  readonly body: string
  /** `undefined`: it came without, or with something that is none. */
  readonly evidence: Evidence | undefined
}

/** Empties both dead-letter queues and reads what was in them. */
export async function readLetters({ sqs, queues }: Stage): Promise<Letter[]> {
  const letters: Letter[] = []
  for (const queue of QUEUES) {
    const url = queues[queue].deadLetterUrl
    while ((await messagesIn(sqs, url)) > 0) {
      const taken = await takeFrom(sqs, url)
      for (const { Body = '', MessageAttributes } of taken) {
        letters.push({ queue, body: Body, evidence: parse(MessageAttributes?.['redrive']?.StringValue) })
      }
    }
  }
  return letters
}

function parse(text: string | undefined): Evidence | undefined {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as Evidence)
  } catch {
    return undefined
  }
}
