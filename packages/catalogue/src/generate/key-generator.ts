import { badge, field, mono, type Panel, panel, sh, type Terminal, tool } from '@assay/kit'
import { fromUtf8, toBase64 } from '@assay/lib/bytes'
import {
  judgeKeyLength,
  type KeyFormat,
  type KeyPurpose,
  keyFormats,
  keyPurposes,
  vectorBits,
  writeKey,
} from '@assay/lib/generate/secret-key'

const MAX_COUNT = 1000
const AS_ABOVE = 'as many bits as chosen above'
const vectorUses = [AS_ABOVE, ...(Object.keys(vectorBits) as (keyof typeof vectorBits)[])] as const

/** The names of constants and of files. */
const names: Record<KeyPurpose, string> = {
  'AES key': 'AES_KEY',
  'HMAC key': 'HMAC_KEY',
  IV: 'IV',
  salt: 'SALT',
  'JWT secret': 'JWT_SECRET',
  'API token': 'API_TOKEN',
}

const endings: Partial<Record<KeyFormat, string>> = { 'C array': 'h', env: 'env' }
const tones = { yes: 'good', sometimes: 'warn', no: 'bad' } as const

/** Random bytes for whatever needs them. */
export const keyGenerator = tool({
  id: 'key-generator',
  path: 'key-generator',
  title: 'Secret Key, Token, IV and Salt Generator',
  category: 'generators-and-randomness',
  summary: 'Random bytes as keys, tokens, initialization vectors and salts, in the form your program reads.',
  keywords: ['secret key', 'aes key', 'hmac key', 'jwt secret', 'api token', 'iv', 'nonce', 'salt', 'openssl rand'],
  specs: ['FIPS 197', 'RFC 2104', 'RFC 7518', 'NIST SP 800-132'],
  runs: 'anywhere',
  fields: {
    bits: field.choice('Bits', ['128', '192', '256', '384', '512'], { default: '256' }),
    count: field.number('How many', { min: 1, max: MAX_COUNT, default: 1 }),
    output_format: field.choice('Output format', keyFormats, { help: 'env is a line of a .env file, in hexadecimal.' }),
    purpose: field.choice('Purpose', keyPurposes),
    vector: field.choice('Vector for', vectorUses, { dependsOn: { field: 'purpose', values: ['IV'] } }),
  },
  run({ bits: chosen, count, output_format, purpose, vector }, { random }) {
    const bits = purpose === 'IV' && vector !== AS_ABOVE ? vectorBits[vector] : Number(chosen)
    const name = (index: number) => (count > 1 ? `${names[purpose]}_${index + 1}` : names[purpose])
    const keys = Array.from({ length: count }, (_, i) => writeKey(random(bits / 8), output_format, name(i)))
    return { keys, bits, bytes: bits / 8, output_format, purpose, ...judgeKeyLength(purpose, bits) }
  },
  show: ({ keys, bits, bytes, output_format, purpose, fits, because }) => [
    keysPanel(keys, output_format),
    panel.facts([
      ['Length', `${bits} bits, ${bytes} bytes`],
      [`As ${purpose}`, badge(fits, tones[fits])],
      ['Because', because],
      ['Secret', purpose === 'IV' || purpose === 'salt' ? 'No: it is stored beside what it protects' : 'Yes'],
    ]),
    panel.file({
      name: `${names[purpose].toLowerCase().replace('_', '-')}.${endings[output_format] ?? 'txt'}`,
      mediaType: 'text/plain',
      base64: toBase64(fromUtf8(`${keys.join('\n')}\n`)),
    }),
  ],
  terminal({ output_format, purpose }, { bytes }): Terminal {
    switch (output_format) {
      case 'Hex':
        return { command: sh`openssl rand -hex ${bytes}` }
      case 'Base64':
        return { command: sh`openssl rand -base64 ${bytes}` }
      case 'Base64URL':
        return { command: `openssl rand -base64 ${bytes} | tr '+/' '-_' | tr -d '=\\n'` }
      case 'Base32':
        return { command: sh`head -c ${bytes} /dev/urandom | base32 -w 0` }
      case 'C array':
        return { command: sh`head -c ${bytes} /dev/urandom | xxd -i` }
      case 'env':
        return { command: `echo ${names[purpose]}="$(openssl rand -hex ${bytes})"` }
    }
  },
  examples: [
    {
      from: 'FIPS 197 §5',
      title: 'A key for AES-256',
      input: { bits: '256' },
      result: { bytes: 32, fits: 'yes' },
    },
    {
      from: 'RFC 7518 §3.2',
      title: 'A secret for HS512',
      input: { bits: '512', purpose: 'JWT secret', output_format: 'Base64URL' },
      result: { bytes: 64, fits: 'yes', because: 'RFC 7518 §3.2: long enough for HS256, HS384 and HS512.' },
    },
    {
      from: 'NIST SP 800-38D §8.2',
      title: 'Ten nonces of 96 bits',
      input: { purpose: 'IV', vector: 'AES-GCM, AES-CCM or ChaCha20-Poly1305', count: 10 },
      result: { bits: 96, bytes: 12, fits: 'yes' },
    },
  ],
})

const keysPanel = (keys: readonly string[], format: KeyFormat): Panel =>
  format === 'C array' || format === 'env'
    ? panel.code(keys.join('\n'), { language: format === 'env' ? 'shell' : 'c' })
    : panel.list(
        keys.map(text => ({ text: mono(text) })),
        { scroll: keys.length > 20 },
      )
