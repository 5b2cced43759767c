import { openssl } from './command.ts'
import { digestTool } from './digest.ts'

/** The MD5 message digest. RFC 1321. */
export const md5 = digestTool({
  id: 'md5',
  title: 'MD5 Hash Generator',
  summary: 'The 128-bit MD5 hash of a text or of bytes.',
  keywords: ['md5sum', 'message digest', 'checksum', 'fingerprint', '128 bit', 'Content-MD5'],
  specs: ['RFC 1321', 'RFC 6151'],
  caution:
    'Two different inputs with the same MD5 hash are made in seconds, so use SHA-256 wherever someone may cheat.',
  algorithms: ['MD5'],
  programs: { MD5: { ...openssl('md5'), hex: 'md5sum' } },
  examples: [
    { from: 'RFC 1321 §A.5', input: { input_text: 'abc' }, result: { hash: '900150983cd24fb0d6963f7d28e17f72' } },
    { from: 'RFC 1321 §A.5', input: { input_text: '' }, result: { hash: 'd41d8cd98f00b204e9800998ecf8427e' } },
    {
      from: 'RFC 1321 §A.5',
      input: { input_text: 'message digest' },
      result: { hash: 'f96b697d7cb7938d525a2f31aaf161d0' },
    },
    {
      from: 'RFC 1321 §A.5',
      title: 'In Base64, as a Content-MD5 header has it',
      input: { input_text: 'abc', output_format: 'Base64' },
      result: { hash: 'kAFQmDzST7DWlj99KOF/cg==' },
    },
  ],
})
