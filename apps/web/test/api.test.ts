import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callOf } from '../src/api.ts'
import type { ActionModel, FieldModel, ToolModel } from '../src/page.ts'

const fields: readonly FieldModel[] = [
  { name: 'domain', type: 'text', kind: 'domain', label: 'Domain' },
  { name: 'type', type: 'select', kind: 'choice', label: 'Type', options: ['all', 'mx'], default: 'all' },
  { name: 'depth', type: 'number', kind: 'number', label: 'Depth', default: 3 },
]
const action = { name: '', path: 'records', fields } as unknown as ActionModel
const tool = { id: 'records', lookups: ['records/{domain}', 'records/{domain}/{type}'] } as unknown as ToolModel
const pathOf = (raw: Record<string, string>) => callOf(tool, action, raw).path

test('[API-002] a lookup is a GET of the address that says most, presets left out', () => {
  assert.equal(pathOf({ domain: 'a.test', type: 'mx' }), '/api/records/a.test/mx/')
  assert.equal(pathOf({ domain: 'a.test', type: 'all' }), '/api/records/a.test/')
  assert.equal(pathOf({ domain: ' a.test ', type: '' }), '/api/records/a.test/')
  assert.equal(pathOf({ domain: 'a.test', type: 'mx', depth: '4' }), '/api/records/a.test/mx/?depth=4')
  assert.equal(pathOf({ domain: 'a/b?c' }), '/api/records/a%2Fb%3Fc/')
})

test('[CTL-089] what cannot be filled in is posted', () => {
  assert.deepEqual(callOf(tool, action, { type: 'mx' }), {
    method: 'POST',
    tool: 'records',
    path: '/api/records/',
    body: { type: 'mx' },
  })
})
