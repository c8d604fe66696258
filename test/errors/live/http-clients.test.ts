import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { classify } from '../../../src/errors/classify.ts'
import { httpClients } from './http-clients.ts'
import { misbehavingServer, refusingUrl } from './misbehaving-server.ts'
import { saidOf } from './optional.ts'

const server = await misbehavingServer()
const nobody = await refusingUrl()
const { clients, absent } = await httpClients()
after(() => server.close())

const statuses = {
  retryable: [408, 423, 425, 429, 500, 502, 503, 504],
  unknown: [401, 403, 409],
  permanent: [400, 404, 410, 413, 422, 501],
} as const

test('clients that are not installed', { skip: absent.length > 0 && `not here: ${absent.join(', ')}` }, () => {})

for (const { name, send, statusThrows } of clients) {
  const verdictOf = async (url: string, request = {}) => (await saidOf(() => send(url, request))).verdict

  test(`${name}: nobody listens, or the connection breaks: retryable`, async () => {
    for (const url of [nobody, `${server.url}/hangup`, `${server.url}/reset`, `${server.url}/truncated`]) {
      const { verdict, told } = await saidOf(() => send(url, {}))
      assert.equal(verdict, 'retryable', `${url} ${told}`)
    }
  })

  test(`${name}: no answer in time, or our own deadline: retryable`, async () => {
    assert.equal(await verdictOf(`${server.url}/hang`, { timeoutMs: 50 }), 'retryable')
    assert.equal(await verdictOf(`${server.url}/hang`, { signal: AbortSignal.timeout(50) }), 'retryable')
  })

  test(`${name}: no URL: permanent`, async () => {
    assert.equal(await verdictOf('not a url'), 'permanent')
  })

  test(`${name}: a web page where JSON was expected: unknown`, async (t) => {
    if (name === 'axios' || name === 'ofetch') return t.skip(`${name} gives the text instead`)
    assert.equal(await verdictOf(`${server.url}/page`), 'unknown')
  })

  if (!statusThrows) continue

  test(`${name}: each status has its verdict`, async () => {
    for (const [right, group] of Object.entries(statuses)) {
      for (const status of group) assert.deepEqual([status, await verdictOf(`${server.url}/status/${status}`)], [status, right])
    }
  })

  test(`${name}: Retry-After is read, in seconds and as a date`, async () => {
    for (const value of ['17', new Date(1_900_000_017_000).toUTCString()]) {
      const error = await send(`${server.url}/status/429?retry-after=${encodeURIComponent(value)}`, {}).catch((thrown) => thrown)
      assert.equal(classify(error, { now: 1_900_000_000_000 }).retryAfter, 17)
    }
  })
}
