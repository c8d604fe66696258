import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { bench, provider } from './world.ts'

after(() => provider.stop())

const movements = (account: string, count: number) =>
  Array.from({ length: count }, (_, position) => ({
    messageId: `${account}-message-${position}`,
    groupId: account,
    body: { id: `${account}-${position}`, account, cents: 100 + position },
  }))

const posted = (account: string) =>
  provider.books.postings.filter((one) => one.account === account).map(({ movement }) => movement)

test('behind a movement that fails its whole group stays, and is posted in order the next time', async () => {
  const group = movements('A1', 5)
  provider.faults.add('A1-1', [{ is: 'answer', status: 503 }])
  const { invoke, hidden } = bench('ledger')
  assert.deepEqual(await invoke(group), [1, 2, 3, 4])
  assert.deepEqual(posted('A1'), ['A1-0'])
  assert.deepEqual(hidden(), [2, 2, 2, 2])
  assert.deepEqual(await invoke(group.slice(1).map((message) => ({ ...message, receiveCount: 2 }))), [])
  assert.deepEqual(posted('A1'), ['A1-0', 'A1-1', 'A1-2', 'A1-3', 'A1-4'])
})

test('one group that fails holds no other', async () => {
  const [failing, fine] = [movements('A2', 2), movements('A3', 2)]
  provider.faults.add('A2-0', [{ is: 'lost-answer' }])
  const { invoke } = bench('ledger')
  assert.deepEqual(await invoke([failing[0]!, fine[0]!, failing[1]!, fine[1]!]), [0, 2])
  assert.deepEqual(posted('A3'), ['A3-0', 'A3-1'])
  assert.deepEqual(await invoke(failing.map((message) => ({ ...message, receiveCount: 2 }))), [])
  assert.deepEqual(posted('A2'), ['A2-0', 'A2-1'])
})

test('a movement that can never be posted goes to the dead-letter queue, and its group goes on', async () => {
  const group = movements('A4', 3)
  const broken = [group[0]!, { ...group[1]!, body: { id: 'A4-1', account: 'A4', cents: '1,50' } }, group[2]!]
  const { invoke, letters } = bench('ledger')
  assert.deepEqual(await invoke(broken), [])
  assert.deepEqual(posted('A4'), ['A4-0', 'A4-2'])
  const { evidence } = letters()[0]!
  assert.deepEqual([evidence.groupId, evidence.rule, evidence.error?.issues?.[0]?.path], ['A4', 'message.schema', 'cents'])
})
