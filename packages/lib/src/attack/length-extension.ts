import { _MD5, _SHA1 } from '@noble/hashes/legacy.js'
import { _SHA256, _SHA512 } from '@noble/hashes/sha2.js'
import type { Bytes } from '../bytes.ts'

/**
 * Length extension. A hash of the Merkle-Damgård kind is the state after the last block, and where it is given out
 * whole, anyone can go on from there: from the hash of a message follows that of the message, its padding and more,
 * without knowing the message. Padding: RFC 1321 §3.1 and §3.2, FIPS 180-4 §5.1.
 */

type State = [...words: number[]]

/** The functions, started where another run of them ended: `set` is how noble gives them their first state. */
class ResumedMd5 extends _MD5 {
  constructor(state: State, processed: number) {
    super()
    Reflect.apply(this.set, this, state)
    this.length = processed
  }
}
class ResumedSha1 extends _SHA1 {
  constructor(state: State, processed: number) {
    super()
    Reflect.apply(this.set, this, state)
    this.length = processed
  }
}
class ResumedSha256 extends _SHA256 {
  constructor(state: State, processed: number) {
    super()
    Reflect.apply(this.set, this, state)
    this.length = processed
  }
}
class ResumedSha512 extends _SHA512 {
  constructor(state: State, processed: number) {
    super()
    Reflect.apply(this.set, this, state)
    this.length = processed
  }
}

interface Extendable {
  blockBytes: number
  /** Of the length of the message in bits, which ends the padding. */
  lengthBytes: number
  digestBytes: number
  littleEndian: boolean
  resume(state: State, processed: number): { update(bytes: Uint8Array): { digest(): Uint8Array } }
}

const functions = {
  MD5: {
    blockBytes: 64,
    lengthBytes: 8,
    digestBytes: 16,
    littleEndian: true,
    resume: (state, processed) => new ResumedMd5(state, processed),
  },
  'SHA-1': {
    blockBytes: 64,
    lengthBytes: 8,
    digestBytes: 20,
    littleEndian: false,
    resume: (state, processed) => new ResumedSha1(state, processed),
  },
  'SHA-256': {
    blockBytes: 64,
    lengthBytes: 8,
    digestBytes: 32,
    littleEndian: false,
    resume: (state, processed) => new ResumedSha256(state, processed),
  },
  'SHA-512': {
    blockBytes: 128,
    lengthBytes: 16,
    digestBytes: 64,
    littleEndian: false,
    resume: (state, processed) => new ResumedSha512(state, processed),
  },
} as const satisfies Record<string, Extendable>

export type ExtendableHash = keyof typeof functions

/** The bytes that a function puts after a message of some length before it hashes the last block. */
export function gluePadding(name: ExtendableHash, messageBytes: number): Bytes {
  const { blockBytes, lengthBytes, littleEndian }: Extendable = functions[name]
  const used = messageBytes + 1 + lengthBytes
  const padding = new Uint8Array(Math.ceil(used / blockBytes) * blockBytes - messageBytes)
  padding[0] = 0x80
  // A message of 2^53 bits would fill the memory of a thousand computers, so eight bytes of the length are enough.
  const view = new DataView(padding.buffer)
  view.setBigUint64(padding.length - 8, BigInt(messageBytes) * 8n, littleEndian)
  return padding
}

/** The state that a hash is. RangeError for one of the wrong length. */
function stateOf(name: ExtendableHash, hash: Uint8Array): State {
  const { digestBytes, littleEndian }: Extendable = functions[name]
  if (hash.length !== digestBytes) {
    throw new RangeError(`expected ${digestBytes} bytes, as ${name} gives, got ${hash.length}`)
  }
  const view = new DataView(hash.buffer, hash.byteOffset, hash.length)
  return Array.from({ length: digestBytes / 4 }, (_, i) => view.getUint32(4 * i, littleEndian))
}

/** The hash of a message of some length, its padding and what is appended, from the hash of the message. */
export function extendHash(
  name: ExtendableHash,
  { hash, messageBytes, appended }: { hash: Uint8Array; messageBytes: number; appended: Uint8Array },
): { hash: Bytes; padding: Bytes } {
  const padding = gluePadding(name, messageBytes)
  const { resume }: Extendable = functions[name]
  const running = resume(stateOf(name, hash), messageBytes + padding.length)
  return { hash: new Uint8Array(running.update(appended).digest()), padding }
}
