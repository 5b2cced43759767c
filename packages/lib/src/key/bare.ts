import { type Bytes, concat, fromPastedHex, isPastedHex } from '../bytes.ts'
import { type CurveName, curveOf } from './curves.ts'

/** Keys on elliptic curves that are nothing but their bytes in hexadecimal, as test vectors and `openssl ec -text` have them. */

export const bareBytes = (text: string): Bytes | undefined => (isPastedHex(text) ? fromPastedHex(text) : undefined)

/** SEC 1 §2.3.7: a private key is as long as the order; big integers have a zero before their highest bit. */
export function bareScalar(text: string, curve: CurveName): Bytes | undefined {
  const bytes = bareBytes(text)
  const { bytes: size } = curveOf(curve)
  if (bytes?.length === size + 1 && bytes[0] === 0) return bytes.slice(1)
  return bytes?.length === size ? bytes : undefined
}

/** SEC 1 §2.3.3: a point, compressed or not; two coordinates alone are given the 04 that belongs before them. */
export function barePoint(text: string, curve: CurveName): Bytes | undefined {
  const bytes = bareBytes(text)
  const { bytes: size } = curveOf(curve)
  if (bytes?.length === 2 * size) return concat(Uint8Array.of(4), bytes)
  const isPoint = bytes?.length === 1 + 2 * size || bytes?.length === 1 + size
  return isPoint && [2, 3, 4].includes(bytes[0] ?? 0) ? bytes : undefined
}
