/**
 * `npm run demo`: real messages through real queues to the example service, with real faults on the way, and the proof from the
 * provider's own books that none was lost and none done twice.
 */
import { styleText } from 'node:util'
import { type Arguments, help, readArguments } from './arguments.ts'
import { readLetters } from './letters.ts'
import { play } from './play.ts'
import { type Claim, prove } from './proof.ts'
import { lettersTable, outcomesTable, type Paint, proofTable, whatIsSent } from './report.ts'
import { messagesIn, QUEUES, setStage, takeFrom } from './stage.ts'
import { movementTraffic, orderTraffic } from './traffic.ts'

const paint: Paint = (style, text) => styleText(style, text)
const STAGE = 'The handlers of src/service; SQS, DynamoDB and a provider on 127.0.0.1'
const print = (text: string): void => void process.stdout.write(`${text}\n`)

process.exitCode = await main(process.argv.slice(2))

async function main(argv: readonly string[]): Promise<number> {
  let asked: Arguments
  try {
    asked = readArguments(argv)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return 2
  }
  if (asked.help) {
    print(help)
    return 0
  }
  return verdict(await demo(asked))
}

async function demo(asked: Arguments): Promise<{ claims: readonly Claim[]; seconds: Record<string, number> }> {
  const times = stopwatch()
  const orders = orderTraffic(asked.seed)
  const movements = movementTraffic(asked.seed)
  print(`${paint('bold', `redrive: the demo, seed ${asked.seed}.`)} ${STAGE}\n`)
  print(whatIsSent([...orders.sendings, ...orders.conflicts], movements, paint))

  const stage = await setStage(() => 5 + Math.random() * 30)
  try {
    times.lap('start')
    const played = await play(stage, { orders, movements, asked, elapsed: times.elapsed })
    times.lap('run')
    const [standard, fifo] = await Promise.all(QUEUES.map((name) => messagesIn(stage.sqs, stage.queues[name].url)))
    if (asked.plants.has('lose-letter')) await takeFrom(stage.sqs, stage.queues.orders.deadLetterUrl, 1)
    const letters = await readLetters(stage)
    const { books, faults } = stage.provider
    const claims = prove({
      ...played,
      script: movements,
      letters,
      charges: books.charges,
      repeated: books.repeated,
      postings: books.postings,
      left: { orders: standard!, 'ledger.fifo': fifo! },
      faults: { ...played.faults, notMet: faults.left },
    })
    times.lap('proof')
    const labels = new Map([...played.orders, ...played.movements].map(({ sending, messageId }) => [messageId, sending.label]))
    print(`\n${outcomesTable(played.tallies, paint)}`)
    print(lettersTable(letters, ({ evidence }) => labels.get(evidence?.messageId ?? '') ?? '?', paint))
    print(proofTable(claims, paint))
    return { claims, seconds: times.seconds }
  } finally {
    await stage.stop()
  }
}

function verdict({ claims, seconds }: Awaited<ReturnType<typeof demo>>): number {
  const broken = claims.filter(({ wrong }) => wrong.length > 0)
  const total = Object.values(seconds).reduce((sum, lap) => sum + lap, 0)
  const laps = Object.entries(seconds).map(([name, lap]) => `${name} ${lap.toFixed(1)}`)
  const words =
    broken.length === 0 ? 'The proof holds.' : `The proof FAILS: ${broken.length} of ${claims.length} claims are wrong.`
  print(`${paint(broken.length === 0 ? 'green' : 'red', words)}  ${paint('dim', `${total.toFixed(1)} s: ${laps.join(', ')}`)}`)
  return broken.length === 0 ? 0 : 1
}

function stopwatch() {
  const began = performance.now()
  const seconds: Record<string, number> = {}
  let last = began
  const elapsed = (): number => (performance.now() - began) / 1000
  const lap = (name: string): void => {
    const now = performance.now()
    seconds[name] = (now - last) / 1000
    last = now
  }
  return { elapsed, lap, seconds }
}
