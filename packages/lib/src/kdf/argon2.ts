/// <reference path="../hash/hash-wasm.d.ts" />
import { type Bytes, fromBase64, toBase64 } from '../bytes.ts'

/** Argon2, the memory-hard function for password hashing and key derivation. RFC 9106. */

export const argon2Variants = ['argon2id', 'argon2i', 'argon2d'] as const
export type Argon2Variant = (typeof argon2Variants)[number]

/** RFC 9106 §3.1: 0x13; 0x10 is what the reference code wrote before 2016, without a version in the string. */
export const ARGON2_VERSION = 0x13
const FIRST_VERSION = 0x10

export interface Argon2Parameters {
  variant: Argon2Variant
  memoryKib: number
  iterations: number
  parallelism: number
  /** Of the tag, in bytes. */
  length: number
  version?: number | undefined
  /** The pepper: mixed in, never stored with the hash. */
  secret?: Uint8Array | undefined
  associatedData?: Uint8Array | undefined
}

/** The reference implementation takes no fewer; RFC 9106 §3.1 recommends 16 for passwords. */
const MIN_SALT_BYTES = 8
const MIN_TAG_BYTES = 4
/** RFC 9106 §3.1: four slices for each lane, and two blocks at least in a slice. */
const BLOCKS_PER_LANE = 8

/** RangeError for parameters that RFC 9106 §3.1 does not allow. */
export function checkArgon2(
  salt: Uint8Array,
  { memoryKib, iterations, parallelism, length, version }: Argon2Parameters,
) {
  const least = BLOCKS_PER_LANE * parallelism
  if (salt.length < MIN_SALT_BYTES) {
    throw new RangeError(`expected a salt of at least ${MIN_SALT_BYTES} bytes, got ${salt.length}`)
  }
  if (iterations < 1) throw new RangeError('expected at least one iteration')
  if (parallelism < 1) throw new RangeError('expected a parallelism of at least one')
  if (memoryKib < least) throw new RangeError(`expected at least ${least} KiB of memory, eight for each lane`)
  if (length < MIN_TAG_BYTES) throw new RangeError(`expected a hash of at least ${MIN_TAG_BYTES} bytes`)
  if (version !== undefined && version !== ARGON2_VERSION && version !== FIRST_VERSION) {
    throw new RangeError(`expected version ${ARGON2_VERSION} or ${FIRST_VERSION}`)
  }
}

/** The tag of a password. In WebAssembly, four times as fast, unless it needs what only the other one can. */
export async function argon2(password: Uint8Array, salt: Uint8Array, parameters: Argon2Parameters): Promise<Bytes> {
  checkArgon2(salt, parameters)
  const { variant, memoryKib, iterations, parallelism, length, version, secret, associatedData } = parameters
  const plain = password.length > 0 && !associatedData?.length && (version ?? ARGON2_VERSION) === ARGON2_VERSION
  if (plain) {
    const { default: wasm } = await import('hash-wasm/dist/argon2.umd.min.js')
    const tag: Uint8Array = await wasm[variant]({
      password,
      salt,
      ...(secret?.length && { secret }),
      memorySize: memoryKib,
      iterations,
      parallelism,
      hashLength: length,
      outputType: 'binary',
    })
    return tag as Bytes
  }
  const noble = await import('@noble/hashes/argon2.js')
  return noble[variant](password, salt, {
    m: memoryKib,
    t: iterations,
    p: parallelism,
    dkLen: length,
    ...(version !== undefined && { version }),
    ...(secret?.length && { key: secret }),
    ...(associatedData?.length && { personalization: associatedData }),
  }) as Bytes
}

/** A hash as it is stored: the PHC string format as the reference implementation of Argon2 writes it. */
export interface Argon2Hash {
  parameters: Argon2Parameters
  salt: Bytes
  tag: Bytes
}

const base64 = (bytes: Uint8Array) => toBase64(bytes).replace(/=+$/, '')

/** `$argon2id$v=19$m=19456,t=2,p=1$salt$hash`; associated data goes in as `data`, a secret never. */
export function formatArgon2({ parameters, salt, tag }: Argon2Hash): string {
  const { variant, memoryKib, iterations, parallelism, version = ARGON2_VERSION, associatedData } = parameters
  const data = associatedData?.length ? `,data=${base64(associatedData)}` : ''
  const costs = `m=${memoryKib},t=${iterations},p=${parallelism}${data}`
  return `$${variant}$v=${version}$${costs}$${base64(salt)}$${base64(tag)}`
}

const STORED =
  /^\$(argon2id|argon2i|argon2d)(?:\$v=(\d{1,3}))?\$m=(\d{1,10}),t=(\d{1,10}),p=(\d{1,8})(?:,keyid=([\w+/]{0,64}))?(?:,data=([\w+/]{0,1024}))?\$([\w+/]{1,1024})\$([\w+/]{1,2048})$/

/** Reads a stored hash; RangeError when it is none, or is one without salt or tag. */
export function parseArgon2(text: string): Argon2Hash {
  const [, variant, version, memory, iterations, parallelism, , data, salt, tag] = STORED.exec(text.trim()) ?? []
  const named = argon2Variants.find(name => name === variant)
  if (!named || salt === undefined || tag === undefined) {
    throw new RangeError('expected a hash such as $argon2id$v=19$m=19456,t=2,p=1$salt$hash')
  }
  const bytes = fromBase64(tag)
  const parameters: Argon2Parameters = {
    variant: named,
    memoryKib: Number(memory),
    iterations: Number(iterations),
    parallelism: Number(parallelism),
    length: bytes.length,
    version: version === undefined ? FIRST_VERSION : Number(version),
    ...(data && { associatedData: fromBase64(data) }),
  }
  const hash = { parameters, salt: fromBase64(salt), tag: bytes }
  checkArgon2(hash.salt, parameters)
  return hash
}
