/** Evaluates the condition and update expressions that the store uses: AND before OR, comparisons, `attribute_not_exists`; SET. */
import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { Item } from '../../src/aws/dynamodb-item.ts'

const comparisons: Record<string, (a: string | number, b: string | number) => boolean> = {
  '=': (a, b) => a === b,
  '<>': (a, b) => a !== b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
}

/** A cursor over the words of an expression. */
function words(expression: string) {
  const left = expression.match(/<>|<=|[()=<>,+]|:?\w+/g) ?? []
  return {
    take: () => left.shift() ?? '',
    accept: (word: string) => left[0] === word && left.shift() !== undefined,
    expect: (word: string) => {
      const next = left.shift()
      if (next !== word) throw new Error(`Expected ${word}, found ${next} in ${expression}`)
    },
    done: () => left.length === 0,
  }
}

type Words = ReturnType<typeof words>

/** Does the condition hold for this item? A comparison with an attribute that is not there never does. */
export function evaluate(expression: string, item: Item | undefined, values: Item): boolean {
  const cursor = words(expression)
  const held = either(cursor, item ?? {}, values)
  if (!cursor.done()) throw new Error(`Not understood to its end: ${expression}`)
  return held
}

function either(cursor: Words, item: Item, values: Item): boolean {
  let held = both(cursor, item, values)
  while (cursor.accept('OR')) held = both(cursor, item, values) || held
  return held
}

function both(cursor: Words, item: Item, values: Item): boolean {
  let held = term(cursor, item, values)
  while (cursor.accept('AND')) held = term(cursor, item, values) && held
  return held
}

function term(cursor: Words, item: Item, values: Item): boolean {
  if (cursor.accept('(')) {
    const held = either(cursor, item, values)
    cursor.expect(')')
    return held
  }
  const name = cursor.take()
  if (name === 'attribute_not_exists') {
    cursor.expect('(')
    const missing = item[cursor.take()] === undefined
    cursor.expect(')')
    return missing
  }
  const compare = comparisons[cursor.take()]
  const value = values[cursor.take()]
  if (!compare || !value) throw new Error(`Not a comparison with a given value: ${name}`)
  const found = item[name]
  return found !== undefined && compare(plain(found), plain(value))
}

function plain(value: AttributeValue): string | number {
  return value.N === undefined ? (value.S ?? '') : Number(value.N)
}

/** The item after `SET a = :a, b = if_not_exists(b, :zero) + :b, …`. */
export function update(expression: string, item: Item, values: Item): Item {
  const cursor = words(expression)
  const after = { ...item }
  cursor.expect('SET')
  do {
    const name = cursor.take()
    cursor.expect('=')
    let value = operand(cursor, item, values)
    while (cursor.accept('+')) value = { N: String(Number(value.N) + Number(operand(cursor, item, values).N)) }
    after[name] = value
  } while (cursor.accept(','))
  if (!cursor.done()) throw new Error(`Not understood to its end: ${expression}`)
  return after
}

function operand(cursor: Words, item: Item, values: Item): AttributeValue {
  const word = cursor.take()
  if (word !== 'if_not_exists') return given(word, values)
  cursor.expect('(')
  const name = cursor.take()
  cursor.expect(',')
  const fallback = given(cursor.take(), values)
  cursor.expect(')')
  return item[name] ?? fallback
}

function given(word: string, values: Item): AttributeValue {
  const value = values[word]
  if (!value) throw new Error(`No value for ${word}`)
  return value
}
