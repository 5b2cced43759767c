import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Panel, performed, type Recording } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { dotSupport } from './dot-support.ts'

const [action] = dotSupport.actions
assert.ok(action?.show)

async function run(ip: string, recording: Recording) {
  const { result, input } = await performed(action as NonNullable<typeof action>, { ip }, replay(recording))
  return {
    result: result as { results: { server_name: string; name_source: string; status: string }[] },
    panels: action?.show?.(result, input) ?? [],
  }
}
const sections = (panels: readonly Panel[]) => panels.flatMap(one => (one.kind === 'section' ? [one] : []))

test('[DOT-001] [DOT-002] [DOT-003] [DOT-004] each result has its name, status, URL and error', async () => {
  const { panels } = await run('192.0.2.53', {})
  const [section] = sections(panels)
  assert.equal(section?.title, '192.0.2.53')
  assert.deepEqual(section?.badge, { text: 'DoT Not Supported', tone: 'bad', badge: true })
  const said = JSON.stringify(section)
  assert.match(said, /tls:\/\/192\.0\.2\.53:853/)
  assert.match(said, /The server refuses the connection/)
})

test('[API-034] names come from reverse DNS where nobody publishes any, and the address is the last', async () => {
  const { result } = await run('192.0.2.53', {
    zone: '53.2.0.192.in-addr.arpa. PTR ns.example.',
    encryptedDns: { 'tls://192.0.2.53': { zone: 'example.com. A 192.0.2.1' } },
  })
  assert.deepEqual(
    result.results.map(({ server_name, name_source, status }) => [server_name, name_source, status]),
    [
      ['ns.example', 'reverse DNS', 'DoT Supported'],
      ['192.0.2.53', 'the address itself', 'DoT Supported'],
    ],
  )
})

test('RFC 8310 §8.1: a certificate that does not hold is told apart from whether anybody answers', async () => {
  const { result, panels } = await run('192.0.2.53', {
    encryptedDns: { 'tls://192.0.2.53': { tls: { problem: 'The certificate is self-signed.' } } },
  })
  assert.partialDeepStrictEqual(result.results, [
    { status: 'DoT Supported', authenticated: false, error: 'The certificate is self-signed.' },
  ])
  const [banner] = panels
  assert.ok(banner?.kind === 'banner' && banner.badge === 'NOT AUTHENTICATED' && banner.tone === 'warn')
})

test('RFC 8996 §2: an old version of TLS is a failed check', async () => {
  const { result } = await run('192.0.2.53', { encryptedDns: { 'tls://192.0.2.53': { tls: { protocol: 'TLSv1' } } } })
  const [first] = result.results
  assert.partialDeepStrictEqual(first, { checks: [{}, {}, { name: 'TLS 1.2 or newer', verdict: 'fail' }] })
})

test('nothing at all is told', () => {
  assert.deepEqual(action.show?.(null, {}), [
    { kind: 'note', tone: 'info', text: 'No DNS over TLS data available', title: 'No DoT Support Results' },
  ])
})
