/** The demo's report as text, in 100 columns. Pure; `paint` colours it or not. */
import type { Letter } from './letters.ts'
import type { Claim } from './proof.ts'
import type { QueueName } from './stage.ts'
import type { Tally } from './tally.ts'
import type { Sending } from './traffic.ts'

export type Paint = (style: 'bold' | 'dim' | 'green' | 'red', text: string) => string

const WIDTH = 100

/** Each kind of message and how many there are, so that the reader knows what comes. */
export function whatIsSent(sendings: readonly Sending[], movements: readonly Sending[], paint: Paint): string {
  const rows = (list: readonly Sending[]) =>
    [...Map.groupBy(list, ({ kind }) => kind)].sort(([, a], [, b]) => b.length - a.length)
  const block = (title: string, list: readonly Sending[]): string[] => [
    paint('bold', title),
    ...rows(list).map(([kind, ones]) => `${String(ones.length).padStart(5)}  ${kind}${fateOf(ones[0]!, paint)}`),
  ]
  return [
    ...block(`${sendings.length} orders, to a standard queue`, sendings),
    ...block(`${movements.length} movements in groups, to a FIFO queue`, movements),
    '',
  ].join('\n')
}

const fateOf = ({ fate }: Sending, paint: Paint): string =>
  fate.is === 'done' ? '' : paint('dim', `  → dead-letter queue (${fate.reason})`)

/** The outcomes of DESIGN 4.3 and what each means. */
const OUTCOMES: Readonly<Record<string, string>> = {
  done: 'the handler resolved; deleted from the queue',
  duplicate: 'its work was done already; the handler did not run',
  retry: 'failed, and worth another try: hidden for the backoff',
  cut: 'still running at the deadline; its lease ends by itself',
  dead: 'can not succeed: in the dead-letter queue, with evidence',
  busy: 'another run is at it: waits for that one',
  held: 'FIFO: behind a message of its group that waits',
  deferred: 'not started',
}

export function outcomesTable(tallies: Readonly<Record<QueueName, Tally>>, paint: Paint): string {
  const queues = Object.keys(tallies) as QueueName[]
  const cells = (name: string): string => queues.map((queue) => String(tallies[queue].of(name)).padStart(13)).join('')
  const happened = Object.entries(OUTCOMES).filter(([name]) => queues.some((queue) => tallies[queue].of(name) > 0))
  const rules = new Map<string, number>()
  for (const { retries } of Object.values(tallies)) {
    for (const [rule, count] of retries) rules.set(rule, (rules.get(rule) ?? 0) + count)
  }
  const byRule = [...rules].sort(([, a], [, b]) => b - a).map(([rule, count]) => `${rule} ${count}`)
  return [
    paint('bold', `OUTCOMES  ${queues.map((queue) => queue.padStart(13)).join('')}`),
    ...happened.map(([name, meaning]) => `${name.padEnd(10)}${cells(name)}   ${paint('dim', meaning)}`),
    `${'attempts'.padEnd(10)}${cells('attempts')}   ${paint('dim', 'runs of the handler')}`,
    ...wrapped(`retries by rule: ${byRule.join(', ')}`).map((line) => paint('dim', line)),
    '',
  ].join('\n')
}

/** Each dead letter as a person would see it. */
export function lettersTable(letters: readonly Letter[], labelOf: (letter: Letter) => string, paint: Paint): string {
  const row = (one: string, two: string, three: string, four: string, five: string): string =>
    `${one.padEnd(8)}${two.padEnd(18)}${three.padEnd(20)}${four.padStart(4)}  ${five}`
  const room = WIDTH - row('', '', '', '', '').length
  const byRule = letters.toSorted((one, other) => order(one, labelOf(one)).localeCompare(order(other, labelOf(other))))
  const rows = byRule.map((letter) => {
    const { reason = 'NO EVIDENCE', rule = '', attempts = 0 } = letter.evidence ?? {}
    return row(labelOf(letter), reason, rule, String(attempts), cut(errorOf(letter), room))
  })
  return [
    paint('bold', `DEAD LETTERS, read back from the dead-letter queues: ${letters.length}`),
    paint('dim', row('message', 'reason', 'rule', 'runs', 'error')),
    ...rows,
    '',
  ].join('\n')
}

const order = ({ evidence }: Letter, label: string): string => `${evidence?.reason} ${evidence?.rule} ${label}`

/** What a schema missed says more than that it missed something. */
function errorOf({ evidence }: Letter): string {
  const { error } = evidence ?? {}
  const [issue] = error?.issues ?? []
  if (issue !== undefined) return `${issue.path}: ${issue.message}`
  // redrive's own errors are told by their rule.
  if (error === undefined || error.name === 'MessageError') return error?.message ?? ''
  return `${error.name}: ${error.message}`
}

/** The claims, each with what is wrong beneath it. */
export function proofTable(claims: readonly Claim[], paint: Paint): string {
  const lines = claims.flatMap(({ sentence, numbers, wrong }) => [
    `${wrong.length === 0 ? paint('green', '✓') : paint('red', '✗')} ${sentence.padEnd(70)}${paint('dim', numbers)}`,
    ...wrong.slice(0, 5).map((sentence) => paint('red', `    ${sentence}`)),
    ...(wrong.length > 5 ? [paint('red', `    and ${wrong.length - 5} more`)] : []),
  ])
  return [paint('bold', "PROOF, from the provider's books and the queues' own attributes"), ...lines, ''].join('\n')
}

const cut = (text: string, room: number): string => {
  const line = text.replace(/\s+/g, ' ')
  return line.length <= room ? line : `${line.slice(0, room - 1)}…`
}

function wrapped(text: string): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    if (`${lines.at(-1)} ${word}`.length > WIDTH) lines.push('')
    lines.push(`${lines.pop()} ${word}`.trim())
  }
  return lines
}
