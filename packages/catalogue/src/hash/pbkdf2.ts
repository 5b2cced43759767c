import { explain, field, mono, type Panel, Problem, panel, tool, type Update } from '@assay/kit'
import { byteFormats, outputFormats, readBytes, toHex, writeBytes } from '@assay/lib/bytes'
import {
  pbkdf2 as derive,
  isNativePbkdf2,
  type Pbkdf2Hash,
  type Pbkdf2Parameters,
  pbkdf2Hashes,
  pbkdf2Work,
} from '@assay/lib/kdf/pbkdf2'
import { byteCount } from './command.ts'
import { kdfCommand, MAX_KEY_BYTES } from './derivation.ts'

/** Runs of HMAC in all, iterations times blocks of the key: a second by Web Crypto. */
const MAX_WORK = 2_000_000
/** For SHA-224, which Web Crypto has not: a second and a half in JavaScript. */
const MAX_SCRIPT_WORK = 1_000_000

/** Milliseconds for a thousand runs of HMAC, measured on one core of 2.5 GHz: by Web Crypto, and in JavaScript. */
const MILLISECONDS_PER_THOUSAND: Record<Pbkdf2Hash, number> = {
  'SHA-1': 0.2,
  'SHA-224': 1.5,
  'SHA-256': 0.2,
  'SHA-384': 0.5,
  'SHA-512': 0.5,
}

/** OWASP Password Storage Cheat Sheet; SHA-224 and SHA-384 as their longer relatives. */
const RECOMMENDED: Record<Pbkdf2Hash, number> = {
  'SHA-1': 1_300_000,
  'SHA-224': 600_000,
  'SHA-256': 600_000,
  'SHA-384': 210_000,
  'SHA-512': 210_000,
}

interface Pbkdf2Result {
  key: string
  algorithm: Pbkdf2Hash
  iterations: number
  dklen: number
  salt_bytes: number
}

/** A key from a password by repeated HMAC. RFC 8018. */
export const pbkdf2 = tool({
  id: 'pbkdf2',
  path: 'pbkdf2',
  title: 'PBKDF2 Key Derivation',
  category: 'hash-generators-and-checksum',
  summary: 'Derive a key from a password and a salt with PBKDF2 and HMAC.',
  keywords: ['kdf', 'key derivation', 'password', 'pkcs5', 'pkcs #5', 'hmac', 'iterations', 'wpa2', 'rfc 2898'],
  specs: ['RFC 8018', 'NIST SP 800-132', 'RFC 6070', 'RFC 7914'],
  caution:
    'It needs hardly any memory, so graphics cards guess passwords fast; prefer Argon2 or scrypt where you may choose.',
  runs: 'anywhere',
  fields: {
    password: field.password('Password'),
    password_format: field.choice('Password format', byteFormats, {
      help: 'For a password that is bytes and no text.',
    }),
    salt: field.bytes('Salt', {
      line: true,
      generate: 16,
      help: 'At least 16 random bytes, another for each password.',
    }),
    iterations: field.number('Iterations', { min: 1, max: MAX_WORK, default: 600_000 }),
    dklen: field.number('Key length', { min: 1, max: MAX_KEY_BYTES, default: 32, unit: 'bytes' }),
    algorithm: field.choice('Hash function', pbkdf2Hashes, { default: 'SHA-256' }),
    output_format: field.choice('Output format', outputFormats),
  },

  async *run({
    password,
    password_format,
    salt,
    iterations,
    dklen,
    algorithm,
    output_format,
  }): AsyncGenerator<Update<Pbkdf2Result>, Pbkdf2Result, void> {
    const parameters: Pbkdf2Parameters = { hash: algorithm, iterations, length: dklen }
    const most = isNativePbkdf2(algorithm) ? MAX_WORK : MAX_SCRIPT_WORK
    if (pbkdf2Work(parameters) > most) {
      throw new Problem('invalid-input', `Iterations: expected at most ${most} over all blocks of the key.`, {
        field: 'iterations',
        detail: 'Each block, as long as the hash, takes all iterations; take fewer of them or a shorter key.',
      })
    }
    const secret = explain('password', 'Password', () => readBytes(password, password_format))
    const deriving = derive(secret, salt, parameters)
    let step = await deriving.next()
    for (; !step.done; step = await deriving.next()) yield { progress: step.value, label: 'Deriving the key' }
    return { key: writeBytes(step.value, output_format), algorithm, iterations, dklen, salt_bytes: salt.length }
  },

  show: ({ key, algorithm, iterations, dklen, salt_bytes }, { salt }) => [
    panel.facts([
      ['Key', mono(key)],
      ['Length', `${byteCount(dklen)}, ${dklen * 8} bits`],
      ['Function', `PBKDF2 with HMAC-${algorithm}, ${iterations} iteration${iterations === 1 ? '' : 's'}`],
      ['Salt', mono(toHex(salt))],
    ]),
    ...advice({ algorithm, iterations, salt_bytes }),
  ],

  terminal: ({ password, password_format, salt, iterations, dklen, algorithm, output_format }, { key }) =>
    kdfCommand(
      'PBKDF2',
      readBytes(password, password_format),
      salt,
      [`digest:${algorithm.replace('-', '')}`, `iter:${iterations}`],
      dklen,
      output_format,
      key,
    ),

  cost({ iterations, dklen, algorithm }) {
    const work = pbkdf2Work({ hash: algorithm, iterations, length: dklen })
    const milliseconds = 2 + (work / 1000) * MILLISECONDS_PER_THOUSAND[algorithm]
    return { milliseconds, megabytes: isNativePbkdf2(algorithm) ? 2 : 8 }
  },

  examples: [
    {
      from: 'RFC 6070 §2',
      title: 'With SHA-1',
      input: { password: 'password', salt: 'salt', iterations: 4096, dklen: 20, algorithm: 'SHA-1' },
      result: { key: '4b007901b765489abead49d926f721d065a429c1' },
    },
    {
      from: 'RFC 7914 §11',
      title: 'With SHA-256',
      input: { password: 'Password', salt: 'NaCl', iterations: 80_000, dklen: 64 },
      result: {
        key: '4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56a1d425a1225833549adb841b51c9b3176a272bdebba1d078478f62b397f33c8d',
      },
    },
    {
      from: 'crypto-browserify/pbkdf2 fixtures',
      title: 'With SHA-512',
      input: { password: 'password', salt: 'salt', iterations: 4096, algorithm: 'SHA-512' },
      result: { key: 'd197b1b33db0143e018b12f3d1d1479e6cdebdcc97c5c0f87f6902e072f457b5' },
    },
    {
      from: 'crypto-browserify/pbkdf2 fixtures',
      title: 'With SHA-224',
      input: { password: 'password', salt: 'salt', iterations: 4096, algorithm: 'SHA-224' },
      result: { key: '218c453bf90635bd0a21a75d172703ff6108ef603f65bb821aedade1d6961683' },
    },
  ],
})

/** RFC 8018 §4.1 asks for 8 bytes, NIST SP 800-132 §5.1 for 16. */
const LEAST_SALT_BYTES = 16

function advice({
  algorithm,
  iterations,
  salt_bytes,
}: Pick<Pbkdf2Result, 'algorithm' | 'iterations' | 'salt_bytes'>): Panel[] {
  const least = RECOMMENDED[algorithm]
  return [
    ...(iterations < least
      ? [panel.note('warn', `For stored passwords OWASP recommends ${least} iterations or more with this hash.`)]
      : []),
    ...(salt_bytes < LEAST_SALT_BYTES
      ? [panel.note('warn', `A salt should have ${LEAST_SALT_BYTES} random bytes or more; this one has ${salt_bytes}.`)]
      : []),
  ]
}
