/** What every idempotency store must do: the transition table of `src/flow/lease.ts`, row by row, under races and lost answers. */
import { after, before, describe } from 'node:test'
import { beginRows } from '../store/begin-rows.ts'
import type { Bench } from '../store/bench.ts'
import { endRows } from '../store/end-rows.ts'
import { raceRows } from '../store/race-rows.ts'
import { sequenceRows } from '../store/sequence-rows.ts'

/** Runs the suite on the store that `makeBench` opens: `sequences` is how many random sequences of calls it goes through. */
export function storeConformance(name: string, makeBench: () => Promise<Bench>, sequences = 200): void {
  describe(name, () => {
    let opened: Bench
    const bench = () => opened
    before(async () => {
      opened = await makeBench()
    })
    after(() => opened.close?.())

    describe('begin', () => beginRows(bench))
    describe('end', () => endRows(bench))
    describe('at once', () => raceRows(bench))
    describe('any sequence', () => sequenceRows(bench, sequences))
  })
}
