import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Action, type Panel, performed, type Recording } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { accessControlValidator } from './access-control-validator.ts'
import { riskOf, type Vulnerability } from './site-visit.ts'

const [action] = accessControlValidator.actions as [Action]
const empty = { domain: 'site.test', url: 'https://site.test/', requests: 20, tests: [], untested: [] }
const entry = (over: Partial<Vulnerability> = {}): Vulnerability => ({
  description: 'The settings file is open',
  status_code: 200,
  url: 'https://site.test/.env',
  proof: 'DB_PASSWORD …',
  ...over,
})

const shown = (vulnerabilities: Record<string, Vulnerability[]>): Panel[] =>
  action.show?.({ ...empty, vulnerabilities }, { domain: 'site.test' }) ?? []
const tiles = (panels: readonly Panel[]): Record<string, string> =>
  Object.fromEntries(
    panels.flatMap(panel =>
      panel.kind === 'tiles'
        ? panel.tiles.map(({ label, value }) => [label, typeof value === 'object' ? value.text : String(value)])
        : [],
    ),
  )

test('[ACV-002] [ACV-003] [ACV-004] [ACV-006] four cards for three entries in two categories', () => {
  assert.deepEqual(tiles(shown({ CORS: [entry(), entry()], Authentication: [entry()], Authorization: [] })), {
    'Total Vulnerabilities': '3',
    'Categories Affected': '2',
    'Security Status': 'Vulnerable',
    'Risk Level': 'Low',
  })
})

test('[ACV-005] Vulnerable from one entry on, else Secure', () => {
  assert.equal(tiles(shown({ CORS: [entry()] }))['Security Status'], 'Vulnerable')
  assert.equal(tiles(shown({ CORS: [] }))['Security Status'], 'Secure')
})

for (const [total, level] of [
  [0, 'None'],
  [1, 'Low'],
  [9, 'Low'],
  [10, 'Medium'],
  [24, 'Medium'],
  [25, 'High'],
  [400, 'High'],
] as const) {
  test(`[BIZ-023] [ACV-007] [ACV-008] [ACV-009] [ACV-010] ${total} entries are the risk level ${level}`, () => {
    assert.equal(riskOf(total)[0], level)
    assert.equal(tiles(shown({ CORS: Array.from({ length: total }, () => entry()) }))['Risk Level'], level)
  })
}

test('[ACV-011] [ACV-012] [ACV-013] [ACV-014] a card per category with description, status code and URL', () => {
  const panels = shown({
    CORS: [entry({ description: 'Lets any site in', status_code: 204, url: 'https://site.test/api' })],
    'Odd category from elsewhere': [entry()],
  })
  const sections = panels.filter(panel => panel.kind === 'section')
  assert.deepEqual(
    sections.map(({ title }) => title),
    ['CORS', 'Odd category from elsewhere'],
  )
  const words = JSON.stringify(sections[0])
  for (const text of ['Lets any site in', '"204"', 'https://site.test/api']) assert.ok(words.includes(text), text)
})

test('[OPEN-069] the status code of an entry has its colour', () => {
  const words = JSON.stringify(shown({ CORS: [entry({ status_code: 301 })] }))
  assert.match(words, /"text":"301","tone":"warn"/)
})

test('[ACV-019] nothing found says so; something found does not', () => {
  assert.ok(JSON.stringify(shown({})).includes('No Vulnerabilities Detected'))
  assert.ok(!JSON.stringify(shown({ CORS: [entry()] })).includes('No Vulnerabilities Detected'))
})

test('[ACV-020] the Risk Assessment Scale is always there', () => {
  for (const found of [{}, { CORS: [entry()] }]) {
    assert.ok(JSON.stringify(shown(found)).includes('Risk Assessment Scale'))
  }
})

test('[ACV-001] the button says Validate', () => assert.equal(accessControlValidator.button?.[0], 'Validate'))

async function validate(http: Recording['http']) {
  const { result } = await performed(action, { domain: 'site.test' }, replay({ ...(http && { http }) }))
  return result as {
    vulnerabilities: Record<string, Vulnerability[]>
    requests: number
    tests: { verdict: string }[]
    untested: { url: string }[]
  }
}
const page = { status: 200, headers: [] }

test('[ACV-015] [ACV-016] [ACV-017] [ACV-018] the four categories are always there', async () => {
  const { vulnerabilities } = await validate({ 'https://site.test/': page })
  assert.deepEqual(Object.keys(vulnerabilities), ['CORS', 'Security Headers', 'Authentication', 'Authorization'])
})

test('a request without an answer is neither good nor bad', async () => {
  const { untested, tests, requests } = await validate({ 'https://site.test/': page })
  assert.ok(untested.some(({ url }) => url === 'https://site.test/.git/HEAD'))
  assert.ok(tests.some(({ verdict }) => verdict === 'unknown'))
  assert.ok(requests <= 30)
})

test('open source code is one entry under Authorization', async () => {
  const body = 'ref: refs/heads/main\n'
  const git = { 'https://site.test/': page, 'https://site.test/.git/HEAD': { ...page, body } }
  assert.equal((await validate(git)).vulnerabilities.Authorization?.length, 1)
})

test('a site that is not there is a problem, not a finding', async () => {
  await assert.rejects(validate({}), { name: 'Problem', code: 'unreachable' })
})
