/** `npm run size`: prints what a consumer weighs, by part, and ends badly beyond a limit. */
import { CONSUMER, START_LIMIT, WHOLE_LIMIT, weigh } from './measure.ts'

const { start, whole, parts, onDemand } = await weigh(CONSUMER)
const kB = (bytes: number): string => (bytes / 1000).toFixed(1).padStart(9)

console.log('A consumer, minified, in kB: Middy in, SDK and schema out.\n')
console.log('at start    later')
for (const part of parts) console.log(`${kB(part.start)}${kB(part.later)}  ${part.name}`)
console.log('\nWhat is imported when first needed, each with all that comes with it:')
for (const { file, bytes } of onDemand) console.log(`${' '.repeat(9)}${kB(bytes)}  ${file}`)
console.log(`\n${kB(start)}${' '.repeat(9)}  needed at a cold start (limit ${START_LIMIT / 1000})`)
console.log(`${' '.repeat(9)}${kB(whole)}  all of it in one file (limit ${WHOLE_LIMIT / 1000})`)
if (start > START_LIMIT || whole > WHOLE_LIMIT) {
  console.error('\nToo heavy.')
  process.exitCode = 1
}
