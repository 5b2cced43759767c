import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultPanels, title } from './panel.ts'

test('scalars become facts, lists of records tables, lists of scalars lists, the rest JSON', () => {
  const panels = defaultPanels({
    hash: 'ab',
    keySize: 2048,
    gone: undefined,
    ports: [1, 2],
    rows: [{ a: 1 }, { b: null }],
    deep: { x: {} },
  })
  assert.deepEqual(
    panels.map(({ kind }) => kind),
    ['facts', 'list', 'table', 'code'],
  )
  assert.deepEqual(panels[0], {
    kind: 'facts',
    facts: [
      ['Hash', { text: 'ab', mono: true }],
      ['Key size', { text: '2048', mono: true }],
    ],
  })
  assert.deepEqual(panels[2], {
    kind: 'table',
    columns: ['A', 'B'],
    rows: [
      [
        { text: '1', mono: true },
        { text: '', mono: true },
      ],
      [
        { text: '', mono: true },
        { text: '', mono: true },
      ],
    ],
    title: 'Rows',
  })
})

test('field names read as labels', () => {
  assert.equal(title('input_format'), 'Input format')
  assert.equal(title('privateKey'), 'Private key')
})
