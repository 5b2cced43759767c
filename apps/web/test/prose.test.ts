import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseInline, parseProse } from '../src/prose.ts'

test('paragraphs, headings and lists are told apart, with and without empty lines between them', () => {
  const blocks = parseProse('One\nstill one.\n\n## When\n\n- a\n- b\n\n1. first\n2. second\n\nLast')
  assert.deepEqual(
    blocks.map(({ kind }) => kind),
    ['paragraph', 'heading', 'list', 'list', 'paragraph'],
  )
  assert.deepEqual(blocks[0], { kind: 'paragraph', text: ['One still one.'] })
  assert.deepEqual(blocks[2], { kind: 'list', ordered: false, items: [['a'], ['b']] })
  assert.equal(blocks[3]?.kind === 'list' && blocks[3].ordered, true)
})

test('code, emphasis, strong and links are read within a line', () => {
  assert.deepEqual(parseInline('a `b*c*` *d* **e** [f](https://example.com/x)'), [
    'a ',
    { kind: 'code', text: 'b*c*' },
    ' ',
    { kind: 'emphasis', text: 'd' },
    ' ',
    { kind: 'strong', text: 'e' },
    ' ',
    { kind: 'link', text: 'f', href: 'https://example.com/x' },
  ])
})

test('what is not markup stays text', () => {
  for (const text of ['2 * 3 * 4', 'a_b_c', '<b>x</b>', '[x]', 'an * alone'])
    assert.deepEqual(parseInline(text), [text])
})

test('only https, mail and paths of the site become links', () => {
  for (const href of ['javascript:alert(1)', 'http://example.com', '//example.com', 'data:text/html,x']) {
    assert.deepEqual(
      parseInline(`[x](${href})`).filter(piece => typeof piece !== 'string'),
      [],
      href,
    )
  }
  for (const href of ['https://example.com', '/tools/', 'mailto:a@example.com']) {
    assert.equal(parseInline(`[x](${href})`).length, 1, href)
  }
})
