/** Things that a handler may throw, or a library that it calls, at which careless code fails. Each time anew. */
import { runInNewContext } from 'node:vm'

const trap = (): never => {
  throw new Error('trap')
}

const withGetter = (field: string): Error => Object.defineProperty(new Error('getter'), field, { get: trap })

const chain = (length: number, last: unknown): unknown => {
  let error = last
  for (let i = 0; i < length; i++) error = new Error(`wrapper ${i}`, { cause: error })
  return error
}

const cycle = (): unknown => {
  const [one, other] = [new Error('one'), new Error('other', { cause: undefined })]
  return Object.assign(one, { cause: Object.assign(other, { cause: one, errors: [one, other] }) })
}

const nested = (depth: number): unknown => {
  let error: unknown = new Error('innermost')
  for (let i = 0; i < depth; i++) error = new AggregateError([error, error, error, error])
  return error
}

export const hostileValues: Readonly<Record<string, () => unknown>> = {
  undefined: () => undefined,
  null: () => null,
  'a text': () => 'boom',
  'an empty text': () => '',
  'a number': () => 500,
  'not a number': () => Number.NaN,
  'a big integer': () => 10n ** 40n,
  'a symbol': () => Symbol('s'),
  'a function': () => function thrown(): void {},
  'a class': () => class Thrown {},
  'a promise': () => Promise.resolve(1),
  'a Date': () => new Date(0),
  'an empty array': () => [],
  'an array with holes': () => new Array(1000),
  'a Map': () => new Map([['code', 'ECONNRESET']]),
  'an object without a prototype': () => Object.assign(Object.create(null), { message: 'm' }),
  'a frozen error': () => Object.freeze(new Error('frozen')),
  'a sealed error': () => Object.seal(new Error('sealed')),
  'an error of another realm': () => runInNewContext('new Error("other realm")'),
  'a proxy that throws at everything': () =>
    new Proxy(
      {},
      { get: trap, has: trap, ownKeys: trap, getPrototypeOf: trap, getOwnPropertyDescriptor: trap, defineProperty: trap },
    ),
  'a function proxy that throws at everything': () => new Proxy(() => {}, { get: trap, apply: trap, getPrototypeOf: trap }),
  'a revoked proxy': () => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    return proxy
  },
  'a proxy that answers everything with itself': () => {
    const self: object = new Proxy(() => self, { get: () => self, apply: () => self })
    return self
  },
  'a cause that is a throwing proxy': () => new Error('x', { cause: new Proxy({}, { get: trap, getPrototypeOf: trap }) }),
  ...Object.fromEntries(
    ['name', 'message', 'code', 'cause', 'stack', 'errors', 'status', 'response', 'constructor', 'headers', 'toJSON'].map(
      (field) => [`a getter that throws: ${field}`, () => withGetter(field)],
    ),
  ),
  'fields of the wrong type': () =>
    Object.assign(new Error(), { name: 7, message: {}, code: {}, status: [], stack: 1, errors: 'no' }),
  'headers that throw': () => Object.assign(new Error('x'), { status: 503, headers: { get: trap } }),
  'labels that throw': () => Object.assign(new Error('x'), { hasErrorLabel: trap }),
  'a cycle': cycle,
  'its own cause': () => {
    const error = new Error('self')
    error.cause = error
    return error
  },
  '5000 causes': () => chain(5000, new Error('root')),
  'aggregates in aggregates': () => nested(12),
  '100,000 members': () => new AggregateError(Array.from({ length: 100_000 }, () => new Error('member'))),
  'a message of 5 MB': () => new Error('m'.repeat(5_000_000)),
  'a code of 5 MB': () => Object.assign(new Error('x'), { code: 'c'.repeat(5_000_000), name: 'n'.repeat(5_000_000) }),
  'a message made to be slow to match': () => new Error(`${'a '.repeat(40_000)}!`),
  'a toString that throws': () => ({ toString: trap, [Symbol.toPrimitive]: trap }),
  'a toJSON that throws': () => Object.assign(new Error('x'), { toJSON: trap }),
}
