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
      hashes: ['md5', 'sha', 'blake2b'],
      checksums: ['crc32', 'adler32'],
      'encoders and decoders': ['base64', 'hex'],
      'symmetric ciphers': ['aes', 'chacha20'],
      'asymmetric ciphers': ['rsa'],
      signatures: ['signature-verify', 'ecdsa'],
      keys: ['key-format-converter'],
      'classical ciphers': ['caesar-cipher', 'rot13'],
      certificates: ['ssl-chain', 'ssl-pinning'],
      MAC: ['hmac', 'cmac'],
      'attack demos': ['dictionary-attack', 'hash-length-extension'],
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
    for (const [kind, id] of Object.entries(kinds).flatMap(([kind, ids]) => ids.map(id => [kind, id] as const))) {
      const own = actions.filter(({ tool }) => tool.id === id)
      let tried = 0
      for (const { tool, action } of own) {
        // What a tool of the browser took from a recorded clock or die, the server takes from its own.
        const example = action.examples.find(({ recording }) => tool.runs === 'server' || !recording)
        if (!example) continue
        const { inject } = await serverFor(example.recording)
        const answer = await inject({ method: 'POST', url: `/api/${action.path}/`, payload: example.input })
        assert.equal(answer.statusCode, 200, `${action.path}: ${answer.body.slice(0, 300)}`)
        assert.partialDeepStrictEqual(answer.json(), JSON.parse(JSON.stringify(example.result)), action.path)
        tried++
      }
      assert.ok(tried > 0, `${kind}: ${id}`)
    }
  })
}
