/** What a look at a live stack gathers, in the form of a template. */

/** A resource; a property of the form `{ 'Fn::NotSeen': why }` could not be looked at. */
export interface DescribedResource {
  readonly Type: string
  readonly Properties: Readonly<Record<string, unknown>>
}

/** In the form of a CloudFormation template. */
export interface Described {
  readonly Resources: Readonly<Record<string, DescribedResource>>
  /** What was asked for by name and does not exist. */
  readonly Metadata: { readonly RedriveDoctor: { readonly live: true; readonly missing: readonly string[] } }
}

/** What has been gathered; the keys are the names that people read. */
export interface Gathered {
  readonly resources: Map<string, DescribedResource>
  readonly missing: Set<string>
}

/** In place of a property that could not be looked at. */
export const notSeen = (why: string): { readonly 'Fn::NotSeen': string } => ({ 'Fn::NotSeen': why })

/** Every one of these properties could not be looked at. */
export const allNotSeen = (why: string, ...properties: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(properties.map((property) => [property, notSeen(why)]))
