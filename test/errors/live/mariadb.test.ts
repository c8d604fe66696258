import assert from 'node:assert/strict'
import { test } from 'node:test'
import { installed, missing, saidOf } from './optional.ts'

interface Connection {
  query(sql: string): Promise<readonly [readonly Record<string, unknown>[]]>
  end(): Promise<void>
  destroy(): void
  on(event: 'error', listener: () => void): void
}
interface Mysql {
  createConnection(options: string | object): Promise<Connection>
}

const url = process.env['REDRIVE_TEST_MARIADB']
const mysql = await installed<Mysql>('mysql2/promise')
const skip = missing({ 'REDRIVE_TEST_MARIADB (the URL of a MariaDB or MySQL server)': url, 'the package mysql2': mysql })

async function connected(): Promise<Connection> {
  const connection = await mysql!.createConnection(url!)
  connection.on('error', () => {})
  return connection
}

async function verdictOf(run: (connection: Connection, other: Connection) => unknown): Promise<string> {
  const [connection, other] = await Promise.all([connected(), connected()])
  try {
    await connection.query(
      'create temporary table orders (id int primary key, email varchar(5) not null, age int check (age > 0))',
    )
    await connection.query("insert into orders values (1, 'a', 1)")
    return (await saidOf(() => run(connection, other))).verdict
  } finally {
    connection.destroy()
    other.destroy()
  }
}

test('MariaDB: data that does not fit, and wrong statements: permanent', { skip }, async () => {
  for (const statement of [
    "insert into orders values (1, 'again', 1)",
    'insert into orders values (2, null, 1)',
    "insert into orders values (2, 'too long', 1)",
    "insert into orders values (2, 'b', -1)",
    'selec 1',
    'select nothing from orders',
  ]) {
    assert.deepEqual([statement, await verdictOf((connection) => connection.query(statement))], [statement, 'permanent'])
  }
})

test('MariaDB: a deadlock, a timeout and a killed connection: retryable', { skip }, async () => {
  const raised = "signal sqlstate '40001' set mysql_errno = 1213, message_text = 'Deadlock found'"
  assert.equal(await verdictOf((connection) => connection.query(raised)), 'retryable')
  const late = 'set statement max_statement_time = 0.02 for select sleep(5) from seq_1_to_3'
  const tooLate = async (connection: Connection) => {
    await connection.query(late)
    throw new Error('the statement ended early')
  }
  assert.equal(await verdictOf(tooLate), 'retryable')
  const killed = async (connection: Connection, other: Connection) => {
    const id = (await connection.query('select connection_id() as id'))[0][0]?.['id']
    await Promise.all([connection.query('select sleep(5)'), other.query(`kill ${Number(id)}`)])
  }
  assert.equal(await verdictOf(killed), 'retryable')
})

test('MariaDB: a missing database or wrong password hits all messages: unknown', { skip }, async () => {
  const broken = [new URL(url!), new URL(url!)] as const
  broken[0].pathname = '/nothing_of_that_name'
  broken[1].password = 'wrong'
  for (const { href } of broken) {
    const { verdict, told } = await saidOf(() => mysql!.createConnection(href))
    assert.equal(verdict, 'unknown', told)
  }
})

test('mysql2: a closed connection: retryable', { skip }, async () => {
  const connection = await connected()
  await connection.end()
  assert.equal((await saidOf(() => connection.query('select 1'))).verdict, 'retryable')
})
