import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { actions } from '@assay/catalogue/catalogue'
import type { Recording } from '@assay/kit'
import { type Trial, trial } from './trial.ts'

/** The kinds of tools that §1 names, by tools that stand for them. Every tool is tried by the walk over the catalogue. */
const families: readonly (readonly [row: string, kinds: Readonly<Record<string, readonly string[]>>])[] = [
  [
    '[BIZ-005] DNS and domain diagnostics',
    {
      WHOIS: ['whois'],
      records: ['dns-lookup', 'dns-records'],
      DNSSEC: ['dnssec'],
      'zone transfer': ['zone-transfer-check'],
      propagation: ['dns-propagation-check'],
      'DoH and DoT': ['doh-support', 'dot-support'],
      blacklists: ['dnsbl', 'domain-blacklist-check'],
      'email authentication': ['spf', 'dkim', 'dmarc'],
    },
  ],
  [
    '[BIZ-006] network tools',
    { 'port scan': ['port-scan'], traceroute: ['traceroute'], 'HTTP headers': ['http-headers'] },
  ],
  [
    '[BIZ-007] cryptography',
    {
      '[CTL-158] hashes': ['md5', 'sha', 'blake2b'],
      '[CTL-159] checksums': ['crc32', 'adler32'],
      '[CTL-160] encoders and decoders': ['base64', 'hex'],
      '[CTL-161] symmetric ciphers': ['aes', 'chacha20'],
      '[CTL-162] asymmetric ciphers': ['rsa'],
      '[CTL-163] signatures': ['signature-verify', 'ecdsa'],
      '[CTL-164] keys': ['key-format-converter'],
      '[CTL-165] classical ciphers': ['caesar-cipher', 'rot13'],
      '[CTL-166] certificates': ['ssl-chain', 'ssl-pinning'],
      '[CTL-167] MAC': ['hmac', 'cmac'],
      '[CTL-168] attack demos': ['dictionary-attack', 'hash-length-extension'],
      'entropy tools': ['entropy'],
    },
  ],
]

/** A server whose network is the one of an example; tools that need none share one. */
function servers(t: TestContext): (recording: Recording | undefined) => Promise<Trial> {
  const plain = trial(t, { catalogue: true })
  return recording => (recording ? trial(t, { catalogue: true, recording }) : plain)
}

for (const [row, kinds] of families) {
  test(`${row}: there is every kind, and its published examples hold`, async t => {
    const serverFor = servers(t)
    for (const [kind, ids] of Object.entries(kinds)) {
      await t.test(kind, async () => {
        for (const id of ids) assert.ok((await tried(id, serverFor)) > 0, id)
      })
    }
  })
}

/** How many actions of a tool gave through the API what their example says. */
async function tried(id: string, serverFor: ReturnType<typeof servers>): Promise<number> {
  let count = 0
  for (const { tool, action } of actions.filter(({ tool }) => tool.id === id)) {
    // What a tool of the browser took from a recorded clock or die, the server takes from its own.
    const example = action.examples.find(({ recording }) => tool.runs === 'server' || !recording)
    if (!example) continue
    const { inject } = await serverFor(example.recording)
    const answer = await inject({ method: 'POST', url: `/api/${action.path}/`, payload: example.input })
    assert.equal(answer.statusCode, 200, `${action.path}: ${answer.body.slice(0, 300)}`)
    assert.partialDeepStrictEqual(answer.json(), JSON.parse(JSON.stringify(example.result)), action.path)
    count++
  }
  return count
}
