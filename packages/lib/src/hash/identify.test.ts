import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { identifyHash } from './identify.ts'

/** By mode number. */
const hashcatExamples: readonly [number, string][] = [
  [0, '8743b52063cd84097a65d1633f5c74f5'],
  [10, '01dfae6e5d4d90d9892622325959afbe:7050461'],
  [100, 'b89eaac7e61417341b710b727768294d0e6a277b'],
  [101, '{SHA}uJ6qx+YUFzQbcQtyd2gpTQ5qJ3s='],
  [110, '2fc5a684737ce1bf7b3b239df432416e0dd07357:2014'],
  [111, '{SSHA}AZKja92fbuuB9SpRlHqaoXxbTc43Mzc2MDM1Ng=='],
  [124, 'sha1$fe76b$02d5916550edf7fc8c886f044887f4b1abf9b013'],
  [132, '0x010018102152f8f28c8499d8ef263c53f8be369d799f931b2fbe'],
  [200, '7196759210defdc0'],
  [400, '$P$984478476IagS59wHZvyQMArzfx58u.'],
  [500, '$1$28772684$iEwNOgGugqO9.bIz5sk8k/'],
  [1000, 'b4b9b02e6f09a9bd760f388b67351e2b'],
  [1400, '127e6fbfe24a750e72930c220a8e138275656b8e5d8f48a98c3c92df2caba935'],
  [1410, 'c73d08de890479518ed60cf670d17faa26a4a71f995c1dcc978165399401a6c4:53743528'],
  [1500, '48c/R8JAv757A'],
  [1600, '$apr1$71850310$gh9m4xcAn3MGxogwX/ztb.'],
  [1800, '$6$52450745$k5ka2p8bFuSmoVT1tzOyyuaREkkKBcCNqoDKzYiJL9RaE8yMnPgh2XzzF0NDrUhgrcLwg78xs1w5pJiypEdFX/'],
  [2100, '$DCC2$10240#tom#e4e938d12fe5974dc42a90120bd9c90f'],
  [3200, '$2a$05$LhayLxezLhK1LhWvKxCyLOj0j1u.Kj0jZ0pEmm134uzrQlFvQJLF6'],
  [3711, '$B$56668501$0ce106caa70af57fd525aeaf80ef2898'],
  [
    5500,
    'u4-netntlm::kNS:338d08f8e26de93300000000000000000000000000000000:9526fb8c23a90751cdd619b6cea564742e1e4bf33006ba41:cb8086049ec4736c',
  ],
  [
    5600,
    'admin::N46iSNekpT:08ca45b7d7ea58ee:88dcbe4446168966a153a0064958dac6:5c7830315c7830310000000000000b45c67103d07d7b95acd12ffa11230e0000000052920b85f78d013c31cdb3b92f5d765c783030',
  ],
  [6300, '{smd5}a5/yTL/u$VfvgyHx1xUlXZYBocQpQY0'],
  [6400, '{ssha256}06$aJckFGJAB30LTe10$ohUsB7LBPlgclE3hJg9x042DLJvQyxVCX.nZZLEz.g2'],
  [6700, '{ssha1}06$bJbkFGJAB30L2e23$dCESGOsP7jaIIAJ1QAcmaGeG.kr'],
  [7400, '$5$rounds=5000$GX7BopJZJxPc/KEK$le16UF8I2Anb.rOrn22AUPWvzUETDGefUmAV8AZkGcD'],
  [7900, '$S$C33783772bRXEx1aCsvY.dqgaaSu76XmVlKrW9Qu8IQlvxHlmzLf'],
  [8900, 'SCRYPT:1024:1:1:MDIwMzMwNTQwNDQyNQ==:5FW+zWivLxgCWj7qLiQbeC8zaNQ+qdO0NUinvqyFcfo='],
  [9200, '$8$TnGX/fE4KGHOVU$pEhnEvxrvaynpi8j4f.EMHr6M.FzU8xnZnBr/tJdFWk'],
  [9300, '$9$2MJBozw/9R3UsU$2lFhcKvpghcyw8deP25GOfyZaagyUOGBymkryvOdfo6'],
  [10000, 'pbkdf2_sha256$20000$H0dPx8NeajVu$GiC4k5kqbbR9qWBlsRgDywNqC2vd9kqfk7zdorEnNas='],
  [12400, '_9G..8147mpcfKT8g0U.'],
  [15100, '$sha1$20000$75552156$HhYMDdaEHiK3eMIzTldOFPnw.s2Q'],
]
for (const [mode, hash] of hashcatExamples) {
  test(`hashcat example hashes: mode ${mode} is among the likely ones`, () => {
    const { candidates } = identifyHash(hash)
    if (candidates[0]?.likelihood === 'certain')
      assert.deepEqual(
        candidates.map(({ hashcat }) => hashcat),
        [mode],
      )
    assert.ok(
      candidates.some(({ hashcat, likelihood }) => hashcat === mode && /certain|likely/.test(likelihood)),
      JSON.stringify(candidates),
    )
  })
}

test('the form of every plain hash of OpenSSL holds its function', () => {
  for (const [theirs, name] of [
    ['md5', 'MD5'],
    ['sha1', 'SHA-1'],
    ['ripemd160', 'RIPEMD-160'],
    ['sha224', 'SHA-224'],
    ['sha256', 'SHA-256'],
    ['sha3-256', 'SHA3-256'],
    ['sm3', 'SM3'],
    ['sha384', 'SHA-384'],
    ['sha512', 'SHA-512'],
    ['sha3-512', 'SHA3-512'],
    ['blake2b512', 'BLAKE2b-512'],
  ] as const) {
    const hash = createHash(theirs).update('abc')
    const digest = hash.digest()
    for (const text of [digest.toString('hex'), digest.toString('hex').toUpperCase(), `0x${digest.toString('hex')}`]) {
      assert.ok(
        identifyHash(text).candidates.some(candidate => candidate.name === name),
        `${name}: ${text}`,
      )
    }
    const base64 = identifyHash(digest.toString('base64')).candidates
    assert.ok(
      base64.some(candidate => candidate.name === `${name}, in Base64`),
      name,
    )
  }
})

test('a hash of nothing is certain', () => {
  for (const [theirs, name] of [
    ['md5', 'MD5'],
    ['sha1', 'SHA-1'],
    ['ripemd160', 'RIPEMD-160'],
    ['sha256', 'SHA-256'],
    ['sha3-256', 'SHA3-256'],
  ] as const) {
    const { candidates, empty } = identifyHash(createHash(theirs).digest('hex'))
    assert.equal(empty, name)
    assert.deepEqual([candidates[0]?.name, candidates[0]?.likelihood], [name, 'certain'])
  }
})

test('a line of /etc/shadow is read for its hash', () => {
  const hash = '$1$28772684$iEwNOgGugqO9.bIz5sk8k/'
  const { inner, candidates } = identifyHash(`root:${hash}:19000:0:99999:7:::`)
  assert.equal(inner, hash)
  assert.equal(candidates[0]?.name, 'MD5 crypt')
})

test('what is no hash has no candidates', () => {
  for (const text of ['', ' ', 'hello world', 'abc', '12345', 'zz'.repeat(16), '0x', '-'.repeat(10), 'é'.repeat(32)]) {
    assert.deepEqual(identifyHash(text).candidates, [], text)
  }
})
