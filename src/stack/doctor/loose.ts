/** What a template is made of before anything in it is trusted. */

/** A value that only the deployment knows. */
export class Unresolved {
  readonly why: string
  constructor(why: string) {
    this.why = why
  }
}

export type Loose = Readonly<Record<string, unknown>>

/** A resource whose shape was looked at. */
export interface LooseResource {
  readonly id: string
  readonly type: string
  readonly properties: unknown
}

/** A template as it was read: nothing in it is trusted. */
export interface LooseTemplate {
  readonly resources: ReadonlyMap<string, LooseResource>
  readonly mappings: Loose
  readonly conditions: Loose
  /** What references were found to be, so that each is worked out once. */
  readonly known: Map<string, unknown>
}

/** The same value without intrinsics: an {@link Unresolved} stands for each that can't be resolved, `undefined` for `AWS::NoValue`. */
export type Resolve = (value: unknown) => unknown

export const isRecord = (value: unknown): value is Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Unresolved)

export const isScalar = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value)
