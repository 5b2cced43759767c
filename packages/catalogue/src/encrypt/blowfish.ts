import { blockModes } from '@assay/lib/cipher/block-mode'
import { blockCipher } from './block-cipher.ts'

/** Key and IV of the modes in the vectors of Eric Young. */
const YOUNG = { key: '0123456789abcdeff0e1d2c3b4a59687', iv: 'fedcba9876543210' }

/** Blowfish. Bruce Schneier, 1993. */
export const blowfish = blockCipher({
  id: 'blowfish',
  name: 'Blowfish',
  title: 'Blowfish Encrypt / Decrypt',
  summary: 'Encrypt and decrypt with Blowfish, under keys of any length from 32 to 448 bits.',
  keywords: ['schneier', 'bf', 'bf-cbc', 'bcrypt', 'block cipher', 'symmetric', 'legacy', 'openvpn'],
  specs: ['Blowfish (Schneier, 1993)'],
  caution: 'Its blocks of 64 bits are too short for more than a few gigabytes under one key; use AES.',
  key: { help: 'Longer keys are not safer than 16 bytes.', placeholder: '4 to 56 bytes', generate: 16 },
  modes: blockModes,
  async load() {
    const { blowfish } = await import('@assay/lib/cipher/blowfish')
    return { setUp: blowfish, judge: () => ({ properties: {}, warnings: [] }) }
  },
  // The command takes keys of 16 bytes only.
  openssl: key => (key.length === 16 ? 'bf' : undefined),
  bytesPerMillisecond: 40_000,
  encrypt: [
    {
      from: 'Eric Young, vectors of Blowfish, chaining mode test',
      title: 'CBC',
      input: {
        input_text: '37363534333231204e6f77206973207468652074696d6520666f722000000000',
        input_format: 'Hex',
        mode: 'CBC',
        padding: 'None',
        ...YOUNG,
      },
      result: { ciphertext: '6b77b4d63006dee605b156e27403979358deb9e7154616d959f1652bd5ff92cc' },
    },
    {
      from: 'Eric Young, vectors of Blowfish, set_key test',
      title: 'A key of 192 bits',
      input: {
        input_text: 'fedcba9876543210',
        input_format: 'Hex',
        key: 'f0e1d2c3b4a5968778695a4b3c2d1e0f0011223344556677',
        mode: 'ECB',
        padding: 'None',
      },
      result: { ciphertext: '05044b62fa52d080', key_bits: 192 },
    },
    {
      from: 'CyberChef, tests/operations/tests/Crypt.mjs',
      title: 'Text with padding',
      input: {
        input_text: 'The quick brown fox jumps over the lazy dog.',
        key: '0011223344556677',
        mode: 'ECB',
      },
      result: {
        ciphertext: 'f7784137ab1bf51546c0b120bdb7fed4509116e49283b35fab0e4292ac86251a9bf908330e3393815e3356bb26524027',
      },
    },
  ],
  decrypt: [
    {
      from: 'Eric Young, vectors of Blowfish, chaining mode test',
      title: 'CBC padded with zeros',
      input: {
        input_text: '6b77b4d63006dee605b156e27403979358deb9e7154616d959f1652bd5ff92cc',
        mode: 'CBC',
        padding: 'Zero',
        ...YOUNG,
      },
      result: { plaintext: '7654321 Now is the time for ', output_format: 'UTF-8' },
    },
  ],
})
