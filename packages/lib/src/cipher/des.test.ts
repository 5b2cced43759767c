import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { fromHex, fromUtf8, toHex, toUtf8 } from '../bytes.ts'
import type { BlockCipher } from './block-cipher.ts'
import { decryptBlocks, encryptBlocks } from './block-mode.ts'
import { des, desKeyWeakness, desParityErrors, judgeDesKey, judgeTripleDesKey, tripleDes } from './des.ts'

const encrypt = (key: string, text: string): string => {
  const block = fromHex(text)
  des(fromHex(key)).encrypt(block, 0)
  return toHex(block)
}

for (const [key, plaintext, ciphertext] of [
  ['0000000000000000', '0000000000000000', '8ca64de9c1b123a7'],
  ['ffffffffffffffff', 'ffffffffffffffff', '7359b2163e4edc58'],
  ['3000000000000000', '1000000000000001', '958e6e627a05557b'],
  ['1111111111111111', '1111111111111111', 'f40379ab9e0ec533'],
  ['0123456789abcdef', '1111111111111111', '17668dfc7292532d'],
  ['1111111111111111', '0123456789abcdef', '8a5ae1f81ab8f2dd'],
  ['fedcba9876543210', '0123456789abcdef', 'ed39d950fa74bcc4'],
] as const) {
  test(`OpenSSL evpciph_des.txt: ${plaintext} under ${key}`, () => {
    assert.equal(encrypt(key, plaintext), ciphertext)
    const block = fromHex(ciphertext)
    des(fromHex(key)).decrypt(block, 0)
    assert.equal(toHex(block), plaintext)
  })
}

test('FIPS 81: the examples of CBC and of CFB with 64 bits', () => {
  const job = { cipher: des(fromHex('0123456789abcdef')), iv: fromHex('1234567890abcdef'), padding: 'None' } as const
  const text = fromHex('4e6f77206973207468652074696d6520666f7220616c6c20')
  for (const [mode, length, ciphertext] of [
    ['CBC', 8, 'e5c7cdde872bf27c'],
    ['CFB', 24, 'f3096249c7f46e51a69e839b1a92f78403467133898ea622'],
  ] as const) {
    const made = encryptBlocks({ ...job, mode }, text.slice(0, length), () => new Uint8Array())
    assert.equal(toHex(made), ciphertext)
    assert.deepEqual(decryptBlocks({ ...job, mode }, made), text.slice(0, length))
  }
})

/** One bit set, from the left. */
const bits = (skip: (i: number) => boolean) =>
  Array.from({ length: 64 }, (_, i) => i)
    .filter(i => !skip(i))
    .map(i => (1n << BigInt(63 - i)).toString(16).padStart(16, '0'))

test('NIST SP 800-17: the variable plaintext and variable key tests equal OpenSSL', () => {
  const weak = '0101010101010101'
  const plaintexts = bits(() => false)
  assert.equal(encrypt(weak, plaintexts[0] ?? ''), '95f8a5e5dd31d900')
  const ecb = (key: string, hex: string) =>
    execFileSync('openssl', ['enc', '-provider', 'legacy', '-provider', 'default', '-des-ecb', '-nopad', '-K', key], {
      input: Buffer.from(hex, 'hex'),
    }).toString('hex')
  assert.equal(plaintexts.map(text => encrypt(weak, text)).join(''), ecb(weak, plaintexts.join('')))
  // Every block back to the first: the inverse permutations undone.
  assert.deepEqual(
    plaintexts.map(text => encrypt(weak, encrypt(weak, text))),
    plaintexts,
  )
  for (const key of bits(i => i % 8 === 7).filter((_, i) => i % 8 === 0)) {
    assert.equal(encrypt(key, '0'.repeat(16)), ecb(key, '0'.repeat(16)))
  }
})

test('FIPS 46-3: the bits of parity change nothing', () => {
  const text = '0123456789abcdef'
  assert.equal(encrypt('0123456789abcdef', text), encrypt('0022446688aaccee', text))
  assert.deepEqual(desParityErrors(fromHex('0123456789abcdef')), [])
  assert.deepEqual(desParityErrors(fromHex('0023446789aacdef')), [1, 3, 6])
  assert.match(judgeDesKey(fromHex('0123456789abcdee')).properties.Parity, /^Even in byte 8;/)
})

test('NIST SP 800-67 §3.3.2: weak and semi-weak keys are known, with any parity', () => {
  for (const key of ['0101010101010101', 'fefefefefefefefe', 'e0e0e0e0f1f1f1f1', '1f1f1f1f0e0e0e0e']) {
    assert.equal(desKeyWeakness(fromHex(key)), 'weak', key)
    assert.equal(encrypt(key, encrypt(key, '0123456789abcdef')), '0123456789abcdef')
  }
  assert.equal(desKeyWeakness(new Uint8Array(8)), 'weak')
  for (const [one, other] of [
    ['011f011f010e010e', '1f011f010e010e01'],
    ['01e001e001f101f1', 'e001e001f101f101'],
    ['01fe01fe01fe01fe', 'fe01fe01fe01fe01'],
    ['1fe01fe00ef10ef1', 'e01fe01ff10ef10e'],
    ['1ffe1ffe0efe0efe', 'fe1ffe1ffe0efe0e'],
    ['e0fee0fef1fef1fe', 'fee0fee0fef1fef1'],
  ] as const) {
    assert.equal(desKeyWeakness(fromHex(one)), 'semi-weak', one)
    assert.equal(desKeyWeakness(fromHex(other)), 'semi-weak', other)
    assert.equal(encrypt(one, encrypt(other, '0123456789abcdef')), '0123456789abcdef')
  }
  assert.equal(desKeyWeakness(fromHex('01011f1f01010e0e')), 'possibly weak')
  assert.equal(desKeyWeakness(fromHex('0123456789abcdef')), undefined)
})

test('keys of other lengths are refused', () => {
  for (const length of [0, 1, 7, 9, 16, 24]) {
    assert.throws(() => des(new Uint8Array(length)), { name: 'RangeError', message: `expected 8 bytes, got ${length}` })
  }
})

test('NIST SP 800-67: the example of Appendix B, three keys', () => {
  const cipher = tripleDes(fromHex('0123456789abcdef23456789abcdef01456789abcdef0123'))
  const job = { cipher, mode: 'ECB', iv: new Uint8Array(), padding: 'None' } as const
  const made = encryptBlocks(job, fromUtf8('The qufck brown fox jump'), () => new Uint8Array())
  assert.equal(toHex(made), 'a826fd8ce53b855fcce21c8112256fe668d5c05dd9b6b900')
  assert.equal(toUtf8(decryptBlocks(job, made)), 'The qufck brown fox jump')
})

test('NIST SP 800-67: two keys are three of which the last is the first, and one key is DES', () => {
  const [one, two] = ['0123456789abcdef', 'fedcba9876543210']
  const text = fromHex('4e6f77206973207468652074696d6520')
  const ecb = (cipher: BlockCipher) =>
    toHex(encryptBlocks({ cipher, mode: 'ECB', iv: new Uint8Array(), padding: 'None' }, text, () => new Uint8Array()))
  assert.equal(ecb(tripleDes(fromHex(one + two))), ecb(tripleDes(fromHex(one + two + one))))
  assert.equal(ecb(tripleDes(fromHex(one + one))), ecb(des(fromHex(one))))
  assert.equal(ecb(tripleDes(fromHex(two + two + one))), ecb(des(fromHex(one))))
  assert.equal(ecb(tripleDes(fromHex(one + two + two))), ecb(des(fromHex(one))))
})

test('NIST SP 800-67: a bundle is judged by how its keys differ, whatever their parity', () => {
  const [one, two, three] = ['0123456789abcdef', 'fedcba9876543210', '1112223334445556']
  const judged = (key: string) => judgeTripleDesKey(fromHex(key))
  assert.deepEqual(
    [judged(one + two + three).properties.Keying, judged(one + two).properties.Keying],
    ['Three keys, 168 bits that count', 'Two keys, 112 bits that count'],
  )
  assert.deepEqual([judged(one + two + three).warnings, judged(one + two + one).warnings], [[], []])
  for (const key of [one + one, one + one + two, two + one + one, `${one}0022446688aaccee${two}`]) {
    assert.equal(judged(key).properties.Keying, 'One key')
    assert.match(judged(key).warnings.join(), /single DES/)
  }
  assert.match(judged(`${one}0101010101010101${two}`).warnings.join(), /^Key 2 is a weak key/)
  assert.equal(judged(`0101010101010101${one}`).warnings.length, 1)
})

test('bundles of other lengths are refused', () => {
  for (const length of [0, 8, 15, 17, 23, 25, 32]) {
    assert.throws(() => tripleDes(new Uint8Array(length)), {
      name: 'RangeError',
      message: `expected 16 or 24 bytes, got ${length}`,
    })
  }
})
