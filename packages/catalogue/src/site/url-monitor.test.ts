import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Action, type Panel, performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { statusCell } from './status.ts'
import { urlMonitor } from './url-monitor.ts'

const [action] = urlMonitor.actions as [Action]

async function look(status: number, url = 'https://example.com/') {
  const recording = { now: '2026-11-21T12:00:00Z', http: { [url]: { status, headers: [] } } }
  const { result, input } = await performed(action, { url }, replay(recording))
  return {
    result: result as { message: string; status: Record<string, unknown> },
    panels: action.show?.(result, input) ?? [],
  }
}
const text = (panels: readonly Panel[]) => JSON.stringify(panels)

for (const [status, up] of [
  [200, true],
  [204, true],
  [301, true],
  [399, true],
  [400, false],
  [401, true],
  [403, true],
  [404, false],
  [405, true],
  [410, false],
  [429, true],
  [500, false],
  [503, false],
  [599, false],
] as const) {
  test(`[URL-003] RFC 9110 §15: ${status} is ${up ? 'up' : 'down'}`, async () => {
    const { result, panels } = await look(status)
    assert.equal(result.status.is_up, up)
    assert.ok(text(panels).includes(up ? '"UP"' : '"DOWN"'))
  })
}

test('[URL-001] [URL-002] [URL-004] [URL-005] [URL-006] the page shows all that the answer says', async () => {
  const { result, panels } = await look(200)
  for (const words of ['https://example.com/', result.message, '"200"', '"OK"', '2026-11-21 12:00:00 UTC']) {
    assert.ok(text(panels).includes(words), words)
  }
})

for (const [status, tone] of [
  [200, 'good'],
  [204, 'good'],
  [299, 'good'],
  [300, 'warn'],
  [301, 'warn'],
  [399, 'warn'],
  [199, 'bad'],
  [400, 'bad'],
  [404, 'bad'],
  [500, 'bad'],
  [0, 'bad'],
] as const) {
  test(`[GEN-030] [GEN-031] [GEN-032] [URL-007] [OPEN-069] status code ${status} is ${tone}`, () =>
    assert.equal(statusCell(status).tone, tone))
}

test('[OPEN-039] a missing scheme means https, then http; a given one is kept to', async () => {
  const http = { 'http://example.com/a-b/c.html': { status: 200, headers: [] } }
  const run = async (url: string) =>
    (await performed(action, { url }, replay({ http }))).result as Record<string, unknown>
  const both = await run('example.com/a-b/c.html')
  assert.equal(both.url, 'http://example.com/a-b/c.html')
  assert.equal((both.attempts as unknown[]).length, 2)
  const one = await run('https://example.com/a-b/c.html')
  assert.equal(one.url, 'https://example.com/a-b/c.html')
  assert.partialDeepStrictEqual(one, { status: { is_up: false, status_code: 0, status_message: 'Connection error' } })
  assert.equal((one.attempts as unknown[]).length, 1)
})

for (const url of ['example.com', 'http://example.com', 'https://example.com', 'https://example.com/a/b']) {
  test(`[VAL-011] [VAL-013] ${url} is a web address`, async () => {
    await performed(action, { url }, replay())
  })
}
for (const url of [
  'ftp://example.com',
  'http://localhost',
  'localhost',
  'https://example.com/?q=1',
  'https://a@b.test/',
  '',
]) {
  test(`[VAL-011] [VAL-012] [OPEN-039] ${url || 'nothing'} is none`, async () => {
    await assert.rejects(performed(action, { url }, replay()), { name: 'Problem', code: 'invalid-input', field: 'url' })
  })
}
