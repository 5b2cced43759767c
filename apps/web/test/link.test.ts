import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mainField, readLink, writeLink } from '../src/link.ts'
import type { ActionModel, FieldModel, ToolModel } from '../src/page.ts'

const fields: readonly FieldModel[] = [
  { name: 'input_text', type: 'textarea', kind: 'bytes', label: 'Text', format: 'UTF-8', formats: ['UTF-8', 'Hex'] },
  { name: 'key', type: 'text', kind: 'bytes', label: 'Key', secret: true, format: 'Hex', formats: ['UTF-8', 'Hex'] },
  { name: 'mode', type: 'select', kind: 'choice', label: 'Mode', options: ['GCM', 'CBC'], default: 'GCM' },
  { name: 'file', type: 'file', kind: 'file', label: 'File' },
]
const domain: readonly FieldModel[] = [
  { name: 'selector', type: 'text', kind: 'text', label: 'Selector', optional: true },
  { name: 'domain', type: 'text', kind: 'domain', label: 'Domain' },
]
const action = (own: readonly FieldModel[]) => ({ fields: own }) as ActionModel
const tool = (runs: 'anywhere' | 'server') => ({ runs }) as ToolModel
const typed = { input_text: 'attack at dawn', input_format: 'Hex', key: '00', mode: 'CBC', file: 'x' }

test('[OPEN-072] ?q= fills the field that is looked up', () => {
  assert.deepEqual(readLink(domain, '?q=example.com', ''), { domain: 'example.com' })
  assert.equal(mainField(fields)?.name, 'input_text')
})

test('secrets and files are neither written into an address nor read from one', () => {
  assert.deepEqual(readLink(fields, '?key=00&file=x&mode=CBC', '#key=11&key_format=Hex'), { mode: 'CBC' })
  assert.doesNotMatch(writeLink(tool('anywhere'), action(fields), typed, true), /key|file/)
})

test('what was typed into a tool of the browser stays out of the query, which would be sent', () => {
  assert.equal(writeLink(tool('anywhere'), action(fields), typed, false), '?input_format=Hex&mode=CBC')
  assert.equal(
    writeLink(tool('anywhere'), action(fields), typed, true),
    '?input_format=Hex&mode=CBC#input_text=attack+at+dawn',
  )
})

test('a lookup writes what it looks up, and defaults and long values are left out', () => {
  const values = { domain: 'example.com', selector: 'x'.repeat(2001) }
  assert.equal(writeLink(tool('server'), action(domain), values, false), '?domain=example.com')
  assert.equal(writeLink(tool('anywhere'), action(fields), { ...typed, mode: 'GCM', input_format: 'UTF-8' }, false), '')
})

test('an address that was written is read back', () => {
  const link = new URL(writeLink(tool('anywhere'), action(fields), typed, true), 'http://localhost/')
  const { key: _, file: __, ...shareable } = typed
  assert.deepEqual(readLink(fields, link.search, link.hash), shareable)
})
