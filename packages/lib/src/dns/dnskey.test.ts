import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { algorithmTitle, keyBits, keyRole, keyTag } from './dnskey.ts'
import type { ResourceRecord } from './message.ts'
import { parseZone } from './zone.ts'

const RFC4034_KEY = `dskey.example.com. 86400 IN DNSKEY 256 3 5 ( AQOeiiR0GOMYkDshWoSKz9Xz
fwJr1AYtsmx3TGkJaNXVbfi/ 2pHm822aJ5iI9BMzNXxeYCmZ DRD99WYwYqUSdjMmmAphXdvx egXd/M5+X7OrzKBaMbCVdFLU
Uh6DhweJBjEVv5f2wwjM9Xzc nOf+EPbtG9DMBmADjFDc2w/r ljwvFw== )`

function keyOf(zone: string): Extract<ResourceRecord, { type: 'DNSKEY' }> {
  const record = parseZone(zone).find(({ type }) => type === 'DNSKEY')
  assert.ok(record?.type === 'DNSKEY')
  return record
}

test('RFC 4034 §5.4: the key tag of the example is 60485', () => {
  const key = keyOf(RFC4034_KEY)
  assert.equal(keyTag(key.rdata), 60485)
  assert.ok(key.data)
  assert.equal(keyRole(key.data), 'ZSK')
  assert.equal(keyBits(key.data), 1024)
})

test('dnssec-keygen: tags, sizes and roles of fresh keys of every algorithm agree', () => {
  const folder = mkdtempSync(join(tmpdir(), 'keys-'))
  try {
    for (const [name, number, bits, flags] of [
      ['RSASHA256', 8, 2048, ['-b', '2048']],
      ['RSASHA512', 10, 2048, ['-b', '2048']],
      ['ECDSAP256SHA256', 13, 256, []],
      ['ECDSAP384SHA384', 14, 384, []],
      ['ED25519', 15, 256, []],
      ['ED448', 16, 456, []],
    ] as const) {
      for (const role of ['KSK', 'ZSK']) {
        const args = [
          '-q',
          '-K',
          folder,
          '-a',
          name,
          ...flags,
          ...(role === 'KSK' ? ['-f', 'KSK'] : []),
          'example.test',
        ]
        const file = execFileSync('dnssec-keygen', args, { encoding: 'utf8' }).trim()
        const key = keyOf(readFileSync(join(folder, `${file}.key`), 'utf8'))
        assert.equal(keyTag(key.rdata), Number(file.split('+').at(-1)), file)
        assert.ok(key.data)
        assert.equal(keyRole(key.data), role)
        assert.equal(keyBits(key.data), bits)
        assert.equal(key.data.algorithm, number)
      }
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('RFC 4034 Appendix B.1 and odd keys: no key breaks the reader', () => {
  assert.equal(keyTag(Uint8Array.of(1, 0, 3, 1, 9, 8, 7)), (9 << 8) | 8)
  assert.equal(keyBits({ algorithm: 8, publicKey: new Uint8Array() }), undefined)
  assert.equal(keyBits({ algorithm: 8, publicKey: Uint8Array.of(200, 1) }), undefined)
  assert.equal(keyBits({ algorithm: 253, publicKey: Uint8Array.of(1) }), undefined)
  assert.equal(algorithmTitle(99), 'algorithm 99')
})
