import { openssl } from './command.ts'
import { digestTool } from './digest.ts'

const TWO_BLOCKS = 'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq'

/** SHA-1 and the six functions of SHA-2. FIPS 180-4. */
export const sha = digestTool({
  id: 'sha',
  title: 'SHA-1 and SHA-2 Hash Generator',
  summary: 'The SHA-1, SHA-224, SHA-256, SHA-384 or SHA-512 hash of a text or of bytes.',
  keywords: ['sha256', 'sha512', 'sha1', 'sha256sum', 'sha2', 'secure hash algorithm', 'fingerprint', 'digest'],
  specs: ['FIPS 180-4', 'RFC 6234', 'RFC 3174'],
  algorithms: ['SHA-1', 'SHA-224', 'SHA-256', 'SHA-384', 'SHA-512', 'SHA-512/224', 'SHA-512/256'],
  default: 'SHA-256',
  weak: {
    'SHA-1':
      'Two files with the same SHA-1 hash have been published, so use SHA-256 wherever someone may gain from a collision.',
  },
  programs: {
    'SHA-1': { ...openssl('sha1'), hex: 'sha1sum' },
    'SHA-224': { ...openssl('sha224'), hex: 'sha224sum' },
    'SHA-256': { ...openssl('sha256'), hex: 'sha256sum' },
    'SHA-384': { ...openssl('sha384'), hex: 'sha384sum' },
    'SHA-512': { ...openssl('sha512'), hex: 'sha512sum' },
    'SHA-512/224': openssl('sha512-224'),
    'SHA-512/256': openssl('sha512-256'),
  },
  examples: [
    {
      from: 'FIPS 180-2 §B.1',
      input: { input_text: 'abc' },
      result: { hash: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad' },
    },
    {
      from: 'FIPS 180-2 §A.2',
      input: { input_text: TWO_BLOCKS, algorithm: 'SHA-1' },
      result: { hash: '84983e441c3bd26ebaae4aa1f95129e5e54670f1' },
    },
    {
      from: 'FIPS 180-2 §C.1',
      input: { input_text: 'abc', algorithm: 'SHA-512' },
      result: {
        hash: 'ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f',
      },
    },
    {
      from: 'NIST CAVP SHA512_256ShortMsg, Len = 0',
      title: 'Nothing at all',
      input: { input_text: '', algorithm: 'SHA-512/256' },
      result: { hash: 'c672b8d1ef56ed28ab87c3622c5114069bdd3ad7b8f9737498d0c01ecef0967a' },
    },
  ],
})
