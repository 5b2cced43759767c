import { blockCipher } from './block-cipher.ts'

const RFC_2144 = { input_format: 'Hex', mode: 'ECB', padding: 'None' }
const TEXT = '0123456789abcdef'

/** CAST-128. RFC 2144. */
export const cast5 = blockCipher({
  id: 'cast5',
  name: 'CAST5',
  title: 'CAST5 (CAST-128) Encrypt / Decrypt',
  summary: 'Encrypt and decrypt with CAST-128, the default cipher of PGP for many years.',
  keywords: ['cast-128', 'cast128', 'adams', 'tavares', 'pgp', 'gnupg', 'block cipher', 'symmetric', 'legacy'],
  specs: ['RFC 2144'],
  caution: 'Its blocks of 64 bits are too short for more than a few gigabytes under one key; use AES.',
  key: {
    help: 'Up to 10 bytes give twelve rounds, longer keys sixteen.',
    placeholder: '5 to 16 bytes',
    generate: 16,
  },
  modes: ['CBC', 'ECB', 'CFB', 'OFB'],
  async load() {
    const { cast128, castRounds } = await import('@assay/lib/cipher/cast128')
    return {
      setUp: cast128,
      judge: key => ({
        properties: { Rounds: String(castRounds(key)) },
        warnings: key.length <= 10 ? ['A key of up to 80 bits can be searched by those who have the means.'] : [],
      }),
    }
  },
  // The command takes keys of 16 bytes only.
  openssl: key => (key.length === 16 ? 'cast5' : undefined),
  bytesPerMillisecond: 18_000,
  encrypt: [
    {
      from: 'RFC 2144 §B.1',
      title: 'A key of 128 bits, sixteen rounds',
      input: { input_text: TEXT, key: '0123456712345678234567893456789a', ...RFC_2144 },
      result: { ciphertext: '238b4fe5847e44b2', key_warnings: [] },
    },
    {
      from: 'RFC 2144 §B.1',
      title: 'A key of 80 bits, twelve rounds',
      input: { input_text: TEXT, key: '01234567123456782345', ...RFC_2144 },
      result: { ciphertext: 'eb6a711a2c02271b' },
    },
    {
      from: 'RFC 2144 §B.1',
      title: 'A key of 40 bits, twelve rounds',
      input: { input_text: TEXT, key: '0123456712', ...RFC_2144 },
      result: { ciphertext: '7ac816d16e9b302e' },
    },
  ],
  decrypt: [
    {
      from: 'RFC 2144 §B.1',
      title: 'A key of 128 bits',
      input: {
        input_text: '238b4fe5847e44b2',
        key: '0123456712345678234567893456789a',
        mode: 'ECB',
        padding: 'None',
        output_format: 'Hex',
      },
      result: { plaintext: TEXT },
    },
    {
      from: 'OpenSSL, evpciph_cast5.txt',
      title: 'CBC',
      input: {
        input_text: '327c198b9d0a59456a2194bd21fc3ff0',
        key: '1f8e4973953f3fb0bd6b16662e9a3c17',
        iv: '2fe2b333ceda8f98',
        mode: 'CBC',
        padding: 'None',
        output_format: 'Hex',
      },
      result: { plaintext: '45cf12964fc824ab76616ae2f4bf0822' },
    },
  ],
})
