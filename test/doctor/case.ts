/** What fixtures of rules are made of. */
import type { OwnOptions } from '../../src/stack/doctor.ts'
import { changed, fifo, fifoChanges, goodOptions, type Template } from './good-template.ts'

/** A template and what the consumer says in its own code. */
export interface Case {
  readonly template: unknown
  readonly own: OwnOptions
  /** How the template differs from the good one. */
  readonly changes?: Changes
}

export interface CasesOfRule {
  readonly bad: readonly Case[]
  readonly good: readonly Case[]
}

export type Changes = Readonly<Record<string, unknown>>
export const given = (changes: Changes, own: Partial<OwnOptions> = {}): Case => ({
  template: changed(changes),
  changes,
  own: { ...goodOptions, ...own },
})
export const onFifo = (changes: Changes): Case => ({
  template: fifo(changes),
  own: goodOptions,
  changes: { ...fifoChanges, ...changes },
})
export const of = (bad: readonly Case[], good: readonly Case[]): CasesOfRule => ({ bad, good })
export const one = (bad: Changes, good: Changes): CasesOfRule => of([given(bad)], [given(good)])

/** As a live stack tells of things that are gone. */
export const gone = (name: string, changes: Changes = {}): Case => ({
  own: goodOptions,
  template: { ...changed(changes), Metadata: { RedriveDoctor: { live: true, missing: [name] } } } satisfies Template,
})

export const att = (id: string): object => ({ 'Fn::GetAtt': [id, 'Arn'] })
