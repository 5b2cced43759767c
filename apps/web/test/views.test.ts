import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { test } from 'node:test'
import { catalogue } from '@assay/catalogue/catalogue'
import { findTopics } from '../bundle.ts'

const views = new URL('../src/views/', import.meta.url)

test('every view belongs to a tool, by the same path', async () => {
  const topics = await findTopics()
  const known = new Set(catalogue.map(({ id }) => `${topics.get(id)?.folder}/${id}.tsx`))
  for (const view of globSync('*/*.tsx', { cwd: views })) assert.ok(known.has(view), `${view} has no tool`)
})
