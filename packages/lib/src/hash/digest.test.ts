import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { fromUtf8, toHex } from '../bytes.ts'
import { digest, type HashName, hashFunction, hashNames } from './digest.ts'

const hex = async (name: HashName, message: string | Uint8Array) =>
  toHex(await digest(name, typeof message === 'string' ? fromUtf8(message) : message))

const TWO_BLOCKS = 'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq'
const TWO_LONG_BLOCKS =
  'abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu'
const MILLION = 'a'.repeat(1_000_000)
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz'
const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const DIGITS = '1234567890'.repeat(8)
const A3_200 = new Uint8Array(200).fill(0xa3)

type Row = [from: string, name: HashName, message: string | Uint8Array, expected: string]
const published: Row[] = [
  ['RFC 1320 §A.5', 'MD4', '', '31d6cfe0d16ae931b73c59d7e0c089c0'],
  ['RFC 1320 §A.5', 'MD4', 'a', 'bde52cb31de33e46245e05fbdbd6fb24'],
  ['RFC 1320 §A.5', 'MD4', 'abc', 'a448017aaf21d8525fc10ae87aa6729d'],
  ['RFC 1320 §A.5', 'MD4', 'message digest', 'd9130a8164549fe818874806e1c7014b'],
  ['RFC 1320 §A.5', 'MD4', ALPHABET, 'd79e1c308aa5bbcdeea8ed63df412da9'],
  ['RFC 1320 §A.5', 'MD4', LETTERS_AND_DIGITS, '043f8582f241db351ce627e153e7f0e4'],
  ['RFC 1320 §A.5', 'MD4', DIGITS, 'e33b4ddc9c38f2199c3e7b164fcc0536'],
  ['RFC 1321 §A.5', 'MD5', '', 'd41d8cd98f00b204e9800998ecf8427e'],
  ['RFC 1321 §A.5', 'MD5', 'a', '0cc175b9c0f1b6a831c399e269772661'],
  ['RFC 1321 §A.5', 'MD5', 'abc', '900150983cd24fb0d6963f7d28e17f72'],
  ['RFC 1321 §A.5', 'MD5', 'message digest', 'f96b697d7cb7938d525a2f31aaf161d0'],
  ['RFC 1321 §A.5', 'MD5', ALPHABET, 'c3fcd3d76192e4007dfb496cca67e13b'],
  ['RFC 1321 §A.5', 'MD5', LETTERS_AND_DIGITS, 'd174ab98d277d9f5a5611c2c9f419d9f'],
  ['RFC 1321 §A.5', 'MD5', DIGITS, '57edf4a22be3c955ac49da2e2107b67a'],
  ['FIPS 180-2 §A.1', 'SHA-1', 'abc', 'a9993e364706816aba3e25717850c26c9cd0d89d'],
  ['FIPS 180-2 §A.2', 'SHA-1', TWO_BLOCKS, '84983e441c3bd26ebaae4aa1f95129e5e54670f1'],
  ['FIPS 180-2 §A.3', 'SHA-1', MILLION, '34aa973cd4c4daa4f61eeb2bdbad27316534016f'],
  ['RFC 3874 §3.1', 'SHA-224', 'abc', '23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7'],
  ['RFC 3874 §3.2', 'SHA-224', TWO_BLOCKS, '75388b16512776cc5dba5da1fd890150b0c6455cb4f58b1952522525'],
  ['RFC 3874 §3.3', 'SHA-224', MILLION, '20794655980c91d8bbb4c1ea97618a4bf03f42581948b2ee4ee7ad67'],
  ['FIPS 180-2 §B.1', 'SHA-256', 'abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  ['FIPS 180-2 §B.2', 'SHA-256', TWO_BLOCKS, '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1'],
  ['FIPS 180-2 §B.3', 'SHA-256', MILLION, 'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0'],
  [
    'FIPS 180-2 §D.1',
    'SHA-384',
    'abc',
    'cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7',
  ],
  [
    'FIPS 180-2 §D.2',
    'SHA-384',
    TWO_LONG_BLOCKS,
    '09330c33f71147e83d192fc782cd1b4753111b173b3b05d22fa08086e3b0f712fcc7c71a557e2db966c3e9fa91746039',
  ],
  [
    'FIPS 180-2 §D.3',
    'SHA-384',
    MILLION,
    '9d0e1809716474cb086e834e310a4a1ced149e9c00f248527972cec5704c2a5b07b8b3dc38ecc4ebae97ddd87f3d8985',
  ],
  [
    'FIPS 180-2 §C.1',
    'SHA-512',
    'abc',
    'ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f',
  ],
  [
    'FIPS 180-2 §C.2',
    'SHA-512',
    TWO_LONG_BLOCKS,
    '8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909',
  ],
  [
    'FIPS 180-2 §C.3',
    'SHA-512',
    MILLION,
    'e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973ebde0ff244877ea60a4cb0432ce577c31beb009c5c2c49aa2e4eadb217ad8cc09b',
  ],
  ['NIST example values SHA512_224', 'SHA-512/224', 'abc', '4634270f707b6a54daae7530460842e20e37ed265ceee9a43e8924aa'],
  [
    'NIST example values SHA512_224',
    'SHA-512/224',
    TWO_LONG_BLOCKS,
    '23fec5bb94d60b23308192640b0c453335d664734fe40e7268674af9',
  ],
  [
    'NIST example values SHA512_256',
    'SHA-512/256',
    'abc',
    '53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23',
  ],
  [
    'NIST example values SHA512_256',
    'SHA-512/256',
    TWO_LONG_BLOCKS,
    '3928e184fb8690f840da3988121d31be65cb9d3ef83ee6146feac861e19b563a',
  ],
  ['NIST example values SHA3-224_Msg0', 'SHA3-224', '', '6b4e03423667dbb73b6e15454f0eb1abd4597f9a1b078e3f5b5a6bc7'],
  ['NIST example values SHA3-224_1600', 'SHA3-224', A3_200, '9376816aba503f72f96ce7eb65ac095deee3be4bf9bbc2a1cb7e11e0'],
  [
    'NIST example values SHA3-256_Msg0',
    'SHA3-256',
    '',
    'a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a',
  ],
  [
    'NIST example values SHA3-256_1600',
    'SHA3-256',
    A3_200,
    '79f38adec5c20307a98ef76e8324afbfd46cfd81b22e3973c65fa1bd9de31787',
  ],
  [
    'NIST example values SHA3-384_Msg0',
    'SHA3-384',
    '',
    '0c63a75b845e4f7d01107d852e4c2485c51a50aaaa94fc61995e71bbee983a2ac3713831264adb47fb6bd1e058d5f004',
  ],
  [
    'NIST example values SHA3-384_1600',
    'SHA3-384',
    A3_200,
    '1881de2ca7e41ef95dc4732b8f5f002b189cc1e42b74168ed1732649ce1dbcdd76197a31fd55ee989f2d7050dd473e8f',
  ],
  [
    'NIST example values SHA3-512_Msg0',
    'SHA3-512',
    '',
    'a69f73cca23a9ac5c8b567dc185a756e97c982164fe25859e0d1dcc1475c80a615b2123af1f5f94c11e3e9402c3ac558f500199d95b6d3e301758586281dcd26',
  ],
  [
    'NIST example values SHA3-512_1600',
    'SHA3-512',
    A3_200,
    'e76dfad22084a8b1467fcf2ffa58361bec7628edf5f3fdc0e4805dc48caeeca81b7c13c30adf52a3659584739a2df46be589c51ca1a4a8416df6545a1ce8ba00',
  ],
  [
    'NIST CAVP SHA3_224ShortMsg Len 8',
    'SHA3-224',
    Uint8Array.of(0x01),
    '488286d9d32716e5881ea1ee51f36d3660d70f0db03b3f612ce9eda4',
  ],
  [
    'NIST CAVP SHA3_256ShortMsg Len 8',
    'SHA3-256',
    Uint8Array.of(0xe9),
    'f0d04dd1e6cfc29a4460d521796852f25d9ef8d28b44ee91ff5b759d72c1e6d6',
  ],
  [
    'NIST CAVP SHA3_384ShortMsg Len 8',
    'SHA3-384',
    Uint8Array.of(0x80),
    '7541384852e10ff10d5fb6a7213a4a6c15ccc86d8bc1068ac04f69277142944f4ee50d91fdc56553db06b2f5039c8ab7',
  ],
  [
    'NIST CAVP SHA3_512ShortMsg Len 8',
    'SHA3-512',
    Uint8Array.of(0xe5),
    '150240baf95fb36f8ccb87a19a41767e7aed95125075a2b2dbba6e565e1ce8575f2b042b62e29a04e9440314a821c6224182964d8b557b16a492b3806f4c39c1',
  ],
  ['NIST CAVP SHA512_224ShortMsg Len 0', 'SHA-512/224', '', '6ed0dd02806fa89e25de060c19d3ac86cabb87d6a0ddd05c333b84f4'],
  [
    'NIST CAVP SHA512_256ShortMsg Len 0',
    'SHA-512/256',
    '',
    'c672b8d1ef56ed28ab87c3622c5114069bdd3ad7b8f9737498d0c01ecef0967a',
  ],
  [
    'RFC 7693 §A',
    'BLAKE2b-512',
    'abc',
    'ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d17d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923',
  ],
  ['RFC 7693 §B', 'BLAKE2s-256', 'abc', '508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982'],
  [
    'SHA-3 proposal BLAKE 1.3, test values, one block',
    'BLAKE-256',
    new Uint8Array(1),
    '0ce8d4ef4dd7cd8d62dfded9d4edb0a774ae6a41929a74da23109e8f11139c87',
  ],
  [
    'SHA-3 proposal BLAKE 1.3, test values, two blocks',
    'BLAKE-256',
    new Uint8Array(72),
    'd419bad32d504fb7d44d460c42c5593fe544fa4c135dec31e21bd9abdcc22d41',
  ],
  [
    'SHA-3 proposal BLAKE 1.3, test values, one block',
    'BLAKE-512',
    new Uint8Array(1),
    '97961587f6d970faba6d2478045de6d1fabd09b61ae50932054d52bc29d31be4ff9102b9f69e2bbdb83be13d4b9c06091e5fa0b48bd081b634058be0ec49beb3',
  ],
  [
    'SHA-3 proposal BLAKE 1.3, test values, two blocks',
    'BLAKE-512',
    new Uint8Array(144),
    '313717d608e9cf758dcb1eb0f0c3cf9fc150b2d500fb33f51c52afc99d358a2f1374b8a38bba7974e7f6ef79cab16f22ce1e649d6e01ad9589c213045d545dde',
  ],
  ['RIPEMD-160 page of Bosselaers', 'RIPEMD-160', '', '9c1185a5c5e9fc54612808977ee8f548b2258d31'],
  ['RIPEMD-160 page of Bosselaers', 'RIPEMD-160', 'abc', '8eb208f7e05d987a9b044a8e98c6b087f15a0bfc'],
  ['RIPEMD-160 page of Bosselaers', 'RIPEMD-160', 'message digest', '5d0689ef49d2fae572b881b123a85ffa21595f36'],
  ['GB/T 32905-2016 §A.1', 'SM3', 'abc', '66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0'],
  [
    'GB/T 32905-2016 §A.2',
    'SM3',
    'abcd'.repeat(16),
    'debe9ff92275b8a138604889c18e5a4d6fdb70e5387e5765293dcba39c0c5732',
  ],
]
for (const [from, name, message, expected] of published) {
  const shown = typeof message === 'string' ? message.slice(0, 16) : `${message.length} bytes`
  test(`${from}: ${name} of "${shown}"`, async () => assert.equal(await hex(name, message), expected))
}

/** The cases cover one byte, one chunk, one byte more, and trees of several levels. */
const blake3 = new Map([
  [0, 'af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262'],
  [1, '2d3adedff11b61f14c886e35afa036736dcd87a74d27b5c1510225d0f592e213'],
  [63, 'e9bc37a594daad83be9470df7f7b3798297c3d834ce80ba85d6e207627b7db7b'],
  [64, '4eed7141ea4a5cd4b788606bd23f46e212af9cacebacdc7d1f4c6dc7f2511b98'],
  [65, 'de1e5fa0be70df6d2be8fffd0e99ceaa8eb6e8c93a63f2d8d1c30ecb6b263dee'],
  [1023, '10108970eeda3eb932baac1428c7a2163b0e924c9a9e25b35bba72b28f70bd11'],
  [1024, '42214739f095a406f3fc83deb889744ac00df831c10daa55189b5d121c855af7'],
  [1025, 'd00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444'],
  [2049, '5f4d72f40d7a5f82b15ca2b2e44b1de3c2ef86c426c95c1af0b6879522563030'],
  [8193, 'bab6c09cb8ce8cf459261398d2e7aef35700bf488116ceb94a36d0f5f1b7bc3b'],
  [31744, '62b6960e1a44bcc1eb1a611a8d6235b6b4b78f32e7abc4fb4c6cdcce94895c47'],
  [102400, 'bc3e3d41a1146b069abffad3c0d44860cf664390afce4d9661f7902e7943e085'],
])
for (const [length, expected] of blake3) {
  test(`BLAKE3 test_vectors.json: ${length} bytes 0, 1 … 250, 0 …`, async () => {
    assert.equal(
      await hex(
        'BLAKE3',
        Uint8Array.from({ length }, (_, i) => i % 251),
      ),
      expected,
    )
  })
}

/** Lengths 0 to 300, around every block and padding edge, and a few long ones. */
const LENGTHS = [...Array.from({ length: 301 }, (_, length) => length), 1000, 4095, 4097, 65_537, 200_003]

/** The same functions in OpenSSL (through Node) and in Python. */
const openssl: Partial<Record<HashName, string>> = {
  MD5: 'md5',
  'SHA-1': 'sha1',
  'SHA-224': 'sha224',
  'SHA-256': 'sha256',
  'SHA-384': 'sha384',
  'SHA-512': 'sha512',
  'SHA-512/224': 'sha512-224',
  'SHA-512/256': 'sha512-256',
  'SHA3-224': 'sha3-224',
  'SHA3-256': 'sha3-256',
  'SHA3-384': 'sha3-384',
  'SHA3-512': 'sha3-512',
  'BLAKE2b-512': 'blake2b512',
  'BLAKE2s-256': 'blake2s256',
  'RIPEMD-160': 'ripemd160',
  SM3: 'sm3',
}
for (const [name, theirs] of Object.entries(openssl)) {
  test(`${name} equals OpenSSL for ${LENGTHS.length} random messages`, async () => {
    for (const length of LENGTHS) {
      const message = randomBytes(length)
      const expected = createHash(theirs).update(message).digest('hex')
      assert.equal(await hex(name as HashName, message), expected, message.subarray(0, 300).toString('hex'))
    }
  })
}

/** The wasm builds come from C sources, so they share no line with the functions under test. */
for (const name of ['MD4', 'BLAKE3'] as const) {
  test(`${name} equals an independent implementation for ${LENGTHS.length} random messages`, async () => {
    const { md4, blake3: wasmBlake3 } = await import('hash-wasm')
    for (const length of LENGTHS) {
      const message = randomBytes(length)
      const expected = await (name === 'MD4' ? md4(message) : wasmBlake3(message))
      assert.equal(await hex(name, message), expected, message.subarray(0, 300).toString('hex'))
    }
  })
}

test('the SHA-2, SHA-3 and BLAKE2 families equal hashlib of Python for lengths 0 to 300', async () => {
  const hashlib = {
    'SHA-256': 'sha256',
    'SHA-512': 'sha512',
    'SHA3-256': 'sha3_256',
    'SHA3-512': 'sha3_512',
    'BLAKE2b-512': 'blake2b',
    'BLAKE2s-256': 'blake2s',
  } as const
  const message = randomBytes(300)
  const script = [
    'import hashlib,sys',
    'm=sys.stdin.buffer.read()',
    `for n in ${JSON.stringify(Object.values(hashlib))}:`,
    '  for i in range(301): print(hashlib.new(n,m[:i]).hexdigest())',
  ]
  const lines = execFileSync('python3', ['-c', script.join('\n')], { input: message, encoding: 'utf8' }).split('\n')
  for (const [row, name] of (Object.keys(hashlib) as (keyof typeof hashlib)[]).entries()) {
    for (let length = 0; length <= 300; length++) {
      assert.equal(await hex(name, message.subarray(0, length)), lines[row * 301 + length], `${name}, ${length} bytes`)
    }
  }
})

for (const name of hashNames) {
  test(`${name}: pieces give the hash of the whole, and a clone goes its own way`, async () => {
    const hash = await hashFunction(name)
    const message = randomBytes(777)
    for (const cut of [0, 1, 63, 64, 65, 128, 500, 777]) {
      const running = hash.create().update(message.subarray(0, cut))
      const clone = running.clone()
      assert.equal(toHex(running.update(message.subarray(cut)).digest()), await hex(name, message))
      assert.equal(toHex(clone.digest()), await hex(name, message.subarray(0, cut)))
    }
    assert.equal(hash(message).length, hash.outputLen)
  })
}

test('what is not bytes is refused', async () => {
  for (const name of hashNames) {
    const hash = await hashFunction(name)
    // @ts-expect-error the compiler refuses it too
    assert.throws(() => hash('abc'), TypeError)
  }
})
