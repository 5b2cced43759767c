import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ORIGIN_DAYS, UNVERIFIED_DAYS } from '../../server/src/accounts/retention.ts'
import { defaultLimits } from '../../server/src/limits.ts'
import { MESSAGE_DAYS, USAGE_DAYS } from '../../server/src/retention.ts'
import { readSettings } from '../settings.ts'
import type { Inline } from '../src/prose.ts'
import { textPages } from '../text.ts'

const DAY_MS = 86_400_000
const contact = 'someone@site.example'
const pages = new Map(
  textPages({ ...readSettings({ ASSAY_BRAND: 'Brandname' }), contact }).map(page => [page.head.path, page]),
)

const plain = (pieces: readonly Inline[]) =>
  pieces
    .map(piece =>
      typeof piece === 'string' ? piece : piece.kind === 'link' ? `${piece.text} ${piece.href}` : piece.text,
    )
    .join('')

interface Words {
  headings: string[]
  /** What stands under each heading, and before the first under an empty one. */
  sections: Map<string, string>
}

function words(path: string): Words {
  const page = pages.get(path)
  assert.ok(page?.kind === 'text', `${path} is there`)
  const sections = new Map<string, string>()
  let heading = ''
  for (const block of page.blocks) {
    if (block.kind === 'heading') heading = plain(block.text)
    const lines = block.kind === 'list' ? block.items.map(plain) : block.kind === 'heading' ? [] : [plain(block.text)]
    sections.set(heading, [sections.get(heading), ...lines].filter(Boolean).join('\n'))
  }
  return { headings: [...sections.keys()].filter(Boolean), sections }
}

const about = ['Our mission', 'What sets us apart', 'Who uses it', 'Contact']
const disclaimer = ['Educational and lawful use', 'Accuracy', 'No advice', 'Liability', 'Third parties', 'Changes']
const numbered = (headings: readonly string[]) => headings.map(heading => Number.parseInt(heading, 10))

test('[RTE-021] [PAG-005] [PAG-006] [PAG-007] [PAG-008] About Us: mission, what sets apart, users, contact', () => {
  assert.deepEqual(words('/about-us/').headings, about)
})
test('[RTE-024] [PAG-011] [OPEN-081] the Privacy Policy has ten numbered sections', () => {
  assert.deepEqual(numbered(words('/privacy-policy/').headings), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
})
test('[RTE-023] [PAG-012] [OPEN-081] the Terms of Service have nine numbered sections', () => {
  assert.deepEqual(numbered(words('/terms-of-services/').headings), [1, 2, 3, 4, 5, 6, 7, 8, 9])
})
test('[RTE-025] [PAG-013] the Disclaimer has a section for each thing it says', () => {
  assert.deepEqual(words('/disclaimer/').headings, disclaimer)
})

for (const [ids, path, section, says] of [
  ['[PAG-005]', '/about-us/', 'Our mission', /every check on this site to be right/],
  ['[PAG-006] [PAG-009]', '/about-us/', 'What sets us apart', /It is privacy-first\./],
  ['[PAG-006] [PAG-010]', '/about-us/', 'What sets us apart', /no paywalls for basics/],
  [
    '[PAG-007] [BIZ-002]',
    '/about-us/',
    'Who uses it',
    /^Developers, security analysts, penetration testers, IT staff and students/,
  ],
  ['[PAG-008] [BIZ-012]', '/about-us/', 'Contact', /someone@site\.example mailto:someone@site\.example/],
  ['[PAG-008] [BIZ-011]', '/about-us/', 'Contact', /head office is in New Delhi, India, and we work remote-first/],
  ['[PAG-014] [PRV-005]', '/privacy-policy/', '', /^Effective July 1, 2025\.$/],
  ['[PAG-015] [PRV-005]', '/terms-of-services/', '', /^Effective July 1, 2025\.$/],
  ['[PAG-016]', '/terms-of-services/', '1. Agreement', /Privacy Policy \/privacy\./],
  ['[PRV-001]', '/privacy-policy/', '4. Usage logs', /^API usage logs .*\. They are kept for 30 days/],
  ['[PRV-002]', '/privacy-policy/', '9. Children', /not intended for users under 13/],
  ['[PRV-003]', '/privacy-policy/', '8. Messages', /answered typically within 24 hours/],
  ['[PRV-003]', '/contact-us/', '', /typically answer within 24 hours/],
  ['[PRV-004]', '/privacy-policy/', '7. API keys', /^Registered users may make API keys/],
  ['[PAG-017]', '/disclaimer/', 'Educational and lawful use', /for educational and lawful use only/],
  ['[PAG-018]', '/disclaimer/', 'Accuracy', /^Results may be inaccurate/],
  ['[PAG-019]', '/disclaimer/', 'No advice', /^Nothing on this site is legal or security advice\./],
  ['[PAG-020]', '/disclaimer/', 'Liability', /our liability .* is limited/],
  ['[PAG-021]', '/disclaimer/', 'Third parties', /do not vouch for third-party services/],
  ['[PAG-022]', '/disclaimer/', 'Changes', /^This text may change without notice/],
] as const) {
  test(`${ids} ${path} ${section}: ${says.source}`, () => {
    const text = words(path).sections.get(section)
    assert.match(text ?? '', says)
  })
}

test('[PRV-001] [PRV-004] the Privacy Policy gives the times after which the server really deletes, and says what is kept of accounts', () => {
  const section = (heading: string) => words('/privacy-policy/').sections.get(heading) ?? assert.fail(heading)
  const usage = section('4. Usage logs')
  assert.match(usage, new RegExp(`kept for ${USAGE_DAYS} days and then deleted`))
  assert.match(usage, /keyed hash in place of your address.* made anew each day and destroyed within 48 hours/)
  const accounts = section('6. Accounts')
  for (const says of [
    `An address that nobody verified is deleted after ${UNVERIFIED_DAYS} days\\.`,
    `it ends when you log out, or ${defaultLimits.sessionMs / DAY_MS} days after it was last used\\.`,
    `For ${ORIGIN_DAYS} days we also keep a number for each place`,
    'a hash of your password',
    'a coarse description such as Firefox on Linux',
    'on the server there are only hashes of them',
    'with Google or GitHub, that service learns',
    'to verify your address, to choose a new password, and to warn you',
    'profile page /user/profile/ lists your sign-ins and ends them, exports all that is kept about the account, and deletes it',
  ]) {
    assert.match(accounts, new RegExp(says))
  }
  assert.match(
    section('7. API keys'),
    /a hash of each key, its name, its last four characters, .* never the key itself/,
  )
  assert.match(section('8. Messages'), new RegExp(`deletes it after ${MESSAGE_DAYS} days`))
  assert.match(section('8. Messages'), /careers page \/careers\/ says next to its button whether/)
})

test('the Privacy Policy says which lookups leave from the browser and what the browser keeps', () => {
  const { sections } = words('/privacy-policy/')
  assert.match(sections.get('3. Lookups') ?? '', /the browser mode of the DNS benchmark, and Ask from this browser/)
  assert.match(sections.get('5. Your browser') ?? '', /color theme.*Pages and scripts that you visited/)
})

test('[OPEN-023] every page of text but careers, which has its own test, names the contact address', () => {
  for (const path of pages.keys()) {
    const all = [...words(path).sections.values()].join('\n')
    assert.ok(all.includes(`${contact} mailto:${contact}`), path)
  }
})

const whole = (path: string) => [...words(path).sections.values()].join(' ')

test('[OPEN-001] [CON-001] [CON-002] [CON-003] [CON-004] [RTE-022] Contact Us has the form, and both texts say how long messages are kept', () => {
  const page = pages.get('/contact-us/')
  assert.ok(page?.kind === 'text')
  assert.equal(page.contact, contact)
  // MESSAGE_DAYS in apps/server/src/retention.ts.
  assert.match(whole('/contact-us/'), /deleted after 30 days/)
  assert.match(whole('/privacy-policy/'), /within 24 hours\. The server deletes it after 30 days\./)
  for (const [path, other] of pages) assert.ok(path === '/contact-us/' || !('contact' in other), path)
})

test('[OPEN-023] [OPEN-027] no placeholder is left, the settings stand in their places', () => {
  for (const [path, page] of pages) {
    assert.doesNotMatch(JSON.stringify(page), /\{(?:brand|contact|email|host|token)\}/, path)
    assert.match(page.head.title, /\| Brandname$/)
  }
})
