import type { Rule } from '../rule.ts'
import { alarms } from './alarms.ts'
import { deadLetters } from './dead-letters.ts'
import { theFunction } from './function.ts'
import { mapping } from './mapping.ts'
import { options } from './options.ts'
import { queue } from './queue.ts'
import { role } from './role.ts'
import { table } from './table.ts'

/** All rules, in the order of the page, by what they are about. */
export const chapters: readonly { readonly title: string; readonly rules: readonly Rule[] }[] = [
  { title: 'The event source mapping', rules: mapping },
  { title: 'The queue', rules: queue },
  { title: 'The dead-letter queue', rules: deadLetters },
  { title: 'The age of a message', rules: options },
  { title: 'The function', rules: theFunction },
  { title: 'The role', rules: role },
  { title: 'The table', rules: table },
  { title: 'Alarms', rules: alarms },
]

export const rules: readonly Rule[] = chapters.flatMap((chapter) => chapter.rules)
