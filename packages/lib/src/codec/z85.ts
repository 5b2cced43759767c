import { type Base85, decodeBase85, encodeBase85 } from './base85.ts'
import type { Decoded } from './grouped.ts'

/** Z85, the Base85 of ZeroMQ whose characters need no escaping in source code. ZeroMQ RFC 32. */
const z85: Base85 = {
  name: 'Z85',
  letters: '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#',
}

/** ZeroMQ RFC 32: a binary frame has a length divisible by four, a string frame one divisible by five. */
const [FRAME_BYTES, FRAME_CHARACTERS] = [4, 5]

export function encodeZ85(bytes: Uint8Array): string {
  const over = bytes.length % FRAME_BYTES
  if (over) {
    throw new RangeError(`expected a length divisible by ${FRAME_BYTES}, got ${bytes.length} bytes, ${over} too many`)
  }
  return encodeBase85(bytes, z85)
}

/** Reads Z85; white space is passed over unless reading is strict. A refusal says at which character. */
export function decodeZ85(text: string, strict: boolean): Decoded {
  const length = text.length - (strict ? 0 : (text.match(/\s/g)?.length ?? 0))
  const over = length % FRAME_CHARACTERS
  if (over) {
    throw new RangeError(
      `expected a length divisible by ${FRAME_CHARACTERS}, got ${length} characters, ${over} too many`,
    )
  }
  return decodeBase85(text, z85, { strict })
}
