import { bitLength, fromOctets } from '../asn1/integer.ts'
import { pause } from '../hash/pause.ts'
import { modPow } from './modular.ts'

/** Whether a number is prime, by trial division and the test of Miller and Rabin. FIPS 186-5 §B.3.1. */

const SIEVE_BOUND = 20_000

const smallPrimes: readonly number[] = (() => {
  const composite = new Uint8Array(SIEVE_BOUND)
  const primes: number[] = []
  for (let n = 3; n < SIEVE_BOUND; n += 2) {
    if (composite[n]) continue
    primes.push(n)
    for (let multiple = n * n; multiple < SIEVE_BOUND; multiple += 2 * n) composite[multiple] = 1
  }
  return primes
})()

/** Products of small primes below 2^53, so that one long division serves several short ones. */
const batches: readonly { product: bigint; primes: readonly number[] }[] = (() => {
  const all: { product: bigint; primes: number[] }[] = []
  let [product, primes]: [number, number[]] = [1, []]
  for (const prime of smallPrimes) {
    if (product * prime > Number.MAX_SAFE_INTEGER) {
      all.push({ product: BigInt(product), primes })
      ;[product, primes] = [1, []]
    }
    product *= prime
    primes.push(prime)
  }
  return [...all, { product: BigInt(product), primes }]
})()

/** A prime below 20,000 that divides the number, and is not it. */
export function smallFactor(number: bigint): number | undefined {
  if (number > 2n && number % 2n === 0n) return 2
  for (const { product, primes } of batches) {
    const rest = Number(number % product)
    const factor = primes.find(prime => rest % prime === 0 && BigInt(prime) !== number)
    if (factor !== undefined) return factor
  }
  return undefined
}

/** One round: true when the base does not show that the odd number is composite. */
function passes(number: bigint, base: bigint): boolean {
  let [odd, twos] = [number - 1n, 0]
  while (odd % 2n === 0n) [odd, twos] = [odd / 2n, twos + 1]
  let power = modPow(base, odd, number)
  if (power === 1n || power === number - 1n) return true
  for (let i = 1; i < twos; i++) {
    power = (power * power) % number
    if (power === number - 1n) return true
  }
  return false
}

/** The cheap half of the test, for candidates of a search: most composite numbers fail it. */
export const maybePrime = (number: bigint): boolean =>
  number > 3n ? smallFactor(number) === undefined && passes(number, 2n) : number > 1n

interface PrimalityOptions {
  /** A composite number, however it was chosen, passes each round with a chance of at most one in four. */
  rounds: number
  random(length: number): Uint8Array
  signal?: AbortSignal | undefined
}

/** The whole test, with bases that nobody can foresee. */
export async function isProbablePrime(number: bigint, { rounds, random, signal }: PrimalityOptions): Promise<boolean> {
  if (!maybePrime(number)) return false
  if (number < BigInt(SIEVE_BOUND) ** 2n) return true
  const length = Math.ceil(bitLength(number) / 8) + 8
  for (let round = 0; round < rounds; round++) {
    if (!passes(number, (fromOctets(random(length)) % (number - 3n)) + 2n)) return false
    await pause()
    signal?.throwIfAborted()
  }
  return true
}
