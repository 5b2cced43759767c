import { openssl } from './command.ts'
import { digestTool } from './digest.ts'

/** SHA-3 and the BLAKE family, the finalist it beat included. FIPS 202, RFC 7693. */
export const sha3Blake = digestTool({
  id: 'sha3-blake',
  title: 'SHA-3 and BLAKE Hash Generator',
  summary: 'The SHA-3, BLAKE2, BLAKE3 or original BLAKE hash of a text or of bytes.',
  keywords: ['sha3', 'sha3-256', 'keccak', 'blake2', 'blake2b', 'blake2s', 'blake3', 'b2sum', 'b3sum', 'blake256'],
  specs: ['FIPS 202', 'RFC 7693', 'BLAKE3', 'SHA-3 proposal BLAKE'],
  algorithms: [
    'SHA3-224',
    'SHA3-256',
    'SHA3-384',
    'SHA3-512',
    'BLAKE2b-512',
    'BLAKE2s-256',
    'BLAKE3',
    'BLAKE-256',
    'BLAKE-512',
  ],
  default: 'SHA3-256',
  programs: {
    'SHA3-224': openssl('sha3-224'),
    'SHA3-256': openssl('sha3-256'),
    'SHA3-384': openssl('sha3-384'),
    'SHA3-512': openssl('sha3-512'),
    'BLAKE2b-512': { ...openssl('blake2b512'), hex: 'b2sum' },
    'BLAKE2s-256': openssl('blake2s256'),
    BLAKE3: { hex: 'b3sum', binary: 'b3sum --raw' },
  },
  examples: [
    {
      from: 'NIST example values SHA3-256_Msg0',
      title: 'Nothing at all',
      input: { input_text: '' },
      result: { hash: 'a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a' },
    },
    {
      from: 'RFC 7693 §B',
      input: { input_text: 'abc', algorithm: 'BLAKE2s-256' },
      result: { hash: '508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982' },
    },
    {
      from: 'BLAKE3 test_vectors.json, input_len 3',
      input: { input_text: '000102', input_format: 'Hex', algorithm: 'BLAKE3' },
      result: { hash: 'e1be4d7a8ab5560aa4199eea339849ba8e293d55ca0a81006726d184519e647f' },
    },
    {
      from: 'SHA-3 proposal BLAKE 1.3, test values',
      title: 'One byte of zeros',
      input: { input_text: '00', input_format: 'Hex', algorithm: 'BLAKE-256' },
      result: { hash: '0ce8d4ef4dd7cd8d62dfded9d4edb0a774ae6a41929a74da23109e8f11139c87' },
    },
  ],
})
