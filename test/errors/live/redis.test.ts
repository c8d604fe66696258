import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { refusingUrl } from './misbehaving-server.ts'
import { installed, missing, saidOf } from './optional.ts'

/** What both clients have in common here: a command by its words. */
interface Redis {
  send(...words: string[]): Promise<unknown>
  /** Several commands in one transaction. */
  together(...commands: string[][]): Promise<unknown>
  close(): void
}

interface IoRedis {
  call(name: string, ...words: string[]): Promise<unknown>
  multi(commands: string[][]): { exec(): Promise<unknown> }
  on(event: 'error', listener: () => void): void
  disconnect(): void
}
interface NodeRedis {
  connect(): Promise<void>
  sendCommand(words: string[]): Promise<unknown>
  multi(): NodeRedisMulti
  on(event: 'error', listener: () => void): void
  destroy(): void
}
interface NodeRedisMulti {
  addCommand(words: string[]): NodeRedisMulti
  exec(): Promise<unknown>
}

const url = process.env['REDRIVE_TEST_REDIS']
const ioredis = await installed<{ default: new (url: string, options: object) => IoRedis }>('ioredis')
const nodeRedis = await installed<{ createClient(options: object): NodeRedis }>('redis')

async function withIoredis(address: string): Promise<Redis> {
  const client = new ioredis!.default(address, { maxRetriesPerRequest: 0, retryStrategy: () => null })
  client.on('error', () => {})
  return {
    send: (name = '', ...words) => client.call(name, ...words),
    together: (...commands) => client.multi(commands).exec(),
    close: () => client.disconnect(),
  }
}

async function withNodeRedis(address: string): Promise<Redis> {
  const client = nodeRedis!.createClient({ url: address, socket: { reconnectStrategy: false } })
  client.on('error', () => {})
  await client.connect()
  return {
    send: (...words) => client.sendCommand(words),
    together: (...commands) => commands.reduce<NodeRedisMulti>((multi, words) => multi.addCommand(words), client.multi()).exec(),
    close: () => client.destroy(),
  }
}

const clients = { ioredis: [ioredis, withIoredis], redis: [nodeRedis, withNodeRedis] } as const

for (const [name, [there, connect]] of Object.entries(clients)) {
  const skip = missing({ 'REDRIVE_TEST_REDIS (the URL of a Redis server)': url, [`the package ${name}`]: there })
  const open: Redis[] = []
  after(() => {
    for (const client of open) client.close()
  })
  const connected = async (address = url!): Promise<Redis> => {
    const client = await connect(address)
    open.push(client)
    return client
  }

  test(`${name}: a wrong type, value or command: permanent`, { skip }, async () => {
    const client = await connected()
    await client.send('SET', 'redrive:text', 'abc')
    for (const words of [['LPUSH', 'redrive:text', '1'], ['INCR', 'redrive:text'], ['NOSUCHCOMMAND']]) {
      const { verdict, told } = await saidOf(() => client.send(...words))
      assert.equal(verdict, 'permanent', told)
    }
    await client.send('DEL', 'redrive:text')
  })

  test(`${name}: a script that is not loaded: retryable`, { skip }, async () => {
    const client = await connected()
    assert.equal((await saidOf(() => client.send('EVALSHA', 'a'.repeat(40), '0'))).verdict, 'retryable')
  })

  test(`${name}: wrong credentials hit all messages: unknown`, { skip }, async () => {
    const client = await connected()
    assert.equal((await saidOf(() => client.send('AUTH', 'nobody', 'wrong'))).verdict, 'unknown')
  })

  test(`${name}: nobody listens, or the client is closed: retryable`, { skip }, async () => {
    const nobody = (await refusingUrl()).replace('http:', 'redis:')
    assert.equal((await saidOf(async () => (await connected(nobody)).send('PING'))).verdict, 'retryable')
    const client = await connect(url!)
    await client.send('PING')
    client.close()
    assert.equal((await saidOf(() => client.send('PING'))).verdict, 'retryable')
  })

  test(`${name}: a transaction that was refused is judged by its errors`, { skip }, async () => {
    const client = await connected()
    const { verdict, told } = await saidOf(() => client.together(['SET', 'redrive:a', '1'], ['NOSUCHCOMMAND']))
    assert.equal(verdict, 'permanent', told)
  })
}
