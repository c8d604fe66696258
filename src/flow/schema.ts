/** What redrive uses of the Standard Schema interface (https://standardschema.dev): zod, valibot, arktype and others have it. */
export interface Schema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined
  }
}

export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] }

export interface SchemaIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** The type of a consumer's payload: the schema's output, else what the body option gives. */
export type Payload<S extends Schema | undefined, B extends 'json' | 'text', R> = S extends Schema
  ? NonNullable<S['~standard']['types']>['output']
  : [B] extends ['text']
    ? string
    : Awaited<R>
