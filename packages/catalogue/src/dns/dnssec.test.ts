import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Panel } from '@assay/kit'
import { show } from './dnssec.show.ts'
import type { DnssecResult, SignatureRow } from './dnssec.ts'

const signature: SignatureRow = {
  record_type: 'A',
  algorithm_text: 'ECDSA P-256 / SHA-256',
  algorithm_number: 13,
  signed_by: 'example.com',
  signature: 'c2lnbmF0dXJl',
  name: 'www.example.com',
  key_tag: 1870,
  valid_from: '2026-11-01T00:00:00.000Z',
  valid_until: '2026-12-09T00:00:00.000Z',
  state: 'valid',
  reason: null,
}

const base: DnssecResult = {
  domain: 'www.example.com',
  dnssec_enabled: true,
  signatures: [signature],
  error: null,
  verdict: 'secure',
  ede: null,
  reason: null,
  record_sets: [],
  chain: [],
  findings: [],
  validated_at: '2026-11-21T00:00:00.000Z',
}
const unsigned: DnssecResult = { ...base, dnssec_enabled: false, verdict: 'insecure', signatures: [] }

const find = <K extends Panel['kind']>(kind: K, result: DnssecResult, title?: string) => {
  const found = show(result).find(
    (panel): panel is Extract<Panel, { kind: K }> =>
      panel.kind === kind && (title === undefined || ('title' in panel && panel.title === title)),
  )
  assert.ok(found, `there is no ${kind} ${title ?? ''}`)
  return found
}

const tile = (result: DnssecResult, label: string) => {
  const value = find('tiles', result).tiles.find(tile => tile.label === label)?.value
  return typeof value === 'object' ? value.text : value
}

test('[SEC-001] the banner reads SECURED or UNSECURED', () => {
  assert.equal(find('banner', base).badge, 'SECURED')
  assert.equal(find('banner', unsigned).badge, 'UNSECURED')
})

test('[SEC-002] the security status is ENABLED or DISABLED', () => {
  assert.equal(tile(base, 'Security Status'), 'ENABLED')
  assert.equal(tile(unsigned, 'Security Status'), 'DISABLED')
})

test('[SEC-003] [SEC-004] signatures are counted, and each algorithm once', () => {
  const rsa = { ...signature, algorithm_text: 'RSA/SHA-256', algorithm_number: 8 }
  const three = { ...base, signatures: [signature, { ...signature, record_type: 'MX' }, rsa] }
  assert.equal(tile(three, 'Signatures'), 3)
  assert.equal(tile(three, 'Algorithms'), 2)
})

test('[SEC-005] the assessment differs for what is signed, unsigned, broken and unknown', () => {
  const texts = (['secure', 'insecure', 'bogus', 'indeterminate'] as const).map(
    verdict => find('note', { ...base, verdict }, 'Assessment').text,
  )
  assert.equal(new Set(texts).size, 4)
})

test('[SEC-006] [SEC-007] [SEC-008] each signature shows type, algorithm with number, who signed and until when', () => {
  const cells = find('table', base, 'Signatures').rows[0]?.map(cell => (typeof cell === 'object' ? cell.text : cell))
  assert.deepEqual(cells, [
    'A',
    'ECDSA P-256 / SHA-256 (13)',
    'example.com 1870',
    '9 December 2026, in 18 days',
    'valid',
  ])
  const late = { ...base, validated_at: '2026-12-09T06:00:00.000Z' }
  assert.equal(find('table', late, 'Signatures').rows[0]?.[3], '9 December 2026, 6 hours ago')
})

test('[SEC-009] each signature shows its bytes', () => {
  const [item] = find('list', base, 'The signatures themselves').items
  assert.deepEqual(item, { text: { text: 'c2lnbmF0dXJl', mono: true }, detail: 'A of www.example.com' })
})

test('[SEC-010] an error stands in a box of its own, and without one there is no box', () => {
  const broken: DnssecResult = {
    ...unsigned,
    verdict: 'bogus',
    error: 'The signature expired.',
    ede: { code: 7, name: 'Signature Expired' },
  }
  const box = find('note', broken, 'DNSSEC Validation Error')
  assert.equal(box.text, 'The signature expired. (EDE 7: Signature Expired)')
  assert.equal(box.tone, 'bad')
  assert.ok(!show(base).some(panel => panel.kind === 'note' && panel.title === 'DNSSEC Validation Error'))
})
