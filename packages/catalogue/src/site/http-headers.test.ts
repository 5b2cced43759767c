import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Action, type Panel, performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { httpHeaders } from './http-headers.ts'

const [action] = httpHeaders.actions as [Action]

async function look(headers: readonly (readonly [string, string])[]) {
  const http = { 'https://site.test/': { status: 200, headers } }
  const { result, input } = await performed(action, { domain: 'site.test' }, replay({ http }))
  return { result: result as Record<string, unknown>, panels: action.show?.(result, input) ?? [] }
}
const tiles = (panels: readonly Panel[]): Record<string, string> =>
  Object.fromEntries(
    panels.flatMap(panel =>
      panel.kind === 'tiles'
        ? panel.tiles.map(({ label, value }) => [label, typeof value === 'object' ? value.text : String(value)])
        : [],
    ),
  )
const rows = (panels: readonly Panel[], title: string): string => {
  const found = panels.find(panel => panel.kind === 'table' && panel.title === title)
  assert.ok(found?.kind === 'table', title)
  return JSON.stringify(found.rows)
}
const two = [
  ['Server', 'nginx'],
  ['X-Frame-Options', 'DENY'],
] as const

test('[HDR-001] [HDR-002] [HDR-003] headers analysed, present and missing are counted', async () => {
  const { result, panels } = await look(two)
  const total = Object.keys(result.headers_data as object).length
  const found = tiles(panels)
  assert.equal(found['Headers analysed'], String(total))
  assert.equal(found.Present, '2')
  assert.equal(found.Missing, String(total - 2))
})

test('[HDR-004] [HDR-005] [HDR-006] present ones with their values, missing ones with what they are for', async () => {
  const { result, panels } = await look(two)
  assert.equal((result.headers_data as Record<string, string>)['Content-Security-Policy'], 'Not Found')
  assert.match(rows(panels, 'Present headers'), /"Server".*"nginx"/)
  assert.match(rows(panels, 'Missing headers'), /"Content-Security-Policy","[^"]{20,}"/)
  assert.ok(!rows(panels, 'Present headers').includes('Not Found'))
})

test('[OPEN-067] fourteen headers are analysed, and each that is missing says what it is for', async () => {
  const { panels } = await look([])
  const missing = rows(panels, 'Missing headers')
  for (const name of [
    'Content-Security-Policy',
    'Strict-Transport-Security',
    'X-Frame-Options',
    'X-Content-Type-Options',
    'Referrer-Policy',
    'Permissions-Policy',
    'X-XSS-Protection',
    'Cross-Origin-Opener-Policy',
    'Cross-Origin-Resource-Policy',
    'Cross-Origin-Embedder-Policy',
    'Cache-Control',
    'Content-Type',
    'Server',
    'Set-Cookie',
  ])
    assert.match(missing, new RegExp(`"${name}","[^"]{20,}"`))
})

test('[HDR-007] a header named domain or headers_chain is not analysed', async () => {
  const { result } = await look([...two, ['domain', 'not.the.domain'], ['headers_chain', 'none']])
  const names = Object.keys(result.headers_data as object)
  assert.ok(!names.includes('domain') && !names.includes('headers_chain'))
  assert.equal(result.domain, 'site.test')
})

test('network.md §1.23: duplicates are kept as they came', async () => {
  const headers = [
    ['X-Frame-Options', 'DENY'],
    ['x-frame-options', 'SAMEORIGIN'],
  ] as const
  assert.deepEqual((await look(headers)).result.headers, headers)
})

test('the grade shows its sum', async () => {
  const { result, panels } = await look(two)
  const table = rows(panels, 'How the grade comes about')
  assert.match(table, /"Start".*"100"/)
  assert.match(table, /"Content-Security-Policy".*"−25"/)
  assert.ok(table.includes(`"${result.score}"`))
  assert.equal(tiles(panels).Grade, result.grade)
})
