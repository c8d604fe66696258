/** A setting of the infrastructure that has no sense. Its message says which one, where, and what was expected: enough for a person. */
export class StackError extends Error {
  override readonly name = 'StackError'
  /** What the setting belongs to, e.g. `consumer Orders` or `service`. */
  readonly where: string
  /** As in the options, e.g. `alarm.email`. */
  readonly setting: string

  constructor(where: string, setting: string, expected: string) {
    super(`redrive: ${where}: "${setting}" ${expected}${expected.endsWith('?') ? '' : '.'}`)
    this.where = where
    this.setting = setting
  }
}
