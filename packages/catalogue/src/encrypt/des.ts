import { blockModes } from '@assay/lib/cipher/block-mode'
import { blockCipher } from './block-cipher.ts'

/** Key and IV of the examples in FIPS 81. */
const FIPS_81 = { key: '0123456789abcdef', iv: '1234567890abcdef', padding: 'None' }

/** The Data Encryption Standard. FIPS 46-3. */
export const des = blockCipher({
  id: 'des',
  name: 'DES',
  title: 'DES Encrypt / Decrypt',
  summary: 'Encrypt and decrypt with the Data Encryption Standard of 1977, and see whether a key is a weak one.',
  keywords: ['data encryption standard', 'dea', 'lucifer', 'weak key', 'parity', 'block cipher', 'symmetric', 'legacy'],
  specs: ['FIPS 46-3', 'FIPS 81'],
  caution: 'Its 56 bits of key were searched in 22 hours in 1999; use AES.',
  key: {
    help: 'Its 64 bits hold 8 of parity, which are not used.',
    placeholder: '8 bytes',
    generate: 8,
  },
  modes: blockModes,
  async load() {
    const { des, judgeDesKey } = await import('@assay/lib/cipher/des')
    return { setUp: des, judge: judgeDesKey }
  },
  openssl: () => 'des',
  bytesPerMillisecond: 30_000,
  encrypt: [
    {
      from: 'FIPS 81, example of CBC',
      title: 'CBC, the first block',
      input: { input_text: 'Now is t', mode: 'CBC', ...FIPS_81 },
      result: { ciphertext: 'e5c7cdde872bf27c', key_warnings: [] },
    },
    {
      from: 'FIPS 81, example of CFB with 64 bits',
      title: 'CFB with segments of 64 bits',
      input: { input_text: 'Now is the time for all ', mode: 'CFB', ...FIPS_81 },
      result: { ciphertext: 'f3096249c7f46e51a69e839b1a92f78403467133898ea622' },
    },
    {
      from: 'NIST SP 800-17, variable plaintext known answer test',
      title: 'A weak key, under which encrypting is decrypting',
      input: {
        input_text: '8000000000000000',
        input_format: 'Hex',
        key: '0101010101010101',
        mode: 'ECB',
        padding: 'None',
      },
      result: { ciphertext: '95f8a5e5dd31d900' },
    },
  ],
  decrypt: [
    {
      from: 'FIPS 81, example of CBC',
      title: 'CBC, the first block',
      input: { input_text: 'e5c7cdde872bf27c', mode: 'CBC', ...FIPS_81 },
      result: { plaintext: 'Now is t', output_format: 'UTF-8' },
    },
    {
      from: 'The DES test of OpenSSL, evpciph_des.txt',
      title: 'One block in ECB',
      input: { input_text: 'ed39d950fa74bcc4', key: 'fedcba9876543210', mode: 'ECB', padding: 'None' },
      result: { plaintext: '0123456789abcdef', output_format: 'Hex' },
    },
  ],
})
