import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { CONSUMER, START_LIMIT, type Weight, WHOLE_LIMIT, weigh } from './measure.ts'

describe('a bundled consumer', () => {
  let weight: Weight
  before(async () => {
    weight = await weigh(CONSUMER)
  })

  it('needs little at a cold start', () => assert.ok(weight.start <= START_LIMIT, `${weight.start} bytes at start`))
  it('is small as a whole', () => assert.ok(weight.whole <= WHOLE_LIMIT, `${weight.whole} bytes in one file`))

  it('needs neither rules nor SQS nor a store before the first failure', () => {
    const early = weight.parts.filter(({ name, start }) => start > 0 && /tables|aws/.test(name))
    assert.deepEqual(early, [])
  })

  it('carries nothing of the rooms around the core', () => {
    const others = weight.files.filter(
      (path) => !/^(orders\.ts$|node_modules\/@middy\/core\/|src\/([^/]+\.ts$|(errors|flow|aws)\/))/.test(path),
    )
    assert.deepEqual(others, [])
  })

  it('loads the SDK when first needed, and nothing else from outside', () => {
    const outside = weight.outside.map(({ path, lazy }) => `${path}${lazy ? '' : ', at once'}`)
    assert.deepEqual([...new Set(outside)].sort(), ['@aws-sdk/client-dynamodb', '@aws-sdk/client-sqs'])
  })

  it('leaves out what it does not name', async () => {
    const unused = ['src/memory-store.ts', 'src/errors/errors.ts']
    assert.deepEqual(
      weight.files.filter((path) => unused.includes(path)),
      [],
    )
    const named = `import { consumer, memoryStore } from 'redrive'\nexport const handler = consumer({ store: memoryStore() }, () => {})\n`
    assert.ok((await weigh(named)).files.includes('src/memory-store.ts'))
  })

  it('is nothing at all where only types are imported', async () => {
    const { whole } = await weigh("import 'redrive'\nexport type { Message } from 'redrive'\n")
    assert.equal(whole, 0)
  })
})
