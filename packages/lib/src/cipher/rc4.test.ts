import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { test } from 'node:test'
import { fromHex, toHex } from '../bytes.ts'
import { rc4 } from './rc4.ts'

/** Offset and key stream of RFC 6229 §2. */
const streams = {
  '0102030405': '0 b2396305f03dc027ccc3524a0a1118a8',
  '833222772a': '0 80ad97bdc973df8a2e879e92a497efda',
  '0102030405060708090a': `
  0 ede3b04643e586cc907dc21851709902
  16 03516ba78f413beb223aa5d4d2df6711
  240 3cfd6cb58ee0fdde640176ad0000044d
  256 48532b21fb6079c9114c0ffd9c04a1ad
  496 3e8cea98017109979084b1ef92f99d86
  512 e20fb49bdb337ee48b8d8dc0f4afeffe
  752 5c2521eacd7966f15e056544bea0d315
  768 e067a7031931a246a6c3875d2f678acb
  1008 a64f70af88ae56b6f87581c0e23e6b08
  1024 f449031de312814ec6f319291f4a0516
  1520 bdae85924b3cb1d0a2e33a30c6d79599
  1536 8a0feddbac865a09bcd127fb562ed60a
  2032 b55a0a5b51a12a8be34899c3e047511a
  2048 d9a09cea3ce75fe39698070317a71339
  3056 552225ed1177f44584ac8cfa6c4eb5fc
  3072 7e82cbabfc95381b080998442129c2f8
  4080 1f135ed14ce60a91369d2322bef25e3c
  4096 08b6be45124a43e2eb77953f84dc8553
  `,
  '8b37641910833222772a': `
  0 ab65c26eddb287600db2fda10d1e605c
  16 bb759010c29658f2c72d93a2d16d2930
  240 b901e8036ed1c383cd3c4c4dd0a6ab05
  256 3d25ce4922924c55f064943353d78a6c
  496 12c1aa44bbf87e75e611f69b2c38f49b
  512 28f2b3434b65c09877470044c6ea170d
  752 bd9ef822de5288196134cf8af7839304
  768 67559c23f052158470a296f725735a32
  1008 8bab26fbc2c12b0f13e2ab185eabf241
  1024 31185a6d696f0cfa9b42808b38e132a2
  1520 564d3dae183c5234c8af1e51061c44b5
  1536 3c0778a7b5f72d3c23a3135c7d67b9f4
  2032 f34369890fcf16fb517dcaae4463b2dd
  2048 02f31c81e8200731b899b028e791bfa7
  3056 72da646283228c14300853701795616f
  3072 4e0a8c6f7934a788e2265e81d6d0c8f4
  4080 438dd5eafea0111b6f36b4b938da2a68
  4096 5f6bfc73815874d97100f086979357d8
  `,
  '0102030405060708090a0b0c0d0e0f10': '0 9ac7cc9a609d1ef7b2932899cde41b97',
  ebb46227c6cc8b37641910833222772a: '0 720c94b63edf44e131d950ca211a5a30',
}
for (const [key, rows] of Object.entries(streams)) {
  test(`RFC 6229 §2: the key stream of a key of ${key.length * 4} bits, ${key}`, () => {
    const whole = rc4(fromHex(key), new Uint8Array(4112))
    for (const row of rows.trim().split('\n')) {
      const [offset = '', expected] = row.trim().split(' ')
      assert.equal(toHex(whole.slice(Number(offset), Number(offset) + 16)), expected)
      assert.equal(toHex(rc4(fromHex(key), new Uint8Array(16), Number(offset))), expected)
    }
  })
}

test('OpenSSL evpciph_rc4.txt: a key of 160 bits', () => {
  const key = fromHex('ebb46227c6cc8b37641910833222772a00000000')
  assert.equal(toHex(rc4(key, new Uint8Array(16))), '358b23dba47770e72c7ea8ce5bd68da3')
})

const hasCryptX = spawnSync('perl', ['-MCrypt::Stream::RC4', '-e', '1']).status === 0

test('300 random keys, lengths and drops equal LibTomCrypt', { skip: !hasCryptX }, () => {
  const cases = Array.from({ length: 300 }, (_, i) => ({
    key: randomBytes(randomInt(5, 257)),
    text: randomBytes(i % 100),
    drop: i % 3 ? 0 : randomInt(0, 4000),
  }))
  const program = `while (<STDIN>) { chomp; my ($k, $t, $d) = split /,/, $_, -1; my $s = Crypt::Stream::RC4->new(pack("H*", $k));
    $s->keystream($d) if $d; print unpack("H*", $t eq "" ? "" : $s->crypt(pack("H*", $t))), "\\n" }`
  const input = cases.map(({ key, text, drop }) => `${key.toString('hex')},${text.toString('hex')},${drop}\n`).join('')
  const printed = execFileSync('perl', ['-MCrypt::Stream::RC4', '-e', program], { input, encoding: 'utf8' })
  assert.deepEqual(
    cases.map(({ key, text, drop }) => toHex(rc4(key, text, drop))),
    printed.split('\n').slice(0, -1),
  )
})

test('twenty random keys and texts equal OpenSSL', () => {
  for (let i = 0; i < 20; i++) {
    const [key, text] = [randomBytes(16), randomBytes(randomInt(1, 5000))]
    const options = ['enc', '-provider', 'legacy', '-provider', 'default', '-rc4', '-K', key.toString('hex')]
    assert.equal(toHex(rc4(key, text)), execFileSync('openssl', options, { input: text }).toString('hex'))
  }
})

test('the same way encrypts and decrypts, and the text stays as it was', () => {
  const [key, text] = [randomBytes(256), new Uint8Array(randomBytes(1000))]
  const before = text.slice()
  assert.deepEqual(rc4(key, rc4(key, text, 77), 77), text)
  assert.deepEqual(text, before)
  assert.equal(rc4(key, new Uint8Array()).length, 0)
})

test('keys of other lengths are refused', () => {
  for (const length of [0, 257, 1000]) {
    assert.throws(() => rc4(new Uint8Array(length), new Uint8Array(1)), {
      name: 'RangeError',
      message: `expected 1 to 256 bytes, got ${length}`,
    })
  }
})
