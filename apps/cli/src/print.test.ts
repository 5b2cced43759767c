import assert from 'node:assert/strict'
import { test } from 'node:test'
import { badge, panel } from '@assay/kit'
import { firstFile, hasFailure, printPanels } from './print.ts'

const screen = { columns: 40, colour: false }
const print = (...panels: Parameters<typeof printPanels>[0]) => printPanels(panels, screen)

test('facts, tiles and tables stand in columns', () => {
  assert.equal(
    print(
      panel.facts([
        ['Hash', 'ab'],
        ['Input length', 3],
      ]),
    ),
    'Hash          ab\nInput length  3',
  )
  assert.equal(print(panel.tiles({ label: 'Open', value: 2, detail: 'of 9' })), 'Open  2  of 9')
  assert.equal(
    print(
      panel.table(
        ['Port', 'State'],
        [
          [80, badge('open', 'good')],
          [443, 'closed'],
        ],
        { title: 'Ports' },
      ),
    ),
    'Ports\n  Port  State\n  80    [open]\n  443   closed',
  )
})

test('a table that is too wide becomes a block for each row', () => {
  const text = print(
    panel.table(
      ['Name', 'Value'],
      [
        ['a', 'x'.repeat(50)],
        ['b', 'y'],
      ],
    ),
  )
  assert.equal(text, `Name   a\nValue  ${'x'.repeat(50)}\n\nName   b\nValue  y`)
})

test('an empty table says so', () => {
  assert.equal(print(panel.table(['A'], [], { empty: 'No records found.' })), 'No records found.')
})

test('checks carry their verdict as a word, their clause and their detail', () => {
  const text = print(
    panel.checks([
      { name: 'Signed', verdict: 'pass' },
      { name: 'Aligned', verdict: 'fail', detail: 'It is not.', clause: 'RFC 9989 §4.7' },
      { name: 'Seen', verdict: 'unknown' },
    ]),
  )
  assert.equal(text, 'pass  Signed\nFAIL  Aligned  (RFC 9989 §4.7)\n      It is not.\n?     Seen')
})

test('sections are indented, steps numbered, banners carry their badge', () => {
  assert.equal(
    print(panel.section('ns1.example.com', [panel.note('warn', 'Slow.')], { badge: badge('UDP', 'info') })),
    'ns1.example.com  [UDP]\n  Slow.',
  )
  assert.equal(
    print(panel.steps([{ title: 'Pad', detail: 'to 16 bytes', code: '00 01' }])),
    '1. Pad  to 16 bytes\n  00 01',
  )
  assert.equal(print(panel.banner('good', 'example.com', { badge: 'SIGNED' })), 'example.com  [SIGNED]')
})

test('H9: no panel lets a control character through', () => {
  const evil = 'a\u001b]0;x\u0007\u202e'
  const text = print(
    panel.banner('bad', evil, { badge: evil, detail: evil }),
    panel.facts([[evil, evil]], evil),
    panel.table([evil], [[evil]], { title: evil }),
    panel.table([evil], [], { empty: evil }),
    panel.list([{ text: evil, detail: evil, badges: [badge(evil, 'bad')] }], { title: evil }),
    panel.checks([{ name: evil, verdict: 'fail', detail: evil, clause: evil }], evil),
    panel.code(evil, { title: evil }),
    panel.note('bad', evil, evil),
    panel.section(evil, [panel.steps([{ title: evil, detail: evil, code: evil }], evil)], { detail: evil }),
    panel.image({ source: '', alt: evil, name: evil }),
    panel.file({ name: evil, mediaType: evil, base64: '' }),
  )
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  assert.doesNotMatch(text, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
})

test('a failed check anywhere counts', () => {
  const failed = panel.checks([{ name: 'a', verdict: 'fail' }])
  assert.equal(hasFailure([panel.section('s', [failed])]), true)
  assert.equal(hasFailure([panel.banner('bad', 'x')]), true)
  assert.equal(hasFailure([panel.checks([{ name: 'a', verdict: 'warn' }]), panel.code('x')]), false)
})

test('pictures and files come out as bytes', () => {
  const bytes = (source: string) =>
    Buffer.from(firstFile([panel.image({ source, alt: '', name: '' })]) ?? '').toString()
  assert.equal(bytes('data:image/png;base64,aGk='), 'hi')
  assert.equal(bytes('data:image/svg+xml;charset=utf-8,%3Csvg%2F%3E'), '<svg/>')
  assert.equal(bytes('<svg/>'), '<svg/>')
  assert.equal(firstFile([panel.code('x')]), undefined)
  const file = panel.file({ name: 'a', mediaType: 'b', base64: 'aGk=' })
  assert.equal(Buffer.from(firstFile([panel.section('s', [file])]) ?? '').toString(), 'hi')
})
