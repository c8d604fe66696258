/** What is used of osls 4 and Serverless Framework 3. Both are the same here; neither's own types are needed. */
import type { Resource, Value } from '../stack/options.ts'

/** A resource that the framework has compiled. Other plugins may have put a single text into `DependsOn`. */
export interface CompiledResource {
  readonly Type: string
  Properties?: Record<string, unknown>
  DependsOn?: string | string[]
}

/** A function of the service, as it stands in serverless.yml. */
export interface FrameworkFunction {
  readonly role?: unknown
  readonly events: Record<string, unknown>[]
  environment?: Readonly<Record<string, unknown>>
}

/** The service: its serverless.yml with variables resolved, and what becomes of it. */
export interface FrameworkService {
  readonly service: string
  readonly functions: Readonly<Record<string, FrameworkFunction>>
  readonly custom?: Readonly<Record<string, unknown>>
  resources?: { Resources?: Record<string, Resource> } & Record<string, unknown>
  readonly provider: {
    readonly name: string
    readonly compiledCloudFormationTemplate: { readonly Resources: Record<string, CompiledResource> }
  } & Readonly<Record<string, unknown>>
}

/** The instance that a plugin is given. */
export interface Framework {
  readonly service: FrameworkService
  readonly configSchemaHandler: {
    defineFunctionEvent(provider: string, event: string, schema: object): void
    defineCustomProperties(schema: object): void
  }
  /** Its errors are printed without a stack: the message is all that a person needs. */
  readonly classes: { readonly Error: new (message: string, code: string) => Error }
  /** Runs another command's steps within this one. */
  readonly pluginManager: { spawn(command: string): Promise<void> }
  getProvider(name: 'aws'): {
    getStage(): string
    readonly naming: {
      getStackName(): string
      getLambdaLogicalId(functionName: string): string
    }
  }
}

/** How a plugin speaks to the person at the terminal. */
export interface FrameworkUtils {
  readonly log: { notice(text: string): void; warning(text: string): void }
}

/** The two names of an attribute such as `{ 'Fn::GetAtt': ['OrdersRole', 'Arn'] }`; `undefined`: it is something else. */
export function attributeOf(value: unknown): readonly [logicalId: string, name: string] | undefined {
  const pair = typeof value === 'object' && value !== null ? (value as { 'Fn::GetAtt'?: unknown })['Fn::GetAtt'] : undefined
  const [logicalId, name] = typeof pair === 'string' ? pair.split('.') : Array.isArray(pair) ? (pair as Value[]) : []
  return typeof logicalId === 'string' && typeof name === 'string' ? [logicalId, name] : undefined
}
