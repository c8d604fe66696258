import type { Link } from '../chain.ts'
import { isObject, listOf, read, readList } from '../read.ts'
import { family } from './family.ts'

/** What validation libraries throw, known by the list of issues: there are too many copies of their classes. */
export const validation = family('validation', (link) => [shapeOf(link), link.name, link.className], {
  invalid:
    'issues ZodError $ZodError ZodValidationError ValiError StructError TraversalError ArkErrors AssertError TransformDecodeError TransformDecodeCheckError TypeGuardError CastError StrictModeError SequelizeValidationError JsonSchemaValidationError SchemaError MissingRefError BSONError ElectroValidationError DecodeError',
})

function shapeOf({ value, name, status }: Link): string {
  if (!isObject(value) || status !== undefined) return ''
  const lists = [listOf(value, 1), ...['issues', 'details', 'inner'].map((field) => readList(value, field, 1))]
  // yup's list may be empty.
  const known = lists.some(([issue]) => isIssue(issue)) || (name === 'ValidationError' && Array.isArray(read(value, 'inner')))
  return known ? 'issues' : ''
}

/** An issue has a path or field and a message (zod, valibot, joi, yup), or names the constraints or the keyword (class-validator, ajv). */
function isIssue(issue: unknown): boolean {
  if (isObject(read(issue, 'constraints')) || typeof read(issue, 'schemaPath') === 'string') return true
  const path = read(issue, 'path') ?? read(issue, 'field')
  return (Array.isArray(path) || typeof path === 'string') && typeof read(issue, 'message') === 'string'
}
