import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assayCommand, curlCommand } from '../src/commands.ts'
import type { ActionModel, FieldModel, ToolModel } from '../src/page.ts'

const fields: readonly FieldModel[] = [
  { name: 'input_text', type: 'textarea', kind: 'bytes', label: 'Text', format: 'UTF-8', formats: ['UTF-8', 'Hex'] },
  { name: 'privateKey', type: 'textarea', kind: 'text', label: 'Private key', secret: true },
  { name: 'mode', type: 'select', kind: 'choice', label: 'Mode', options: ['GCM', 'CBC'], default: 'GCM' },
]
const action = { name: 'encrypt', path: 'aes/encrypt', fields } as unknown as ActionModel
const tool = { lookups: [] as readonly string[], runs: 'anywhere' } as ToolModel
const values = { input_text: "it's", input_format: 'Hex', privateKey: 'hidden', mode: 'GCM' }

test('curl: what was typed is quoted, defaults are left out, secrets are left to fill in', () => {
  const command = curlCommand(tool, action, values, 'http://localhost')
  assert.equal(
    command,
    `curl http://localhost/api/aes/encrypt/ \\\n  -H 'Content-Type: application/json' \\\n  -d '{"input_text":"it'\\''s","input_format":"Hex","privateKey":"<privateKey>"}'`,
  )
})

test('curl: a lookup is the longest of its addresses that can be filled', () => {
  const lookup = { ...tool, lookups: ['records/{domain}', 'records/{domain}/{type}'] }
  const own = { path: 'records', fields: [] } as unknown as ActionModel
  assert.equal(curlCommand(lookup, own, { domain: 'a.b', type: 'MX' }, ''), 'curl /api/records/a.b/MX/')
  assert.equal(curlCommand(lookup, own, { domain: 'a b', type: '' }, ''), 'curl /api/records/a%20b/')
})

test('assay: the first field without its name, options in kebab case, secrets from a file', () => {
  assert.equal(
    assayCommand(action, values),
    `assay aes encrypt 'it'\\''s' --input-format=Hex --private-key=@privateKey.txt`,
  )
  assert.equal(
    assayCommand(action, { input_text: '-x', mode: 'CBC' }),
    'assay aes encrypt --input-text=-x --mode=CBC'.replace('=-x', "='-x'"),
  )
  assert.equal(assayCommand(action, { input_text: '@x' }), 'assay aes encrypt --input-text=@@x')
})
