import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as valibot from 'valibot'
import * as zod from 'zod'
import * as mini from 'zod/mini'
import { classify } from '../../../src/errors/classify.ts'
import { describeError } from '../../../src/errors/describe.ts'

const wrong = { order: { lines: [{ amount: 'three' }] } }
const shapes = {
  zod: () => zod.object({ order: zod.object({ lines: zod.array(zod.object({ amount: zod.number() })) }) }).parse(wrong),
  'zod/mini': () =>
    mini.object({ order: mini.object({ lines: mini.array(mini.object({ amount: mini.number() })) }) }).parse(wrong),
  valibot: () =>
    valibot.parse(
      valibot.object({ order: valibot.object({ lines: valibot.array(valibot.object({ amount: valibot.number() })) }) }),
      wrong,
    ),
}

for (const [name, parse] of Object.entries(shapes)) {
  test(`${name}: a misfit is permanent, each issue with its path`, () => {
    try {
      parse()
      assert.fail('nothing was thrown')
    } catch (error) {
      assert.equal(classify(error).verdict, 'permanent')
      assert.deepEqual(
        describeError(error).issues?.map(({ path }) => path),
        ['order.lines.0.amount'],
      )
    }
  })
}

test('zod: what an async refinement throws comes out as itself', async () => {
  const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
  const schema = zod.string().refine(async () => {
    throw refused
  })
  await assert.rejects(schema.parseAsync('x'), (error) => classify(error).verdict === 'retryable')
})
