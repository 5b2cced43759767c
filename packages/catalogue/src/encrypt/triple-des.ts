import { blockModes } from '@assay/lib/cipher/block-mode'
import { blockCipher } from './block-cipher.ts'

/** The keys of the examples in NIST SP 800-67. */
const SP_800_67 = { key: '0123456789abcdef23456789abcdef01456789abcdef0123', mode: 'ECB', padding: 'None' }

/** The Triple Data Encryption Algorithm. NIST SP 800-67. */
export const tripleDes = blockCipher({
  id: '3des',
  name: 'Triple DES',
  title: 'Triple DES Encrypt / Decrypt',
  summary: 'Encrypt and decrypt with two or three DES keys after each other, and see whether they are different.',
  keywords: ['3des', 'tdea', 'tdes', 'des-ede3', 'des-ede', 'desede', 'block cipher', 'symmetric', 'legacy', 'payment'],
  specs: ['NIST SP 800-67', 'FIPS 46-3'],
  caution: 'NIST has not allowed it for new encryption since 2024: its blocks are short and it is slow; use AES.',
  key: {
    help: 'Two keys of 8 bytes or three; of two, the first is used again as the third.',
    placeholder: '16 or 24 bytes',
    generate: 24,
  },
  modes: blockModes,
  async load() {
    const { tripleDes, judgeTripleDesKey } = await import('@assay/lib/cipher/des')
    return { setUp: tripleDes, judge: judgeTripleDesKey }
  },
  openssl: key => (key.length === 16 ? 'des-ede' : 'des-ede3'),
  bytesPerMillisecond: 12_000,
  encrypt: [
    {
      from: 'NIST SP 800-67, Appendix B',
      title: 'Three keys, three blocks',
      input: { input_text: 'The qufck brown fox jump', ...SP_800_67 },
      result: { ciphertext: 'a826fd8ce53b855fcce21c8112256fe668d5c05dd9b6b900', key_warnings: [] },
    },
    {
      from: 'CyberChef, tests/operations/tests/Crypt.mjs',
      title: 'CTR',
      input: {
        input_text: '7a0e643132750e96',
        input_format: 'Hex',
        key: '190da55fb54b9e7dd6de05f43bf3347ef203cd34a5829b23',
        mode: 'CTR',
        iv: '14f67ac044a84da6',
      },
      result: { ciphertext: '874d32cd7bdae52c' },
    },
    {
      from: 'The DES test of OpenSSL, evpciph_des.txt',
      title: 'Keys that are the same, so that only one counts',
      input: {
        input_text: '0123456789abcdef',
        input_format: 'Hex',
        key: 'fedcba9876543210fedcba9876543210',
        mode: 'ECB',
        padding: 'None',
      },
      result: { ciphertext: 'ed39d950fa74bcc4' },
    },
  ],
  decrypt: [
    {
      from: 'NIST SP 800-67, Appendix B',
      title: 'Three keys, three blocks',
      input: { input_text: 'a826fd8ce53b855fcce21c8112256fe668d5c05dd9b6b900', ...SP_800_67 },
      result: { plaintext: 'The qufck brown fox jump', output_format: 'UTF-8' },
    },
  ],
})
