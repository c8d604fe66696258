/** What a person reads who is woken: what it means, whose it is, where to look, until when there is time. */
import { alarmingAge, DEFAULT_RETENTION } from './limits.ts'
import { deadLetterQueueOf, labelOf, prefixOf, queueOf, tableOf } from './names.ts'
import type { ConsumerOptions, ServiceOptions, Value } from './options.ts'
import { joined } from './values.ts'

/** Which text an alarm has. */
export type AlarmText = 'dead-letters' | 'growth' | 'sends' | 'age' | 'undone' | 'store'

/** The longest description that CloudWatch takes (F99). */
export const LONGEST_DESCRIPTION = 1024

/** A fault, in words; `name` is service, stage and consumer. */
const MEANINGS: Readonly<Record<AlarmText, (name: string, age: string) => string>> = {
  'dead-letters': (name) =>
    `${name}: messages are dead and wait for a person. Each says why in its attribute "redrive". While this alarm is on it is silent about more of them; "${name}-dead-letters-grow" is not.`,
  growth: (name) => `${name}: more messages died, beside those that lie in the dead-letter queue already.`,
  sends: (name) =>
    `${name}: the dead-letter queue does not take dead messages (rights, key, size?). Nothing is lost: they stay in the queue and are sent again. The function's log has the refusal.`,
  age: (name, age) =>
    `${name}: messages are not done ${age} after they were sent, a fifth of the time that they have. They fail and wait, though few or none are dead yet. The function's log says why.`,
  undone: (name) =>
    `${name}: for ten minutes messages were put off and none was done: something that all of them need is out of reach. The function's log says what.`,
  store: (name) =>
    `${name}: the idempotency table has been out of reach for ten minutes (throttled, missing, no rights?). Nothing runs without it; the messages wait. The function's log has the error.`,
}

const ABOUT_LETTERS: ReadonlySet<AlarmText> = new Set(['dead-letters', 'growth', 'sends'])

/** The description of an alarm, with the queue it is about and the line that shows what lies there. */
export function descriptionOf(text: AlarmText, consumer: ConsumerOptions, service: ServiceOptions): Value {
  const { owner, runbook } = service.alarm ?? {}
  const letters = ABOUT_LETTERS.has(text)
  const queue = letters ? deadLetterQueueOf(consumer) : queueOf(consumer)
  const table = text === 'store' ? tableOf(service)?.name : undefined
  return joined(
    MEANINGS[text](`${prefixOf(service)}-${labelOf(consumer)}`, hours(alarmingAge(consumer, service))),
    ...(owner === undefined ? [] : [`\nOwner: ${owner}`]),
    ...(runbook === undefined ? [] : [`\nRunbook: ${runbook}`]),
    letters ? '\nDead-letter queue: ' : '\nQueue: ',
    queue.url,
    ...(table === undefined ? [] : ['\nTable: ', table]),
    '\nRegion: ',
    queue.region,
    letters ? lettersKept(consumer) : messagesKept(consumer, service),
    // The place of the full `npx redrive dlq ls` line, as soon as there is that command; until then what every operator has.
    letters
      ? '\nLook: aws sqs receive-message --max-number-of-messages 10 --visibility-timeout 0 --message-attribute-names All --region '
      : '\nLook: aws sqs get-queue-attributes --attribute-names All --region ',
    queue.region,
    ' --queue-url ',
    queue.url,
  )
}

function lettersKept({ deadLetterQueue }: ConsumerOptions): string {
  return deadLetterQueue === undefined
    ? "\nKept: 14 days from a letter's death; what SQS itself moved, from when it was first sent."
    : "\nKept: as long as that queue's own retention says."
}

function messagesKept({ queue }: ConsumerOptions, { retention = DEFAULT_RETENTION }: ServiceOptions): string {
  return 'make' in queue
    ? `\nKept: ${hours(retention)} from when a message was sent, then SQS deletes it.`
    : "\nKept: as long as that queue's own retention says."
}

/** Seconds for people, e.g. `14 h 24 min`. */
function hours(seconds: number): string {
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  const parts = [minutes >= 60 && `${Math.floor(minutes / 60)} h`, minutes % 60 > 0 && `${minutes % 60} min`]
  return parts.filter((part) => part !== false).join(' ')
}
