/**
 * The test beds: AWS on this machine. Used by the tests in this folder and by any other that wants one, and by hand:
 *
 *     node test/e2e/beds.ts [localstack] [ministack]    starts them and says where, until Ctrl-C
 *     node test/e2e/beds.ts install                     only installs what they need
 *
 * A bed listens on 127.0.0.1 only, on a free port, and ends with the process that started it, however that ends.
 */
import { BedError } from './beds/folders.ts'
import { installLocalstack, startLocalstack } from './beds/localstack.ts'
import { installMinistack, startMinistack } from './beds/ministack.ts'
import { type Bed, removeLeftovers } from './beds/serve.ts'

export { type Bed, BedError, installLocalstack, installMinistack, removeLeftovers, startLocalstack, startMinistack }

export const starters = { localstack: startLocalstack, ministack: startMinistack }

/** A kind of bed. */
export type BedName = keyof typeof starters

/** What the AWS SDK and tools take from the environment to talk to a bed. */
export const environmentOf = (endpoint: string): Record<string, string> => ({
  AWS_ENDPOINT_URL: endpoint,
  AWS_REGION: 'us-east-1',
  AWS_DEFAULT_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
})

async function main(asked: readonly string[]): Promise<void> {
  if (asked[0] === 'install') {
    const [way] = await Promise.all([installLocalstack(), installMinistack()])
    console.log(`LocalStack (${way}) and MiniStack are installed.`)
    return
  }
  const wrong = asked.find((name) => !(name in starters))
  if (wrong !== undefined) throw new BedError(`There is no bed "${wrong}", only ${Object.keys(starters).join(', ')}.`)
  const names = (asked.length > 0 ? asked : Object.keys(starters)) as BedName[]
  const beds = await Promise.all(names.map((name) => starters[name]()))
  for (const { name, endpoint, log } of beds) {
    const variables = Object.entries(environmentOf(endpoint)).map(([variable, value]) => `${variable}=${value}`)
    console.log(`${name}: ${endpoint} (log: ${log})\n  export ${variables.join(' ')}`)
  }
  console.log('Ctrl-C stops them.')
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void Promise.all(beds.map((bed) => bed.stop())).then(() => process.exit(0)))
  }
}

if (import.meta.main) {
  await main(process.argv.slice(2)).catch((error: Error) => {
    console.error(error.name === 'BedError' ? error.message : error)
    process.exitCode = 2
  })
}
