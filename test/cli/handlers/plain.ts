// A handler that says what it got, and takes its time where a message asks for it.
import type { SqsEvent } from '../../../src/flow/event.ts'

export const count = 1

export async function handler(event: SqsEvent): Promise<void> {
  for (const { body } of event.Records) {
    console.log(`started ${body} with table ${process.env['REDRIVE_TABLE']}, partial ${process.env['REDRIVE_PARTIAL']}`)
    if (body === 'hang') await new Promise(() => {})
    if (body === 'slow') await new Promise((resolve) => process.once('SIGTERM', resolve))
    console.log(`finished ${body}`)
  }
}
