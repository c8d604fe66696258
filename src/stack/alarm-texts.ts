/** What a person reads who is woken: what it means, whose it is, where to look, until when there is time. */
import { DEFAULT_RETENTION } from './limits.ts'
import { deadLetterQueueOf, labelOf, prefixOf, queueOf, tableOf } from './names.ts'
import type { ConsumerOptions, ServiceOptions, Value } from './options.ts'
import { joined } from './values.ts'

/** Which text an alarm has. */
export type AlarmText = 'dead-letters' | 'growth' | 'sends' | 'age' | 'undone' | 'store'

/** The longest description that CloudWatch takes (F99). */
export const LONGEST_DESCRIPTION = 1024

const MEANINGS: Readonly<Record<AlarmText, (consumer: string) => string>> = {
  'dead-letters': (consumer) =>
    `${consumer}: messages are dead and wait for a person. Each says why in its attribute "redrive". While this alarm is on, it is silent about more of them: "${consumer}-dead-letters-grow" is not.`,
  growth: (consumer) => `${consumer}: more messages died, beside those that lie in the dead-letter queue already.`,
  sends: (consumer) =>
    `${consumer}: the dead-letter queue does not take dead messages (rights, key, size?). Nothing is lost: they stay in the queue and are sent again. The function's log has the refusal.`,
  age: (consumer) =>
    `${consumer}: messages are still not done after a fifth of the time that they have. They fail and wait, though few or none are dead yet. The function's log says why.`,
  undone: (consumer) =>
    `${consumer}: for ten minutes messages were only put off, and none was done. The function's log says why.`,
  store: (consumer) =>
    `${consumer}: the idempotency table has been out of reach for ten minutes (throttled, missing, no rights?). Nothing runs without it; the messages wait. The function's log has the error.`,
}

/** The description of an alarm, with the queue it is about and the line that shows what lies there. */
export function descriptionOf(text: AlarmText, consumer: ConsumerOptions, service: ServiceOptions): Value {
  const { owner, runbook } = service.alarm ?? {}
  const label = `${prefixOf(service)}-${labelOf(consumer)}`
  const aboutLetters = text === 'dead-letters' || text === 'growth' || text === 'sends'
  const about = aboutLetters ? deadLetterQueueOf(consumer) : queueOf(consumer)
  return joined(
    MEANINGS[text](label),
    ...(owner === undefined ? [] : [`\nOwner: ${owner}`]),
    ...(runbook === undefined ? [] : [`\nRunbook: ${runbook}`]),
    aboutLetters ? '\nDead-letter queue: ' : '\nQueue: ',
    about.url,
    ...(text === 'store' ? ['\nTable: ', tableOf(service)?.name ?? ''] : []),
    '\nRegion: ',
    about.region,
    aboutLetters ? lettersKept(consumer) : messagesKept(consumer, service),
    '\nLook: ',
    // The place of `npx redrive dlq ls`, once there is that command; until then the AWS command line, which every operator has.
    'aws sqs receive-message --max-number-of-messages 10 --visibility-timeout 0 --message-attribute-names All --region ',
    deadLetterQueueOf(consumer).region,
    ' --queue-url ',
    deadLetterQueueOf(consumer).url,
  )
}

function lettersKept({ deadLetterQueue }: ConsumerOptions): string {
  return deadLetterQueue === undefined
    ? "\nKept: 14 days from a letter's death; what SQS itself moved, from when it was first sent."
    : "\nKept: as long as that queue's own retention says."
}

function messagesKept({ queue }: ConsumerOptions, { retention = DEFAULT_RETENTION }: ServiceOptions): string {
  return 'make' in queue
    ? `\nKept: ${duration(retention)} from when a message was sent.`
    : "\nKept: as long as that queue's own retention says."
}

function duration(seconds: number): string {
  const [size, unit] = (
    [
      [86_400, 'day'],
      [3600, 'hour'],
      [60, 'minute'],
      [1, 'second'],
    ] as const
  ).find(([size]) => seconds % size === 0) ?? [1, 'second']
  const count = seconds / size
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
