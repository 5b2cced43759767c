import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSettings } from '../settings.ts'
import type { Inline } from '../src/prose.ts'
import { textPages } from '../text.ts'

const contact = 'someone@site.example'
const pages = new Map(
  textPages(readSettings({ ASSAY_CONTACT: contact, ASSAY_BRAND: 'Brandname' })).map(page => [page.head.path, page]),
)

const plain = (pieces: readonly Inline[]) =>
  pieces
    .map(piece =>
      typeof piece === 'string' ? piece : piece.kind === 'link' ? `${piece.text} ${piece.href}` : piece.text,
    )
    .join('')

function words(path: string): { headings: string[]; text: string } {
  const page = pages.get(path)
  assert.ok(page?.kind === 'text', `${path} is there`)
  const all = page.blocks.flatMap(block => (block.kind === 'list' ? block.items.map(plain) : [plain(block.text)]))
  const headings = page.blocks.flatMap(block => (block.kind === 'heading' ? [plain(block.text)] : []))
  return { headings, text: all.join('\n') }
}

test('[PAG-005] [PAG-006] [PAG-007] [PAG-008] [PAG-009] [PAG-010] [RTE-021] About Us: mission, what sets apart, users, contact', () => {
  const { headings, text } = words('/about-us/')
  assert.deepEqual(headings, ['Our mission', 'What sets us apart', 'Who uses it', 'Contact'])
  for (const fact of ['privacy-first', 'no paywalls for basics', 'New Delhi, India', 'remote-first', contact]) {
    assert.ok(text.includes(fact), fact)
  }
  for (const who of ['Developers', 'security analysts', 'penetration testers', 'IT staff', 'students']) {
    assert.ok(text.includes(who), who)
  }
})

test('[PAG-011] [PAG-014] [PRV-001] [PRV-002] [PRV-003] [PRV-004] [PRV-005] [RTE-024] the Privacy Policy has ten sections and its facts', () => {
  const { headings, text } = words('/privacy-policy/')
  assert.deepEqual(
    headings.map(heading => Number.parseInt(heading, 10)),
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  )
  for (const fact of ['July 1, 2025', 'kept for 30 days', 'under 13', 'within 24 hours', 'API keys', contact]) {
    assert.ok(text.includes(fact), fact)
  }
})

test('[PAG-012] [PAG-015] [PAG-016] [RTE-023] the Terms have nine sections and link to /privacy', () => {
  const { headings, text } = words('/terms-of-services/')
  assert.deepEqual(
    headings.map(heading => Number.parseInt(heading, 10)),
    [1, 2, 3, 4, 5, 6, 7, 8, 9],
  )
  assert.ok(text.includes('July 1, 2025'))
  assert.ok(text.includes('Privacy Policy /privacy'))
})

test('[PAG-013] [PAG-017] [PAG-018] [PAG-019] [PAG-020] [PAG-021] [PAG-022] [RTE-025] the Disclaimer says its six things', () => {
  const { headings, text } = words('/disclaimer/')
  assert.equal(headings.length, 6)
  for (const fact of [
    'educational and lawful use only',
    'may be inaccurate',
    'legal or security advice',
    'liability',
    'do not vouch for third-party services',
    'may change without notice',
  ]) {
    assert.ok(text.includes(fact), fact)
  }
})

test('[OPEN-023] [OPEN-027] no placeholder is left, the settings stand in their places', () => {
  for (const [path, page] of pages) {
    assert.doesNotMatch(JSON.stringify(page), /\{(?:brand|contact|email|host|token)\}/, path)
    assert.match(page.head.title, /\| Brandname$/)
  }
})
