import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { reference } from '../../src/stack/doctor/reference.ts'

const page = new URL('../../docs/doctor.md', import.meta.url)

test('docs/doctor.md lists the rules as they are (REDRIVE_WRITE_DOCS=1 writes it anew)', () => {
  if (process.env['REDRIVE_WRITE_DOCS'] === '1') writeFileSync(page, reference())
  assert.equal(readFileSync(page, 'utf8'), reference())
})
