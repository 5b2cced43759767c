import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { fromHex, fromUtf8, toHex } from '../bytes.ts'
import type { HashName } from '../hash/digest.ts'
import { hmac, isTag, leastTagBytes } from './hmac.ts'

const bytes = (byte: number, length: number) => new Uint8Array(length).fill(byte)
const upTo = (length: number) => Uint8Array.from({ length }, (_, i) => i + 1)

interface Case {
  section: string
  key: Uint8Array
  message: Uint8Array
  tags: Partial<Record<HashName, string>>
}

/** Tags of RFC 2202 that are marked "digest-96" are cut from the whole ones that stand here. */
const rfc2202: Case[] = [
  {
    section: 'test case 1',
    key: bytes(0x0b, 16),
    message: fromUtf8('Hi There'),
    tags: { MD5: '9294727a3638bb1c13f48ef8158bfc9d' },
  },
  {
    section: 'test case 2',
    key: fromUtf8('Jefe'),
    message: fromUtf8('what do ya want for nothing?'),
    tags: { MD5: '750c783e6ab0b503eaa86e310a5db738', 'SHA-1': 'effcdf6ae5eb2fa2d27416d5f184df9c259a7c79' },
  },
  {
    section: 'test case 3',
    key: bytes(0xaa, 16),
    message: bytes(0xdd, 50),
    tags: { MD5: '56be34521d144c88dbb8c733f0e8b3f6' },
  },
  {
    section: 'test case 4',
    key: upTo(25),
    message: bytes(0xcd, 50),
    tags: { MD5: '697eaf0aca3a3aea3a75164746ffaa79', 'SHA-1': '4c9007f4026250c6bc8414f9bf50c86c2d7235da' },
  },
  {
    section: 'test case 5',
    key: bytes(0x0c, 16),
    message: fromUtf8('Test With Truncation'),
    tags: { MD5: '56461ef2342edc00f9bab995690efd4c' },
  },
  {
    section: 'test case 6',
    key: bytes(0xaa, 80),
    message: fromUtf8('Test Using Larger Than Block-Size Key - Hash Key First'),
    tags: { MD5: '6b1ab7fe4bd7bf8f0b62e6ce61b9d0cd', 'SHA-1': 'aa4ae5e15272d00e95705637ce8a3b55ed402112' },
  },
  {
    section: 'test case 7',
    key: bytes(0xaa, 80),
    message: fromUtf8('Test Using Larger Than Block-Size Key and Larger Than One Block-Size Data'),
    tags: { MD5: '6f630fad67cda0ee1fb1f562db3aa53e', 'SHA-1': 'e8e99d0f45237d786d6bbaa7965c7808bbff1a91' },
  },
  {
    section: 'test case 1 (SHA-1)',
    key: bytes(0x0b, 20),
    message: fromUtf8('Hi There'),
    tags: { 'SHA-1': 'b617318655057264e28bc0b6fb378c8ef146be00' },
  },
  {
    section: 'test case 3 (SHA-1)',
    key: bytes(0xaa, 20),
    message: bytes(0xdd, 50),
    tags: { 'SHA-1': '125d7342b9ac11cd91a39af48aa17b4f63f175d3' },
  },
  {
    section: 'test case 5 (SHA-1)',
    key: bytes(0x0c, 20),
    message: fromUtf8('Test With Truncation'),
    tags: { 'SHA-1': '4c1a03424b55e07fe7f27be1d58bb9324a9a5a04' },
  },
]

const rfc4231: Case[] = [
  {
    section: '§4.2',
    key: bytes(0x0b, 20),
    message: fromUtf8('Hi There'),
    tags: {
      'SHA-224': '896fb1128abbdf196832107cd49df33f47b4b1169912ba4f53684b22',
      'SHA-256': 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
      'SHA-384': 'afd03944d84895626b0825f4ab46907f15f9dadbe4101ec682aa034c7cebc59cfaea9ea9076ede7f4af152e8b2fa9cb6',
      'SHA-512':
        '87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cdedaa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854',
    },
  },
  {
    section: '§4.3',
    key: fromUtf8('Jefe'),
    message: fromUtf8('what do ya want for nothing?'),
    tags: {
      'SHA-224': 'a30e01098bc6dbbf45690f3a7e9e6d0f8bbea2a39e6148008fd05e44',
      'SHA-256': '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
      'SHA-384': 'af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e8e2240ca5e69e2c78b3239ecfab21649',
      'SHA-512':
        '164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737',
    },
  },
  {
    section: '§4.4',
    key: bytes(0xaa, 20),
    message: bytes(0xdd, 50),
    tags: {
      'SHA-224': '7fb3cb3588c6c1f6ffa9694d7d6ad2649365b0c1f65d69d1ec8333ea',
      'SHA-256': '773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe',
      'SHA-384': '88062608d3e6ad8a0aa2ace014c8a86f0aa635d947ac9febe83ef4e55966144b2a5ab39dc13814b94e3ab6e101a34f27',
      'SHA-512':
        'fa73b0089d56a284efb0f0756c890be9b1b5dbdd8ee81a3655f83e33b2279d39bf3e848279a722c806b485a47e67c807b946a337bee8942674278859e13292fb',
    },
  },
  {
    section: '§4.5',
    key: upTo(25),
    message: bytes(0xcd, 50),
    tags: {
      'SHA-224': '6c11506874013cac6a2abc1bb382627cec6a90d86efc012de7afec5a',
      'SHA-256': '82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b',
      'SHA-384': '3e8a69b7783c25851933ab6290af6ca77a9981480850009cc5577c6e1f573b4e6801dd23c4a7d679ccf8a386c674cffb',
      'SHA-512':
        'b0ba465637458c6990e5a8c5f61d4af7e576d97ff94b872de76f8050361ee3dba91ca5c11aa25eb4d679275cc5788063a5f19741120c4f2de2adebeb10a298dd',
    },
  },
  {
    section: '§4.7',
    key: bytes(0xaa, 131),
    message: fromUtf8('Test Using Larger Than Block-Size Key - Hash Key First'),
    tags: {
      'SHA-224': '95e9a0db962095adaebe9b2d6f0dbce2d499f112f2d2b7273fa6870e',
      'SHA-256': '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
      'SHA-384': '4ece084485813e9088d2c63a041bc5b44f9ef1012a2b588f3cd11f05033ac4c60c2ef6ab4030fe8296248df163f44952',
      'SHA-512':
        '80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f3526b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598',
    },
  },
  {
    section: '§4.8',
    key: bytes(0xaa, 131),
    message: fromUtf8(
      'This is a test using a larger than block-size key and a larger than block-size data. The key needs to be hashed before being used by the HMAC algorithm.',
    ),
    tags: {
      'SHA-224': '3a854166ac5d9f023f54d517d0b39dbd946770db9c2b95c9f6f565d1',
      'SHA-256': '9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2',
      'SHA-384': '6617178e941f020d351e2f254e8fd32c602420feb0b8fb9adccebb82461e99c5a678cc31e799176d3860e6110c46523e',
      'SHA-512':
        'e37b6a775dc87dbaa4dfa9f96e5e3ffddebd71f8867289865df5a32d20cdc944b6022cac3c4982b10d5eeb55c3e4de15134676fb6de0446065c97440fa8c6a58',
    },
  },
]

for (const [document, cases] of [
  ['RFC 2202', rfc2202],
  ['RFC 4231', rfc4231],
] as const) {
  for (const { section, key, message, tags } of cases) {
    test(`${document} ${section}: ${Object.keys(tags).join(', ')}`, async () => {
      for (const [name, expected] of Object.entries(tags)) {
        assert.equal(toHex(await hmac(name as HashName, key, message)), expected, name)
      }
    })
  }
}

test('RFC 4231 §4.6: a code cut to 128 bits is accepted, a shorter one is not', async () => {
  const key = bytes(0x0c, 20)
  const message = fromUtf8('Test With Truncation')
  const cut: Partial<Record<HashName, string>> = {
    'SHA-224': '0e2aea68a90c8d37c988bcdb9fca6fa8',
    'SHA-256': 'a3b6167473100ee06e0c796c2955552b',
  }
  for (const [name, expected] of Object.entries(cut)) {
    const whole = await hmac(name as HashName, key, message)
    assert.equal(toHex(whole.subarray(0, 16)), expected)
    assert.ok(isTag(fromHex(expected), whole))
    assert.ok(!isTag(fromHex(expected).subarray(0, leastTagBytes(whole.length) - 1), whole))
  }
})

test('RFC 2104 §5: no fewer bits than half the hash, and no fewer than 80', () => {
  assert.deepEqual([16, 20, 28, 32, 64].map(leastTagBytes), [10, 10, 14, 16, 32])
})

test('a code that differs in any one bit, is longer or is empty is refused', async () => {
  const tag = await hmac('SHA-256', fromUtf8('Jefe'), fromUtf8('what do ya want for nothing?'))
  assert.ok(isTag(tag, tag))
  for (let bit = 0; bit < tag.length * 8; bit++) {
    const changed = tag.slice()
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    assert.ok(!isTag(changed, tag))
  }
  assert.ok(!isTag(new Uint8Array([...tag, 0]), tag))
  assert.ok(!isTag(new Uint8Array(), tag))
})

const openssl: Partial<Record<HashName, string>> = {
  MD5: 'md5',
  'SHA-1': 'sha1',
  'SHA-224': 'sha224',
  'SHA-256': 'sha256',
  'SHA-384': 'sha384',
  'SHA-512': 'sha512',
  'SHA-512/256': 'sha512-256',
  'SHA3-224': 'sha3-224',
  'SHA3-256': 'sha3-256',
  'SHA3-384': 'sha3-384',
  'SHA3-512': 'sha3-512',
  'RIPEMD-160': 'ripemd160',
  SM3: 'sm3',
  'BLAKE2b-512': 'blake2b512',
}
for (const [name, theirs] of Object.entries(openssl)) {
  test(`HMAC with ${name} equals OpenSSL for 300 random keys and messages`, async () => {
    for (let length = 0; length < 300; length++) {
      const key = randomBytes((length * 7) % 301)
      const message = randomBytes(length)
      const expected = createHmac(theirs, key).update(message).digest('hex')
      assert.equal(toHex(await hmac(name as HashName, key, message)), expected, key.toString('hex'))
    }
  })
}

test('HMAC-SHA-256 equals hmac of Python for 200 random keys and messages', async () => {
  const cases = Array.from({ length: 200 }, (_, i) => ({
    key: randomBytes(i),
    message: randomBytes((i * 13) % 300),
  }))
  const script =
    'import hmac,json,sys\nprint(json.dumps([hmac.new(bytes.fromhex(k),bytes.fromhex(m),"sha256").hexdigest() for k,m in json.load(sys.stdin)]))'
  const input = JSON.stringify(cases.map(({ key, message }) => [key.toString('hex'), message.toString('hex')]))
  const theirs: unknown = JSON.parse(execFileSync('python3', ['-c', script], { input, encoding: 'utf8' }))
  const ours = await Promise.all(cases.map(async ({ key, message }) => toHex(await hmac('SHA-256', key, message))))
  assert.deepEqual(ours, theirs)
})
