import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { actions } from '@assay/catalogue/catalogue'
import { type Trial, trial } from './trial.ts'

const bcrypted = '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'

/** Posted tools of §7 by published values: what is posted to which path, and what comes back. */
const vectors: readonly (readonly [name: string, path: string, body: object, result: object])[] = [
  [
    '[CTL-006] hashcat example hashes, mode 3200: hash-identifier',
    'hash-identifier',
    { hash_value: bcrypted },
    { hashes: [{ candidates: [{ name: 'bcrypt', likelihood: 'certain', hashcat: 3200 }] }] },
  ],
  [
    '[CTL-007] crypt_blowfish wrapper.c: bcrypt',
    'bcrypt/hash',
    { password: 'U*U', rounds: 5, salt: '10410410410410410410410410410410', version: '2a' },
    { hash_value: bcrypted },
  ],
  [
    '[CTL-009] RFC 6070 §2: pbkdf2',
    'pbkdf2',
    { password: 'password', salt: 'salt', iterations: 2, dklen: 20, algorithm: 'SHA-1' },
    { key: 'ea6c014dc72d6f8ccd1ed92ace1d41f0d8de8957' },
  ],
  [
    '[CTL-010] RFC 7914 §12: scrypt',
    'scrypt',
    { password: '', salt: '', n: 16, r: 1, p: 1, dklen: 64 },
    {
      key: '77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906',
    },
  ],
  [
    '[CTL-011] RIPEMD-160 page of Bosselaers: ripemd',
    'ripemd',
    { input_text: 'message digest' },
    { hash: '5d0689ef49d2fae572b881b123a85ffa21595f36' },
  ],
  [
    '[CTL-013] RFC 7693 §A: blake2b',
    'blake2b',
    { input_text: 'abc' },
    {
      hash: 'ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d17d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923',
    },
  ],
  [
    '[CTL-014] RFC 7693 §B: blake2s',
    'blake2s',
    { input_text: 'abc' },
    { hash: '508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982' },
  ],
  ['[CTL-016] Go hash/adler32, golden values: adler32', 'adler32', { input_text: 'abc' }, { checksum: '024d0127' }],
  ['[CTL-017] CRC RevEng catalogue, CRC-16/ARC: crc16', 'crc16', { input_text: '123456789' }, { checksum: 'bb3d' }],
  [
    '[CTL-018] RFC 4493 §4, example 2: cmac',
    'cmac',
    { message: '6bc1bee22e409f96e93d7e117393172a', message_format: 'Hex', key: '2b7e151628aed2a6abf7158809cf4f3c' },
    { cmac: '070a16b46b4d4144f79bdd9dd04a287c' },
  ],
  [
    '[CTL-019] ssdeep 2.14: ssdeep',
    'ssdeep/hash',
    { input_text: 'Also called fuzzy hashes, Ctph can match inputs that have homologies.' },
    { hash_value: '3:AXGBicFlgVNhBGcL6wCrFQEv:AXGHsNhxLsr2C' },
  ],
  [
    '[CTL-020] documentation of the crate tlsh2: tlsh',
    'tlsh/hash',
    { input_text: 'odit aut fugit, sed quia consequuntur magni dolores' },
    { hash_value: 'T1A0900206425501145D739B981A514555312B55C556D1873848994257D60808446B2284' },
  ],
  [
    '[CTL-021] Bitcoin block 170: merkle-tree',
    'merkle-tree',
    {
      input_text:
        'b1fea52486ce0c62bb442b530a3f0132b826c74e473d1f2c220bfa78111c5082\nf4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16',
      mode: 'Bitcoin',
    },
    { root: '7dac2c5666815c17a3b36427de37bb9d2e2c5ccec3f8633eb91a4205cb4c10ff' },
  ],
  [
    '[CTL-022] kubo README: ipfs-hash',
    'ipfs-hash',
    { input_text: 'hello world\n', version: 'CIDv0' },
    { cid: 'QmT78zSuBmuS4z925WZfrqQ1qHaJ56DQaTfyMUF7F8ff5o' },
  ],
]

/** Field names of §3, each with an action whose first example that gives it is posted. */
const names: readonly (readonly [name: string, field: string, path: string])[] = [
  ['[CTL-090]', 'input_text', 'md5'],
  ['[CTL-091]', 'text', 'rot13'],
  ['[CTL-092]', 'key', 'hmac'],
  ['[CTL-095]', 'iv', 'aes/encrypt'],
  ['[CTL-096]', 'nonce', 'chacha20/encrypt'],
  ['[CTL-097]', 'aad', 'aes/encrypt'],
  ['[CTL-099]', 'salt', 'pbkdf2'],
  ['[CTL-100]', 'iterations', 'pbkdf2'],
  ['[CTL-101]', 'dklen', 'scrypt'],
  ['[CTL-102]', 'n', 'scrypt'],
  ['[CTL-103]', 'r', 'scrypt'],
  ['[CTL-104]', 'p', 'scrypt'],
  ['[CTL-105]', 'password', 'bcrypt/verify'],
  ['[CTL-106]', 'passphrase', 'rsa-key-generator'],
  ['[CTL-107]', 'privateKey', 'rsa/decrypt'],
  ['[CTL-108]', 'publicKey', 'ecdsa/verify'],
  ['[CTL-109]', 'message', 'cmac'],
  ['[CTL-110]', 'signature', 'signature-verify'],
  ['[CTL-111]', 'certificate', 'ssl-pinning'],
  ['[CTL-114]', 'algorithm', 'sha'],
]

/** Named in §3 by their fixed choices alone (OPEN-052). */
const byChoices = [
  'ssh-key-generator',
  'rainbow-table',
  'brainfuck',
  'numeral-converter',
  'ecdh',
  'padding-scheme',
  'signature-verify',
  'key-format-converter',
  'dictionary-attack',
  'self-signed-certificate',
  'csr-generator',
  'hash-length-extension',
]

describe('posted tools', () => {
  let app: Trial
  const post = (path: string, payload: object) => app.inject({ method: 'POST', url: `/api/${path}/`, payload })

  before(async () => {
    app = await trial({ after: () => {} }, { catalogue: true })
  })
  after(() => app.close())

  for (const [name, path, body, result] of vectors) {
    test(name, async () => {
      const answer = await post(path, body)
      assert.equal(answer.statusCode, 200, answer.body)
      assert.partialDeepStrictEqual(answer.json(), result)
    })
  }

  for (const [id, field, path] of names) {
    test(`${id} ${field} is a key of what is posted, in this spelling`, async () => {
      const { action } = actions.find(({ action }) => action.path === path) ?? {}
      const { input, result } = action?.examples.find(({ input }) => field in input) ?? {}
      assert.ok(input && result, path)
      const answer = await post(path, input)
      assert.equal(answer.statusCode, 200, answer.body)
      assert.partialDeepStrictEqual(answer.json(), result)
      const { [field]: value, ...others } = input
      const misspelled = await post(path, { ...others, [`${field}_`]: value })
      assert.equal(misspelled.statusCode, 400)
      assert.match(misspelled.json().error, /Unknown field/)
    })
  }

  for (const id of byChoices) {
    test(`[OPEN-052] ${id} is posted to its id like any other`, async () => {
      const { action } = actions.find(({ action }) => action.path === id) ?? {}
      const [example] = action?.examples ?? []
      assert.ok(example, id)
      const answer = await post(id, example.input)
      assert.equal(answer.statusCode, 200, answer.body)
      // What was made on a recorded clock differs here in its numbers, not in its parts.
      if (example.recording) for (const name of Object.keys(example.result)) assert.ok(answer.json()[name], name)
      else assert.partialDeepStrictEqual(answer.json(), example.result)
    })
  }
})
