import { parseArgs } from 'node:util'

/** Faults that the proof must find. */
export const plants = {
  'double-charge': 'one order is charged twice, under two idempotency keys',
  'lose-one': 'the handler swallows one order and says that it is done',
  'lose-letter': 'one letter is taken out of the dead-letter queue',
  disorder: 'two movements of one account are sent the wrong way round',
} as const
export type Plant = keyof typeof plants

/** What the demo was asked for. */
export interface Arguments {
  readonly seed: number
  readonly plants: ReadonlySet<Plant>
  /** Shows redrive's own log lines, on standard error. */
  readonly log: boolean
  readonly help: boolean
}

export const help = `npm run demo: about 250 real messages with real faults, and the proof that none was lost and none done twice.

Usage: npm run demo [-- options]

  --seed N      other orders; the same seed, the same orders (default 1)
  --log         shows redrive's log lines, on standard error
  --plant NAME  plants a fault that the proof must find; may be given several times:
${Object.entries(plants)
  .map(([name, what]) => `                  ${name.padEnd(15)}${what}`)
  .join('\n')}

Exit codes: 0 the proof holds; 1 it does not; 2 wrong arguments.`

/** Reads the command line. Throws an error with a sentence for the person at it. */
export function readArguments(argv: readonly string[]): Arguments {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      seed: { type: 'string' },
      plant: { type: 'string', multiple: true },
      log: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  const seed = Number(values.seed ?? 1)
  if (!Number.isInteger(seed) || seed < 0) throw new Error(`--seed is '${values.seed}'; it must be a whole number from 0.`)
  const asked = values.plant ?? []
  const wrong = asked.find((name) => !isPlant(name))
  if (wrong !== undefined) throw new Error(`--plant is '${wrong}'; there are: ${Object.keys(plants).join(', ')}.`)
  return { seed, plants: new Set(asked.filter(isPlant)), log: values.log ?? false, help: values.help ?? false }
}

const isPlant = (name: string): name is Plant => Object.hasOwn(plants, name)
