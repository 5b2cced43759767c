import assert from 'node:assert/strict'
import { checkPrimeSync, generatePrimeSync, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { isProbablePrime, maybePrime, smallFactor } from './prime.ts'

const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))
const prime = (number: bigint) => isProbablePrime(number, { rounds: 20, random })

test('the first 2000 numbers, told from composites by division', async () => {
  const divisible = (n: number) => Array.from({ length: n }, (_, i) => i).some(d => d > 1 && d < n && n % d === 0)
  for (let n = 0; n < 2000; n++) assert.equal(await prime(BigInt(n)), n > 1 && !divisible(n), String(n))
})

test('OpenSSL agrees on 300 random numbers of up to 256 bits', async () => {
  for (let i = 0; i < 300; i++) {
    const number = BigInt(`0x${randomBytes(1 + (i % 32)).toString('hex')}`) | 1n
    assert.equal(await prime(number), checkPrimeSync(number), String(number))
  }
})

test('primes of OpenSSL pass, and products of two of them do not', async () => {
  for (let i = 0; i < 20; i++) {
    const [p, q] = [generatePrimeSync(128, { bigint: true }), generatePrimeSync(128, { bigint: true })]
    assert.ok(await prime(p))
    assert.ok(!(await prime(p * q)))
    assert.equal(smallFactor(p * q), undefined)
    assert.equal(smallFactor(p * 19997n), 19997)
  }
})

test('Carmichael numbers and strong pseudoprimes to base 2 are composite', async () => {
  // OEIS A001262 begins with the second row; the last is the least that is one to the bases 2, 3, 5, 7 and 11 (OEIS A014233).
  for (const number of [561n, 1105n, 1729n, 41041n, 2047n, 3277n, 4033n, 4681n, 8321n, 2152302898747n]) {
    assert.ok(!(await prime(number)), String(number))
  }
  assert.ok(!maybePrime(0n) && !maybePrime(1n) && maybePrime(2n) && maybePrime(3n))
})
