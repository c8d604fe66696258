/**
 * CloudWatch's metric math, as far as our alarms use it:
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html
 */

/** A value each period, the oldest first; `undefined`: no data. */
export type Series = readonly (number | undefined)[]

/** What `FILL` makes of a series without any data. AWS does not say: what must hold, must hold for both. */
export type FillOfNothing = 'fills' | 'stays empty'

/** What an expression may refer to. */
export interface Scope {
  readonly series: Readonly<Record<string, Series>>
  readonly periods: number
  readonly period: number
  readonly fillOfNothing: FillOfNothing
}

type Parsed = (scope: Scope) => Series

const OPERATORS: readonly Readonly<Record<string, (left: number, right: number) => number>>[] = [
  { OR: (left, right) => Number(left !== 0 || right !== 0) },
  { AND: (left, right) => Number(left !== 0 && right !== 0) },
  {
    '==': (left, right) => Number(left === right),
    '!=': (left, right) => Number(left !== right),
    '>=': (left, right) => Number(left >= right),
    '<=': (left, right) => Number(left <= right),
    '>': (left, right) => Number(left > right),
    '<': (left, right) => Number(left < right),
  },
  { '+': (left, right) => left + right, '-': (left, right) => left - right },
  { '*': (left, right) => left * right, '/': (left, right) => left / right },
]

/** The series that an expression stands for. Throws for what it doesn't know. */
export function evaluate(expression: string, scope: Scope): Series {
  const tokens = expression.match(/[A-Za-z_]\w*|\d+(?:\.\d+)?|[=!<>]=|[-+*/<>(),]|\S/g) ?? []
  const [parsed, rest] = parse(tokens, 0)
  if (rest.length > 0) throw new Error(`not understood: ${rest.join(' ')}`)
  return parsed(scope)
}

function parse(tokens: readonly string[], level: number): [Parsed, readonly string[]] {
  const operators = OPERATORS[level]
  if (operators === undefined) return operand(tokens)
  let [left, rest] = parse(tokens, level + 1)
  for (;;) {
    const [token = '', ...behind] = rest
    const operator = Object.hasOwn(operators, token) ? operators[token] : undefined
    if (operator === undefined) return [left, rest]
    const [right, after] = parse(behind, level + 1)
    const before = left
    left = (scope) => combine([before(scope), right(scope)], ([one = 0, other = 0]) => operator(one, other))
    rest = after
  }
}

function operand([token = '', ...rest]: readonly string[]): [Parsed, readonly string[]] {
  if (token === '(') {
    const [inner, [closing, ...after]] = parse(rest, 0)
    if (closing !== ')') throw new Error('a parenthesis is not closed')
    return [inner, after]
  }
  if (/^\d/.test(token)) return [({ periods }) => Array(periods).fill(Number(token)), rest]
  if (!/^\w/.test(token)) throw new Error(`not understood: ${token}`)
  if (rest[0] === '(') return called(token, rest.slice(1))
  return [({ series }) => series[token] ?? unknown(token), rest]
}

function unknown(name: string): never {
  throw new Error(`there is no metric ${name}`)
}

function called(name: string, tokens: readonly string[]): [Parsed, readonly string[]] {
  const functions: Readonly<Record<string, (args: readonly Series[], scope: Scope) => Series>> = { IF, FILL, DIFF, RATE }
  const call = functions[name] ?? unknown(`${name}()`)
  const args: Parsed[] = []
  let rest = tokens
  for (;;) {
    const [argument, [separator, ...after]] = parse(rest, 0)
    args.push(argument)
    rest = after
    if (separator === ')')
      return [
        (scope) =>
          call(
            args.map((each) => each(scope)),
            scope,
          ),
        rest,
      ]
    if (separator !== ',') throw new Error(`${name} is not closed`)
  }
}

/** Where one side has no data, the result has none. */
function combine(sides: readonly Series[], of: (values: readonly number[]) => number): Series {
  return (sides[0] ?? []).map((_, index) => {
    const values = sides.map((side) => side[index])
    return values.every((value) => value !== undefined) ? of(values) : undefined
  })
}

const IF = (args: readonly Series[]): Series => combine(args, ([condition, yes = 0, no = 0]) => (condition === 0 ? no : yes))

const FILL = ([series = [], value = []]: readonly Series[], { fillOfNothing }: Scope): Series => {
  const isEmpty = series.every((point) => point === undefined)
  if (isEmpty && fillOfNothing === 'stays empty') return series
  return series.map((point, index) => point ?? value[index])
}

/** Against the value before, however long ago that was; the first has none. */
const DIFF = ([series = []]: readonly Series[]): Series => changes(series, (change) => change)

const RATE = ([series = []]: readonly Series[], { period }: Scope): Series =>
  changes(series, (change, periods) => change / (periods * period))

function changes(series: Series, of: (change: number, periods: number) => number): Series {
  let last: { readonly value: number; readonly at: number } | undefined
  return series.map((value, at) => {
    if (value === undefined) return undefined
    const change = last && of(value - last.value, at - last.at)
    last = { value, at }
    return change
  })
}
