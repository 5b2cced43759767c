import { action, explain, field, mono, type Panel, Problem, panel, tool } from '@assay/kit'
import { equalBytes, fromUtf8, toHex } from '@assay/lib/bytes'
import {
  BCRYPT_SALT_BYTES,
  type BcryptHash,
  bcryptDigest,
  bcryptVersions,
  formatBcrypt,
  MAX_PASSWORD_BYTES,
  parseBcrypt,
} from '@assay/lib/kdf/bcrypt'
import { byteCount } from './command.ts'

/** About 400 milliseconds. */
const MAX_COST = 13
/** Milliseconds for one of the 2^cost rounds, measured with hash-wasm on one core of 2.5 GHz. */
const MILLISECONDS_PER_ROUND = 0.05
/** OWASP Password Storage Cheat Sheet. */
const LEAST_COST = 10

/** Password hashes by an expensive key schedule of Blowfish. Provos and Mazières 1999. */
export const bcrypt = tool({
  id: 'bcrypt',
  path: 'bcrypt',
  title: 'bcrypt Hash Generator and Checker',
  category: 'hash-generators-and-checksum',
  summary: 'Hash a password with bcrypt for storage, or check one against a stored hash.',
  keywords: ['password hash', 'blowfish', 'htpasswd', '$2b$', '$2y$', '$2a$', 'crypt', 'openbsd', 'password_verify'],
  specs: ['Provos, Mazières 1999'],
  runs: 'anywhere',
  actions: {
    hash: action({
      title: 'bcrypt Hash Generator',
      summary: 'Hash a password with bcrypt in the form that is stored.',
      fields: {
        password: field.password('Password', { help: `At most ${MAX_PASSWORD_BYTES} bytes.` }),
        rounds: field.number('Cost', { min: 4, max: MAX_COST, default: 10, help: 'Each step doubles the time.' }),
        salt: field.bytes('Salt', {
          optional: true,
          line: true,
          format: 'Hex',
          generate: BCRYPT_SALT_BYTES,
          help: `${BCRYPT_SALT_BYTES} bytes; random ones when left empty.`,
        }),
        version: field.choice('Version', bcryptVersions, {
          help: '2b as OpenBSD writes it, 2y as PHP and Apache do, 2a for old programs; the hash is the same.',
        }),
      },

      async run({ password, rounds, salt, version }, { random }) {
        const used = salt ?? random(BCRYPT_SALT_BYTES)
        explain('salt', 'Salt', () => {
          if (used.length !== BCRYPT_SALT_BYTES) {
            throw new RangeError(`expected ${BCRYPT_SALT_BYTES} bytes, got ${used.length}`)
          }
        })
        const bytes = explain('password', 'Password', () => fromUtf8(password))
        refuseNul(bytes)
        if (bytes.length > MAX_PASSWORD_BYTES) {
          throw new Problem(
            'invalid-input',
            `Password: expected at most ${MAX_PASSWORD_BYTES} bytes, got ${bytes.length}.`,
            {
              field: 'password',
              detail: 'bcrypt ignores what follows, so every longer password with the same beginning would fit.',
            },
          )
        }
        const digest = await bcryptDigest(bytes, used, rounds)
        const hash = { version, cost: rounds, salt: used, digest }
        return { hash_value: formatBcrypt(hash), ...described(hash), password_bytes: bytes.length }
      },

      show: result => [
        panel.code(result.hash_value, { title: 'To store' }),
        panel.facts([
          ['Version', result.version],
          ['Cost', costOf(result.rounds)],
          ['Salt', mono(result.salt)],
          ['Password', byteCount(result.password_bytes)],
        ]),
        ...advice(result.rounds),
      ],

      terminal({ password, salt, rounds, version }, { hash_value }) {
        if (!salt) return undefined
        const setting = hash_value.slice(0, 29)
        // The crypt(3) of GNU systems changes some hashes of version 2a on purpose.
        if (version === '2a' || rounds < 4) return undefined
        const word = `pack("H*", "${toHex(fromUtf8(password))}")`
        return { command: `perl -e 'print crypt(${word}, q(${setting}))'`, prints: hash_value }
      },

      cost: ({ rounds }) => ({ milliseconds: 3 + 2 ** rounds * MILLISECONDS_PER_ROUND, megabytes: 4 }),

      swap: { to: 'verify', from: 'hash_value', into: 'hash_value' },

      examples: [
        {
          from: 'crypt_blowfish wrapper.c',
          input: { password: 'U*U', rounds: 5, salt: '10410410410410410410410410410410', version: '2a' },
          result: { hash_value: '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW' },
        },
        {
          from: 'jBCrypt TestBCrypt.java',
          title: 'As PHP writes it',
          input: { password: 'abc', rounds: 6, salt: '2a1f1dc70a3d147956a46febe3016017', version: '2y' },
          result: { hash_value: '$2y$06$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i' },
        },
      ],
    }),

    verify: action({
      title: 'bcrypt Password Checker',
      summary: 'Check a password against a stored bcrypt hash, and read the cost it was made with.',
      fields: {
        password: field.password('Password'),
        hash_value: field.text('Stored hash', { placeholder: '$2b$10$…' }),
      },

      async run({ password, hash_value }) {
        const stored = explain('hash_value', 'Stored hash', () => parseBcrypt(hash_value))
        if (stored.cost > MAX_COST) {
          throw new Problem('invalid-input', `Stored hash: expected a cost of at most ${MAX_COST}.`, {
            field: 'hash_value',
          })
        }
        const bytes = explain('password', 'Password', () => fromUtf8(password))
        refuseNul(bytes)
        const found = await bcryptDigest(bytes.subarray(0, MAX_PASSWORD_BYTES), stored.salt, stored.cost)
        return {
          valid: equalBytes(fromUtf8(found), fromUtf8(stored.digest)),
          ...described(stored),
          password_bytes: bytes.length,
          ignored_bytes: Math.max(bytes.length - MAX_PASSWORD_BYTES, 0),
        }
      },

      show: result => [
        result.valid
          ? panel.banner('good', 'The password fits the hash')
          : panel.banner('bad', 'The password does not fit the hash'),
        panel.facts([
          ['Version', result.version],
          ['Cost', costOf(result.rounds)],
          ['Salt', mono(result.salt)],
          ['Password', byteCount(result.password_bytes)],
        ]),
        ...(result.ignored_bytes > 0
          ? [panel.note('warn', `Only the first ${MAX_PASSWORD_BYTES} bytes of the password count; the rest was cut.`)]
          : []),
        ...advice(result.rounds),
      ],

      cost({ hash_value }) {
        const rounds = costOfStored(hash_value)
        return { milliseconds: 3 + 2 ** rounds * MILLISECONDS_PER_ROUND, megabytes: 4 }
      },

      examples: [
        {
          from: 'crypt_blowfish wrapper.c',
          input: { password: 'U*U*U', hash_value: '$2a$05$XXXXXXXXXXXXXXXXXXXXXOAcXxm9kjPGEMsLznoKqmqw7tc8WCx4a' },
          result: { valid: true, rounds: 5, version: '2a' },
        },
        {
          from: 'crypt_blowfish wrapper.c',
          title: 'A password longer than bcrypt reads',
          input: {
            password:
              '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789chars after 72 are ignored',
            hash_value: '$2a$05$abcdefghijklmnopqrstuu5s2v8.iXieOjg/.AySBTTZIIVFJeBui',
          },
          result: { valid: true, ignored_bytes: 26 },
        },
        {
          from: 'jBCrypt TestBCrypt.java',
          title: 'A wrong password',
          input: { password: 'abd', hash_value: '$2a$06$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i' },
          result: { valid: false },
        },
      ],
    }),
  },
})

function refuseNul(password: Uint8Array): void {
  if (!password.includes(0)) return
  throw new Problem('invalid-input', 'Password: expected no NUL character, at which bcrypt programs stop reading.', {
    field: 'password',
  })
}

const described = ({ version, cost, salt }: BcryptHash) => ({ version, rounds: cost, salt: toHex(salt) })

const costOf = (rounds: number) => `${rounds}, which is ${2 ** rounds} rounds`

const advice = (rounds: number): Panel[] =>
  rounds < LEAST_COST ? [panel.note('warn', `The cost is below the ${LEAST_COST} that OWASP recommends at least.`)] : []

/** 4 for what is refused before it costs anything. */
function costOfStored(text: string): number {
  try {
    return Math.min(parseBcrypt(text).cost, MAX_COST)
  } catch {
    return 4
  }
}
