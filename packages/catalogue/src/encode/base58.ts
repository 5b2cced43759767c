import { field } from '@assay/kit'
import { base58Alphabets, decodeBase58, encodeBase58, MAX_BASE58_BYTES } from '@assay/lib/codec/base58'
import { codec } from './codec.ts'

const options = {
  alphabet: field.choice('Alphabet', base58Alphabets, {
    help: `One number of at most ${MAX_BASE58_BYTES} bytes, except for Monero, which writes blocks of eight.`,
  }),
  check: field.flag('Checksum', {
    help: 'Base58Check: four bytes of SHA-256 taken twice at the end; for Monero of Keccak-256.',
  }),
}

/** Base58 and Base58Check. draft-msporny-base58, CryptoNote Standard 007. */
export const base58 = codec({
  id: 'base58',
  name: 'Base58',
  title: 'Base58 and Base58Check Encode / Decode',
  summary: 'Write bytes in letters and digits that cannot be mistaken for each other, with or without a checksum.',
  keywords: [
    'base58check',
    'bitcoin address',
    'ripple',
    'xrp',
    'flickr',
    'monero',
    'wif',
    'ipfs',
    'solana',
    'radix 58',
  ],
  specs: ['draft-msporny-base58', 'CryptoNote Standard 007'],
  file: true,
  // Measured: one number of 256 KiB, and Monero blocks beyond.
  milliseconds: bytes => Math.min(bytes, MAX_BASE58_BYTES) / 500 + bytes / 10_000,
  encode: {
    fields: options,
    write: encodeBase58,
    examples: [
      {
        from: 'draft-msporny-base58-02, test vectors',
        input: { input_text: 'Hello World!' },
        result: { encoded: '2NEpo7TZRRrLZSi2U' },
      },
      {
        from: 'Bitcoin wiki, Technical background of version 1 Bitcoin addresses',
        title: 'An address: the version, the hash of the public key, and a checksum',
        input: { input_text: '00f54a5851e9372b87810a8e60cdd2e7cfd80b6e31', input_format: 'Hex', check: 'yes' },
        result: { encoded: '1PMycacnJaSqwwJqjawXBErnLsZ7RkXUAs' },
      },
      {
        from: 'Monero, tests/unit_tests/base58.cpp',
        title: 'A block of eight bytes, and one more',
        input: { input_text: 'ffffffffffffffffff', input_format: 'Hex', alphabet: 'Monero' },
        result: { encoded: 'jpXCZedGfVQ5Q' },
      },
    ],
  },
  decode: {
    fields: {
      ...options,
      strict: field.flag('Strict', { help: 'Refuse white space, which is passed over otherwise.' }),
    },
    read: (text, { strict, ...options }) => decodeBase58(text, options, strict),
    examples: [
      {
        from: 'Bitcoin Core, base58_encode_decode.json',
        input: { input_text: '2cFupjhnEsSn59qHXstmK2ffpLv2' },
        result: { decoded: 'simply a long string', output_format: 'UTF-8' },
      },
      {
        from: 'XRP Ledger, special addresses',
        title: 'ACCOUNT_ZERO, with its checksum tested',
        input: { input_text: 'rrrrrrrrrrrrrrrrrrrrrhoLvTp', alphabet: 'Ripple', check: 'yes', output_format: 'Hex' },
        result: { decoded: '000000000000000000000000000000000000000000', output_bytes: 21 },
      },
    ],
  },
})
