import assert from 'node:assert/strict'
import { createDiffieHellman, createPrivateKey, createPublicKey, diffieHellman, getDiffieHellman } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fromHex, toHex } from '../bytes.ts'
import {
  checkDhPrivate,
  checkDhPublic,
  checkedDhGroup,
  dhGroupOfPem,
  dhPrivatePem,
  dhPublic,
  dhPublicPem,
  dhSecret,
  generateDhKey,
  namedDhGroup,
  readDhPem,
} from './dh.ts'
import { type DhGroupName, dhGroups } from './dh-groups.ts'
import { modPow } from './modular.ts'
import { isProbablePrime } from './prime.ts'

const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))
const names = Object.keys(dhGroups) as DhGroupName[]

/** ⌊2^bits · e⌋ by its series, and ⌊2^bits · π⌋ by Machin's formula, both with 64 bits to spare. */
function eulerTimes(bits: number): bigint {
  let [sum, term] = [0n, 1n << BigInt(bits + 64)]
  for (let k = 1n; term; k++) {
    sum += term
    term /= k
  }
  return sum >> 64n
}
function piTimes(bits: number): bigint {
  const arctan = (n: bigint) => {
    let [power, sum] = [(1n << BigInt(bits + 64)) / n, 0n]
    for (let k = 1n; power; k += 2n) {
      sum += k % 4n === 1n ? power / k : -(power / k)
      power /= n * n
    }
    return sum
  }
  return (4n * (4n * arctan(5n) - arctan(239n))) >> 64n
}

test('RFC 7919 appendix A and RFC 3526 §§3 to 5: every prime follows from its formula, and half of it is prime too', async () => {
  for (const [name, bits, times, x] of [
    ['ffdhe2048', 2048, eulerTimes, 560316n],
    ['ffdhe3072', 3072, eulerTimes, 2625351n],
    ['ffdhe4096', 4096, eulerTimes, 5736041n],
    ['modp14', 2048, piTimes, 124476n],
    ['modp15', 3072, piTimes, 1690314n],
    ['modp16', 4096, piTimes, 240904n],
  ] as const) {
    const b = BigInt(bits)
    const { p } = dhGroups[name]
    assert.equal(p, (1n << b) - (1n << (b - 64n)) + ((times(bits - 130) + x) << 64n) - 1n, name)
    for (const prime of [p, (p - 1n) / 2n]) assert.ok(await isProbablePrime(prime, { rounds: 1, random }))
    assert.equal(modPow(2n, (p - 1n) / 2n, p), 1n, 'the generator has the order (p − 1) / 2')
  }
})

test('RFC 3526: the primes are those of OpenSSL', () => {
  for (const name of ['modp14', 'modp15', 'modp16'] as const) {
    assert.equal(BigInt(`0x${getDiffieHellman(name).getPrime('hex')}`), dhGroups[name].p)
  }
})

test('OpenSSL agrees on the same secrets, 212 times, and reads the keys', () => {
  for (const name of names) {
    const group = namedDhGroup(name)
    const theirs = createDiffieHellman(Buffer.from(group.p.toString(16), 'hex'), 2)
    const other = BigInt(`0x${theirs.generateKeys('hex')}`)
    for (let i = 0; i < (group.p >> 2048n ? 13 : 80); i++) {
      const x = generateDhKey(group, random)
      const y = dhPublic(group, x)
      checkDhPrivate(group, x)
      checkDhPublic(group, y)
      assert.equal(x.toString(2).length, group.privateBits)
      const secret = toHex(dhSecret(group, x, other))
      if (i) {
        const padded = y.toString(16).padStart(group.p.toString(16).length, '0')
        const computed = theirs.computeSecret(padded, 'hex', 'hex')
        assert.equal(secret, computed.padStart(secret.length, '0'))
        continue
      }
      const privateKey = createPrivateKey(dhPrivatePem(group, x))
      assert.ok(createPublicKey(privateKey).equals(createPublicKey(dhPublicPem(group, y))))
      const publicKey = createPublicKey(dhPublicPem(group, other))
      assert.equal(diffieHellman({ privateKey, publicKey }).toString('hex'), secret)
      assert.equal(readDhPem(dhPrivatePem(group, x), group, 'private'), x)
      assert.equal(readDhPem(dhPublicPem(group, y), group, 'public'), y)
    }
  }
})

test('leading zeros of a secret stay', async () => {
  const group = await checkedDhGroup(65537n, 3n, { random })
  for (let x = 1n; x < 300n; x++) assert.equal(dhSecret(group, x, 3n).length, 3)
})

test('groups of one’s own: what is no group is refused', async () => {
  const { p } = dhGroups.ffdhe2048
  const own = (p: bigint, g: bigint) => checkedDhGroup(p, g, { random })
  assert.deepEqual(await own(23n, 5n), { p: 23n, g: 5n, safePrime: true })
  assert.equal((await own(p, 2n)).safePrime, true)
  assert.equal((await own(13n, 2n)).safePrime, false)
  for (const [prime, g, message] of [
    [p + 2n, 2n, /p is not a prime/],
    [561n, 2n, /p is not a prime/],
    [4n, 2n, /below 5/],
    [1n << 5000n, 2n, /has 5001 bits, and the most taken is 4096/],
    [p, 1n, /g is not from 2/],
    [p, p - 1n, /g is not from 2/],
    [p, 0n, /g is not from 2/],
    [p, p + 2n, /g is not from 2/],
  ] as const) {
    await assert.rejects(own(prime, g), { name: 'RangeError', message })
  }
})

test('small subgroups: a generator and a public key of small order are refused', async () => {
  // A prime p = 2 · 3 · 5 · 7 · r + 1 over 1024 bits, found here: r is any prime that fits.
  let r = (1n << 1100n) + 1n
  let p = 210n * r + 1n
  while (!(await isProbablePrime(p, { rounds: 2, random }))) {
    r += 2n
    p = 210n * r + 1n
  }
  const small = modPow(2n, r, p)
  await assert.rejects(checkedDhGroup(p, small, { random }), /small subgroup/)
  const group = await checkedDhGroup(p, 2n, { random })
  assert.equal(group.safePrime, false)
  assert.throws(() => checkDhPublic(group, small), /small subgroup/)
  checkDhPublic(group, dhPublic(group, 12345n))
})

test('NIST SP 800-56A §5.6.2.3.1: public keys that give a secret known to all are refused', () => {
  const group = namedDhGroup('modp14')
  for (const y of [-1n, 0n, 1n, group.p - 1n, group.p, group.p + 1n]) {
    assert.throws(() => checkDhPublic(group, y), /not from 2 to p − 2/)
  }
  for (const x of [0n, -5n, group.p - 1n]) assert.throws(() => checkDhPrivate(group, x), /not from 1 to p − 2/)
})

test('PEM of another group or kind is refused', () => {
  const [one, two] = [namedDhGroup('modp14'), namedDhGroup('ffdhe2048')]
  assert.throws(() => readDhPem(dhPublicPem(one, 5n), two, 'public'), /another group/)
  assert.throws(() => readDhPem(dhPublicPem(one, 5n), one, 'private'), /no block of PRIVATE KEY/)
  assert.equal(readDhPem('1234', one, 'public'), undefined)
  const x25519 = `-----BEGIN PUBLIC KEY-----\n${Buffer.from(fromHex(`302a300506032b656e032100${'09'.padEnd(64, '0')}`)).toString('base64')}\n-----END PUBLIC KEY-----`
  assert.throws(() => readDhPem(x25519, one, 'public'), /not for Diffie-Hellman/)
})

test('OpenSSL evppkey_dh.txt: the secret of Alice and Bob, and public keys that must be refused', async () => {
  const url = new URL('../../../../vectors/diffie-hellman/evppkey_dh.json', import.meta.url)
  const vectors = JSON.parse(readFileSync(url, 'utf8')) as Record<string, string>
  const { alicePrivate = '', bobPublic = '', otherGroup = '', tooLarge = '', tooSmall = '' } = vectors
  const { p, g } = dhGroupOfPem(alicePrivate, 'private') ?? assert.fail()
  const group = await checkedDhGroup(p, g, { random })
  const [x, y] = [readDhPem(alicePrivate, group, 'private'), readDhPem(bobPublic, group, 'public')]
  assert.ok(x && y)
  checkDhPublic(group, y)
  assert.equal(toHex(dhSecret(group, x, y)), vectors.sharedSecret)
  assert.throws(() => readDhPem(otherGroup, group, 'public'), /another group/)
  for (const pem of [tooLarge, tooSmall]) {
    assert.throws(() => checkDhPublic(group, readDhPem(pem, group, 'public') ?? 5n), /not from 2 to p − 2/)
  }
})
