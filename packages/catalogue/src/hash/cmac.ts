import { asFieldProblem, explain, field, mono, panel, tool } from '@assay/kit'
import { type Bytes, fromBase64, fromPastedHex, isPastedHex, outputFormats, toHex, writeBytes } from '@assay/lib/bytes'
import { cmacCiphers, isCmac, LEAST_CMAC_BYTES, cmac as mac } from '@assay/lib/mac/cmac'
import { byteCount, hashCommand } from './command.ts'

/** The first block of the message that both documents use. */
const MESSAGE_16 = '6bc1bee22e409f96e93d7e117393172a'

/** Message authentication with a block cipher. NIST SP 800-38B. */
export const cmac = tool({
  id: 'cmac',
  path: 'cmac',
  title: 'CMAC (AES / 3DES) Generator',
  category: 'hash-generators-and-checksum',
  summary: 'Authenticate a message with a secret key and AES or Triple DES, or check a code that came with one.',
  keywords: [
    'aes-cmac',
    '3des',
    'tdes-cmac',
    'omac',
    'omac1',
    'mac',
    'message authentication code',
    'lorawan',
    'secoc',
    'smart card',
  ],
  specs: ['RFC 4493', 'NIST SP 800-38B', 'FIPS 197', 'NIST SP 800-67'],
  runs: 'anywhere',
  fields: {
    message: field.bytes('Message', { placeholder: 'Message to authenticate' }),
    key: field.bytes('Secret key', {
      secret: true,
      line: true,
      format: 'Hex',
      generate: 16,
      help: 'For AES 16, 24 or 32 bytes; for 3DES 16 or 24.',
    }),
    algorithm: field.choice('Block cipher', cmacCiphers),
    signature: field.text('Code to check', { optional: true, help: 'In hexadecimal or Base64.' }),
    output_format: field.choice('Output format', outputFormats),
  },

  run({ message, key, algorithm, signature, output_format }) {
    const tag = explain('key', 'Secret key', () => mac(algorithm, key, message))
    const given = signature === undefined ? undefined : readCode(signature)
    return {
      cmac: writeBytes(tag, output_format),
      ...(given && { valid: isCmac(given, tag), code_bits: given.length * 8 }),
      algorithm: `${algorithm}-${key.length * 8}`,
      bits: tag.length * 8,
      input_bytes: message.length,
    }
  },

  show: ({ cmac: code, valid, code_bits, algorithm, bits, input_bytes }) => [
    ...(valid === undefined
      ? []
      : [
          panel.banner(valid ? 'good' : 'bad', valid ? 'The code is valid' : 'The code is not valid', {
            ...(code_bits !== bits && {
              detail: `The code has ${code_bits} bits of ${bits}; ${LEAST_CMAC_BYTES * 8} are the least that counts.`,
            }),
          }),
        ]),
    panel.facts([
      ['CMAC', mono(code)],
      ['Function', `CMAC with ${algorithm}, ${bits} bits`],
      ['Message', byteCount(input_bytes)],
    ]),
  ],

  terminal({ message, key, algorithm, output_format }, { cmac: code }) {
    const cipher = { AES: `AES-${key.length * 8}`, '3DES': key.length === 16 ? 'DES-EDE' : 'DES-EDE3' }[algorithm]
    const program = `openssl mac -cipher ${cipher}-CBC -macopt hexkey:${toHex(key)}`
    // OpenSSL 3.0 waits for a first byte and gives no code of an empty message.
    if (message.length === 0) return undefined
    return hashCommand(
      message,
      { hex: `${program} CMAC | tr A-F a-f`, binary: `${program} -binary CMAC` },
      output_format,
      code,
    )
  },

  examples: [
    {
      from: 'RFC 4493 §4, example 2',
      input: { message: MESSAGE_16, message_format: 'Hex', key: '2b7e151628aed2a6abf7158809cf4f3c' },
      result: { cmac: '070a16b46b4d4144f79bdd9dd04a287c', algorithm: 'AES-128' },
    },
    {
      from: 'RFC 4493 §4, example 1',
      title: 'An empty message',
      input: { message: '', key: '2b7e151628aed2a6abf7158809cf4f3c' },
      result: { cmac: 'bb1d6929e95937287fa37d129b756746' },
    },
    {
      from: 'NIST SP 800-38B §D.3',
      title: 'With a key of 256 bits',
      input: {
        message: MESSAGE_16,
        message_format: 'Hex',
        key: '603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4',
      },
      result: { cmac: '28a7023f452e8f82bd4bf28d8c37c35c', algorithm: 'AES-256' },
    },
    {
      from: 'NIST, Examples with Intermediate Values, CMAC-TDES 1, sample 2',
      title: 'With Triple DES',
      input: {
        message: MESSAGE_16,
        message_format: 'Hex',
        key: '0123456789abcdef23456789abcdef01456789abcdef0123',
        algorithm: '3DES',
      },
      result: { cmac: '30239cf1f52e6609', algorithm: '3DES-192', bits: 64 },
    },
    {
      from: 'NIST SP 800-38B §D.2',
      title: 'Check a code',
      input: {
        message: MESSAGE_16,
        message_format: 'Hex',
        key: '8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b',
        signature: '9e99a7bf31e710900662f65e617c5184',
      },
      result: { valid: true },
    },
  ],
})

/** A code in hexadecimal or either Base64. */
function readCode(signature: string): Bytes {
  const text = signature.trim()
  try {
    return isPastedHex(text) ? fromPastedHex(text) : fromBase64(text)
  } catch (error) {
    throw asFieldProblem('signature', 'Code to check', error)
  }
}
