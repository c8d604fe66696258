/** `npm run size`: prints what a consumer weighs, by part, and ends badly beyond a limit. */
import { CONSUMER, START_LIMIT, WHOLE_LIMIT, weigh } from './measure.ts'

const { start, whole, parts } = await weigh(CONSUMER)
const kB = (bytes: number): string => (bytes / 1000).toFixed(1).padStart(11)
console.log('A consumer, minified, in kB: Middy in, SDK and schema out.\n')
console.log(`${'at start'.padStart(11)}${'when needed'.padStart(13)}`)
for (const part of parts) console.log(`${kB(part.start)}${kB(part.later).padStart(13)}  ${part.name}`)
console.log(`${kB(start)}${' '.repeat(13)}  what a cold start loads (limit ${START_LIMIT / 1000})`)
console.log(`${' '.repeat(11)}${kB(whole).padStart(13)}  bundled into one file, all of it (limit ${WHOLE_LIMIT / 1000})`)
if (start > START_LIMIT || whole > WHOLE_LIMIT) {
  console.error('\nToo heavy.')
  process.exitCode = 1
}
