import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { CHash } from '@noble/hashes/utils.js'
import { fromUtf8, toHex } from '../bytes.ts'
import { ripemd128, ripemd256, ripemd320 } from './ripemd.ts'

const functions = { 'RIPEMD-128': ripemd128, 'RIPEMD-256': ripemd256, 'RIPEMD-320': ripemd320 }

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz'
const published: [CHash, string, string][] = [
  [ripemd128, '', 'cdf26213a150dc3ecb610f18f6b38b46'],
  [ripemd128, 'a', '86be7afa339d0fc7cfc785e72f578d33'],
  [ripemd128, 'abc', 'c14a12199c66e4ba84636b0f69144c77'],
  [ripemd128, 'message digest', '9e327b3d6e523062afc1132d7df9d1b8'],
  [ripemd128, ALPHABET, 'fd2aa607f71dc8f510714922b371834e'],
  [ripemd256, '', '02ba4c4e5f8ecd1877fc52d64d30e37a2d9774fb1e5d026380ae0168e3c5522d'],
  [ripemd256, 'a', 'f9333e45d857f5d90a91bab70a1eba0cfb1be4b0783c9acfcd883a9134692925'],
  [ripemd256, 'abc', 'afbd6e228b9d8cbbcef5ca2d03e6dba10ac0bc7dcbe4680e1e42d2e975459b65'],
  [ripemd256, 'message digest', '87e971759a1ce47a514d5c914c392c9018c7c46bc14465554afcdf54a5070c0e'],
  [ripemd320, '', '22d65d5661536cdc75c1fdf5c6de7b41b9f27325ebc61e8557177d705a0ec880151c3a32a00899b8'],
  [ripemd320, 'a', 'ce78850638f92658a5a585097579926dda667a5716562cfcf6fbe77f63542f99b04705d6970dff5d'],
  [ripemd320, 'abc', 'de4c01b3054f8930a79d09ae738e92301e5a17085beffdc1b8d116713e74f82fa942d64cdbc4682d'],
  [ripemd320, 'message digest', '3a8e28502ed45d422f68844f9dd316e7b98533fa3f2a91d29f84d425c88d6b4eff727df66a7c0197'],
]
for (const [hash, message, expected] of published) {
  test(`RIPEMD-160 page of Bosselaers: ${hash.outputLen * 8} bits of "${message}"`, () =>
    assert.equal(toHex(hash(fromUtf8(message))), expected))
}

const hasCryptX = (() => {
  try {
    execFileSync('perl', ['-MCrypt::Digest', '-e', '1'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

for (const [name, hash] of Object.entries(functions)) {
  test(`${name}: 310 random messages equal LibTomCrypt`, { skip: !hasCryptX }, () => {
    const messages = [...Array.from({ length: 300 }, (_, length) => randomBytes(length))]
    for (let i = 0; i < 10; i++) messages.push(randomBytes(1000 + i * 997))
    const program = `while (<>) { chomp; print Crypt::Digest::digest_data_hex('${name.replace('-', '')}', pack('H*', $_)), "\\n" }`
    const input = messages.map(message => `${message.toString('hex')}\n`).join('')
    const printed = execFileSync('perl', ['-MCrypt::Digest', '-e', program], { input, encoding: 'utf8' })
    assert.deepEqual(
      messages.map(message => toHex(hash(message))),
      printed.trim().split('\n'),
    )
  })
}
