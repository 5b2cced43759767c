import { asFieldProblem, field, panel, tool } from '@assay/kit'
import { type Bytes, fromBase64, fromPastedHex, isPastedHex, outputFormats, toHex, writeBytes } from '@assay/lib/bytes'
import { type HashName, hashFunction } from '@assay/lib/hash/digest'
import { isTag, leastTagBytes, hmac as mac } from '@assay/lib/mac/hmac'
import { byteCount, type HashProgram, hashCommand } from './command.ts'

/** The choices under their short names; the first six are the common ones. */
const functions = {
  MD5: { hash: 'MD5', openssl: 'md5' },
  SHA1: { hash: 'SHA-1', openssl: 'sha1' },
  SHA224: { hash: 'SHA-224', openssl: 'sha224' },
  SHA256: { hash: 'SHA-256', openssl: 'sha256' },
  SHA384: { hash: 'SHA-384', openssl: 'sha384' },
  SHA512: { hash: 'SHA-512', openssl: 'sha512' },
  'SHA512/256': { hash: 'SHA-512/256', openssl: 'sha512-256' },
  'SHA3-224': { hash: 'SHA3-224', openssl: 'sha3-224' },
  'SHA3-256': { hash: 'SHA3-256', openssl: 'sha3-256' },
  'SHA3-384': { hash: 'SHA3-384', openssl: 'sha3-384' },
  'SHA3-512': { hash: 'SHA3-512', openssl: 'sha3-512' },
  RIPEMD160: { hash: 'RIPEMD-160', openssl: 'ripemd160' },
  SM3: { hash: 'SM3', openssl: 'sm3' },
  BLAKE2b: { hash: 'BLAKE2b-512', openssl: 'blake2b512' },
} as const satisfies Record<string, { hash: HashName; openssl: string }>
type Algorithm = keyof typeof functions

/** Keyed-hash message authentication. RFC 2104, FIPS 198-1. */
export const hmac = tool({
  id: 'hmac',
  path: 'hmac',
  title: 'HMAC Generator and Verifier',
  category: 'hash-generators-and-checksum',
  summary: 'Authenticate a message with a secret key and a hash function, or check a code that came with one.',
  keywords: ['mac', 'keyed hash', 'message authentication code', 'hmac-sha256', 'webhook signature', 'x-hub-signature'],
  specs: ['RFC 2104', 'FIPS 198-1', 'RFC 4231', 'RFC 2202'],
  runs: 'anywhere',
  fields: {
    input_text: field.bytes('Message', { placeholder: 'Message to authenticate' }),
    key: field.bytes('Secret key', { secret: true, line: true, generate: 32 }),
    algorithm: field.choice('Hash function', Object.keys(functions) as Algorithm[], { default: 'SHA256' }),
    signature: field.text('Code to check', {
      optional: true,
      help: 'In hexadecimal or Base64; a prefix such as sha256= is skipped.',
    }),
    output_format: field.choice('Output format', outputFormats),
  },

  async run({ input_text, key, algorithm, signature, output_format }) {
    const { hash } = functions[algorithm]
    const tag = await mac(hash, key, input_text)
    const verdict = signature === undefined ? undefined : judge(signature, tag)
    const { blockLen } = await hashFunction(hash)
    return {
      hmac: writeBytes(tag, output_format),
      ...verdict,
      algorithm,
      bits: tag.length * 8,
      key_bytes: key.length,
      key_hashed_first: key.length > blockLen,
      input_bytes: input_text.length,
    }
  },

  show({ hmac, valid, reason, algorithm, bits, key_bytes, key_hashed_first, input_bytes }) {
    const banner =
      valid === undefined
        ? []
        : [
            panel.banner(valid ? 'good' : 'bad', valid ? 'The code is valid' : 'The code is not valid', {
              ...(reason && { detail: reason }),
            }),
          ]
    return [
      ...banner,
      panel.facts([
        ['HMAC', { text: hmac, mono: true }],
        ['Function', `HMAC-${algorithm}, ${bits} bits`],
        ['Key', `${byteCount(key_bytes)}${key_hashed_first ? ', hashed first as it is longer than a block' : ''}`],
        ['Message', byteCount(input_bytes)],
      ]),
      ...(key_bytes < WEAK_KEY_BYTES ? [panel.note('warn', shortKey(key_bytes))] : []),
    ]
  },

  terminal({ input_text, key, algorithm, output_format }, { hmac }) {
    // OpenSSL takes no empty key on its command line.
    if (key.length === 0 || key.length > MAX_COMMAND_KEY_BYTES) return undefined
    return hashCommand(input_text, macProgram(algorithm, key), output_format, hmac)
  },

  examples: [
    {
      from: 'RFC 4231 §4.3',
      input: { input_text: 'what do ya want for nothing?', key: 'Jefe' },
      result: { hmac: '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843' },
    },
    {
      from: 'RFC 2202 §2, test case 1',
      input: { input_text: 'Hi There', key: '0b'.repeat(16), key_format: 'Hex', algorithm: 'MD5' },
      result: { hmac: '9294727a3638bb1c13f48ef8158bfc9d' },
    },
    {
      from: 'RFC 4231 §4.2',
      title: 'Check a code',
      input: {
        input_text: 'Hi There',
        key: '0b'.repeat(20),
        key_format: 'Hex',
        signature: 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
      },
      result: { valid: true },
    },
    {
      from: 'RFC 4231 §4.7',
      title: 'A key longer than a block',
      input: {
        input_text: 'Test Using Larger Than Block-Size Key - Hash Key First',
        key: 'aa'.repeat(131),
        key_format: 'Hex',
        algorithm: 'SHA512',
      },
      result: {
        hmac: '80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f3526b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598',
        key_hashed_first: true,
      },
    },
  ],
})

/** NIST SP 800-107 §5.3.4 ties the strength of HMAC to its key; 112 bits are the least that SP 800-131A allows. */
const WEAK_KEY_BYTES = 14
const MAX_COMMAND_KEY_BYTES = 1024

const shortKey = (bytes: number) =>
  bytes === 0
    ? 'With an empty key anyone can make this code.'
    : `A key of ${byteCount(bytes)} can be guessed; take at least ${WEAK_KEY_BYTES}, better as many as the hash has.`

const macProgram = (algorithm: Algorithm, key: Uint8Array): HashProgram => {
  const program = `openssl dgst -${functions[algorithm].openssl} -mac HMAC -macopt hexkey:${toHex(key)}`
  return { hex: `${program} -r`, binary: `${program} -binary` }
}

/** Whether a code is the tag, and if not why not, as far as its form can tell. */
function judge(signature: string, tag: Bytes): { valid: boolean; reason?: string } {
  const given = readCode(signature)
  const valid = isTag(given, tag)
  if (given.length === tag.length) return { valid }
  const expected = `Of ${tag.length * 8} bits the code has ${given.length * 8}`
  if (valid) return { valid, reason: `${expected}; cut as RFC 2104 §5 allows.` }
  const fits = given.length < tag.length && given.length >= leastTagBytes(tag.length)
  return { valid, reason: `${expected}${fits ? '' : ', which no code of this function may have'}.` }
}

/** A code in hexadecimal or either Base64, behind the `sha256=` or `v1=` that webhooks put before it. */
function readCode(signature: string): Bytes {
  const text = signature.trim().replace(/^[A-Za-z][\w-]{0,15}=(?=[\w+/-]{8})/, '')
  try {
    return isPastedHex(text) ? fromPastedHex(text) : fromBase64(text)
  } catch (error) {
    throw asFieldProblem('signature', 'Code to check', error)
  }
}
