import assert from 'node:assert/strict'
import { test } from 'node:test'
import { installed, missing, saidOf } from './optional.ts'

interface Client {
  connect(): Promise<void>
  query(sql: string, values?: readonly unknown[]): Promise<{ readonly rows: readonly Record<string, unknown>[] }>
  end(): Promise<void>
  on(event: 'error', listener: () => void): void
}
interface Pg {
  readonly default: { readonly Client: new (options: object) => Client; readonly Pool: new (options: object) => Client }
}

const url = process.env['REDRIVE_TEST_POSTGRES']
const pg = await installed<Pg>('pg')
const skip = missing({ 'REDRIVE_TEST_POSTGRES (the URL of a PostgreSQL server)': url, 'the package pg': pg })

async function connected(options: object = {}): Promise<Client> {
  const client = new pg!.default.Client({ connectionString: url, ...options })
  // A connection that breaks while nobody asks anything is not what these tests are about.
  client.on('error', () => {})
  await client.connect()
  return client
}

/** What is said of a statement that fails, in a schema of this test's own. */
async function verdictOf(run: (client: Client, other: Client) => unknown): Promise<string> {
  const [client, other] = await Promise.all([connected(), connected()])
  try {
    await client.query('create temp table orders (id int primary key, email text not null, age int check (age > 0))')
    await client.query("insert into orders values (1, 'a', 1)")
    return (await saidOf(() => run(client, other))).verdict
  } finally {
    await Promise.allSettled([client.end(), other.end()])
  }
}

test('PostgreSQL: data that does not fit, and wrong statements: permanent', { skip }, async () => {
  for (const statement of [
    "insert into orders values (1, 'again', 1)",
    'insert into orders values (2, null, 1)',
    "insert into orders values (2, 'b', -1)",
    "select 'abc'::int",
    'select 1/0',
    'selec 1',
    'select nothing from orders',
  ]) {
    assert.deepEqual([statement, await verdictOf((client) => client.query(statement))], [statement, 'permanent'])
  }
})

test('PostgreSQL: a deadlock, a lock, a timeout and a killed connection: retryable', { skip }, async () => {
  const raised = "do $$ begin raise exception 'x' using errcode = '40P01'; end $$"
  assert.equal(await verdictOf((client) => client.query(raised)), 'retryable')
  const late = async (client: Client) => {
    await client.query('set statement_timeout = 20')
    return client.query('select pg_sleep(5)')
  }
  assert.equal(await verdictOf(late), 'retryable')
  const killed = async (client: Client, other: Client) => {
    const pid = (await client.query('select pg_backend_pid() as pid')).rows[0]?.['pid']
    const asleep = client.query('select pg_sleep(5)')
    await Promise.all([asleep, other.query('select pg_terminate_backend($1)', [pid])])
  }
  assert.equal(await verdictOf(killed), 'retryable')
  const readOnly = (client: Client) => client.query('begin read only; create table anything (id int)')
  assert.equal(await verdictOf(readOnly), 'retryable')
})

test('PostgreSQL: a missing database or role hits all messages: unknown', { skip }, async () => {
  for (const options of [{ database: 'nothing_of_that_name' }, { user: 'nobody_of_that_name' }]) {
    const { hostname: host, port, pathname, username } = new URL(url!)
    const place = { connectionString: undefined, host, port: Number(port), database: pathname.slice(1), user: username }
    const { verdict, told } = await saidOf(() => connected({ ...place, ...options }))
    assert.equal(verdict, 'unknown', told)
  }
})

test('pg: a pool without a free connection, and a closed one: retryable', { skip }, async () => {
  const pool = new pg!.default.Pool({ connectionString: url, max: 1, connectionTimeoutMillis: 30 })
  const sleeping = pool.query('select pg_sleep(0.2)')
  assert.equal((await saidOf(() => pool.query('select 1'))).verdict, 'retryable')
  await sleeping
  await pool.end()
  assert.equal((await saidOf(() => pool.query('select 1'))).verdict, 'retryable')
})
