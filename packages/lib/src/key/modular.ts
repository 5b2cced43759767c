/** Arithmetic modulo a number. Its time depends on the values: fit for a visitor's own keys, not for a key server. */

/** base^exponent mod modulus, four bits of a long exponent at a time. */
export function modPow(base: bigint, exponent: bigint, modulus: bigint): bigint {
  if (modulus < 1n || exponent < 0n) throw new RangeError('expected a positive modulus and an exponent from 0 up')
  if (modulus === 1n) return 0n
  const reduced = mod(base, modulus)
  return exponent < 0x1_0000_0000n ? shortPow(reduced, exponent, modulus) : longPow(reduced, exponent, modulus)
}

function shortPow(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let power = 1n
  for (const bit of exponent.toString(2)) {
    power = (power * power) % modulus
    if (bit === '1') power = (power * base) % modulus
  }
  return power
}

function longPow(base: bigint, exponent: bigint, modulus: bigint): bigint {
  const powers = [1n]
  for (let i = 1; i < 16; i++) powers.push(((powers[i - 1] ?? 1n) * base) % modulus)
  let power = 1n
  for (const digit of exponent.toString(16)) {
    for (let i = 0; i < 4; i++) power = (power * power) % modulus
    power = (power * (powers[Number.parseInt(digit, 16)] ?? 1n)) % modulus
  }
  return power
}

/** The remainder from 0 up, for negative numbers too. */
export function mod(number: bigint, modulus: bigint): bigint {
  const rest = number % modulus
  return rest < 0n ? rest + modulus : rest
}

export function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b]
  while (y) [x, y] = [y, x % y]
  return x
}

/** The number that times `number` leaves 1, by the extended Euclidean algorithm. */
export function modInverse(number: bigint, modulus: bigint): bigint {
  let [previous, rest] = [modulus, mod(number, modulus)]
  let [old, factor] = [0n, 1n]
  while (rest) {
    const quotient = previous / rest
    ;[previous, rest] = [rest, previous - quotient * rest]
    ;[old, factor] = [factor, old - quotient * factor]
  }
  if (previous !== 1n) throw new RangeError('the number has no inverse for this modulus')
  return mod(old, modulus)
}
