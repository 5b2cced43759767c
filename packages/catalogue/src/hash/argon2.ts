import { action, explain, field, mono, type Panel, Problem, panel, printf, type Terminal, tool } from '@assay/kit'
import { equalBytes, fromUtf8, toHex } from '@assay/lib/bytes'
import {
  type Argon2Hash,
  type Argon2Parameters,
  argon2Variants,
  checkArgon2,
  argon2 as derive,
  formatArgon2,
  parseArgon2,
} from '@assay/lib/kdf/argon2'
import { byteCount } from './command.ts'

const MAX_MEMORY_KIB = 128 * 1024
const MAX_PARALLELISM = 4
/** Memory times iterations, which is what the time goes with: about three seconds on a slow core. */
const MAX_WRITTEN_KIB = 768 * 1024
const MAX_HASH_BYTES = 1024
const DEFAULT_SALT_BYTES = 16

/** Milliseconds to fill a mebibyte once, measured on one core of 2.5 GHz: in WebAssembly, and in JavaScript. */
const MILLISECONDS_PER_MEBIBYTE = { wasm: 2, script: 8 }

const secretFields = {
  secret: field.bytes('Pepper', {
    optional: true,
    secret: true,
    line: true,
    help: 'A key that is kept apart from the stored hashes.',
  }),
  associated_data: field.bytes('Associated data', { optional: true, line: true }),
}

/** Password hashes by the winner of the Password Hashing Competition. RFC 9106. */
export const argon2 = tool({
  id: 'argon2',
  path: 'argon2',
  title: 'Argon2 Hash Generator and Checker',
  category: 'hash-generators-and-checksum',
  summary: 'Hash a password with Argon2id, Argon2i or Argon2d for storage, or check one against a stored hash.',
  keywords: ['argon2id', 'password hash', 'kdf', 'key derivation', 'pepper', 'phc string', 'memory hard'],
  specs: ['RFC 9106', 'PHC string format'],
  runs: 'anywhere',
  actions: {
    hash: action({
      title: 'Argon2 Password Hash Generator',
      summary: 'Hash a password with Argon2id, Argon2i or Argon2d in the form that is stored.',
      fields: {
        password: field.password('Password'),
        salt: field.bytes('Salt', {
          optional: true,
          line: true,
          generate: DEFAULT_SALT_BYTES,
          help: `At least 8 bytes; ${DEFAULT_SALT_BYTES} random ones when left empty.`,
        }),
        algorithm: field.choice('Variant', argon2Variants),
        memory: field.number('Memory', { min: 8, max: MAX_MEMORY_KIB, default: 19_456, unit: 'KiB' }),
        iterations: field.number('Iterations', { min: 1, max: MAX_WRITTEN_KIB / 8, default: 2 }),
        parallelism: field.number('Parallelism', { min: 1, max: MAX_PARALLELISM, default: 1, unit: 'lanes' }),
        dklen: field.number('Hash length', { min: 4, max: MAX_HASH_BYTES, default: 32, unit: 'bytes' }),
        ...secretFields,
      },

      async run(
        { password, salt, algorithm, memory, iterations, parallelism, dklen, secret, associated_data },
        context,
      ) {
        const used = salt ?? context.random(DEFAULT_SALT_BYTES)
        const parameters: Argon2Parameters = {
          variant: algorithm,
          memoryKib: memory,
          iterations,
          parallelism,
          length: dklen,
          secret,
          associatedData: associated_data,
        }
        refuseCostly(parameters, 'memory')
        explain(used.length < 8 ? 'salt' : 'memory', used.length < 8 ? 'Salt' : 'Memory', () =>
          checkArgon2(used, parameters),
        )
        const bytes = explain('password', 'Password', () => fromUtf8(password))
        const tag = await derive(bytes, used, parameters)
        return {
          hash_value: formatArgon2({ parameters, salt: used, tag }),
          hash: toHex(tag),
          salt: toHex(used),
          ...described(parameters),
        }
      },

      show: result => [
        panel.code(result.hash_value, { title: 'To store' }),
        panel.facts([
          ['Hash', mono(result.hash)],
          ['Salt', mono(result.salt)],
          ['Variant', result.algorithm],
          ['Cost', costOf(result)],
        ]),
        ...advice(result),
      ],

      terminal({ password, salt, algorithm, memory, iterations, parallelism, dklen, secret, associated_data }, result) {
        if (secret || associated_data || !salt || !isArgument(salt)) return undefined
        const variant = { argon2id: '-id', argon2i: '-i', argon2d: '-d' }[algorithm]
        const costs = `-t ${iterations} -k ${memory} -p ${parallelism} -l ${dklen} -e`
        const command = `${printf(fromUtf8(password))} | argon2 "$(${printf(salt)})" ${variant} ${costs}`
        return { command, prints: result.hash_value } satisfies Terminal
      },

      cost: ({ password, memory, iterations, associated_data }) =>
        costOfRun(memory, iterations, password.length > 0 && !associated_data),

      swap: { to: 'verify', from: 'hash_value', into: 'hash_value' },

      examples: [
        {
          from: 'RFC 9106 §5.3',
          title: 'With pepper and associated data',
          input: {
            password: '\u0001'.repeat(32),
            salt: '02'.repeat(16),
            salt_format: 'Hex',
            memory: 32,
            iterations: 3,
            parallelism: 4,
            secret: '03'.repeat(8),
            secret_format: 'Hex',
            associated_data: '04'.repeat(12),
            associated_data_format: 'Hex',
          },
          result: { hash: '0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659' },
        },
        {
          from: 'phc-winner-argon2 test.c',
          input: { password: 'password', salt: 'somesalt', memory: 256, iterations: 2 },
          result: {
            hash_value: '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4',
          },
        },
        {
          from: 'phc-winner-argon2 test.c',
          title: 'Argon2i',
          input: { password: 'password', salt: 'somesalt', algorithm: 'argon2i', memory: 256, iterations: 2 },
          result: { hash: '89e9029f4637b295beb027056a7336c414fadd43f6b208645281cb214a56452f' },
        },
      ],
    }),

    verify: action({
      title: 'Argon2 Password Checker',
      summary: 'Check a password against a stored Argon2 hash, and read the cost it was made with.',
      fields: {
        password: field.password('Password'),
        hash_value: field.text('Stored hash', { placeholder: '$argon2id$v=19$m=19456,t=2,p=1$…$…' }),
        ...secretFields,
      },

      async run({ password, hash_value, secret, associated_data }) {
        const { parameters, salt, tag } = explain('hash_value', 'Stored hash', () => parseArgon2(hash_value))
        refuseCostly(parameters, 'hash_value')
        const bytes = explain('password', 'Password', () => fromUtf8(password))
        const associatedData = associated_data ?? parameters.associatedData
        const found = await derive(bytes, salt, { ...parameters, secret, associatedData })
        return { valid: equalBytes(found, tag), salt: toHex(salt), ...described(parameters) }
      },

      show: result => [
        result.valid
          ? panel.banner('good', 'The password fits the hash')
          : panel.banner('bad', 'The password does not fit the hash'),
        panel.facts([
          ['Variant', `${result.algorithm}, version ${result.version}`],
          ['Cost', costOf(result)],
          ['Salt', mono(result.salt)],
          ['Hash', `${result.bits} bits`],
        ]),
        ...advice(result),
      ],

      cost({ password, hash_value, associated_data }) {
        const stored = parsedOrUndefined(hash_value)
        if (!stored) return { milliseconds: 1, megabytes: 1 }
        const { memoryKib, iterations, associatedData, version } = stored.parameters
        const wasm = password.length > 0 && !associated_data && !associatedData && version === 0x13
        return costOfRun(memoryKib, iterations, wasm)
      },

      examples: [
        {
          from: 'phc-winner-argon2 test.c',
          input: {
            password: 'password',
            hash_value: '$argon2id$v=19$m=256,t=2,p=2$c29tZXNhbHQ$bQk8UB/VmZZF4Oo79iDXuL5/0ttZwg2f/5U52iv1cDc',
          },
          result: { valid: true, memory: 256, iterations: 2, parallelism: 2 },
        },
        {
          from: 'phc-winner-argon2 test.c',
          title: 'A hash from before 2016, without a version',
          input: {
            password: 'password',
            hash_value: '$argon2i$m=256,t=2,p=1$c29tZXNhbHQ$/U3YPXYsSb3q9XxHvc0MLxur+GP960kN9j7emXX8zwY',
          },
          result: { valid: true, version: 16 },
        },
        {
          from: 'phc-winner-argon2 test.c',
          title: 'A wrong password',
          input: {
            password: 'differentpassword',
            hash_value: '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4',
          },
          result: { valid: false },
        },
      ],
    }),
  },
})

interface Described {
  algorithm: string
  version: number
  memory: number
  iterations: number
  parallelism: number
  bits: number
}

const described = ({
  variant,
  memoryKib,
  iterations,
  parallelism,
  length,
  version = 19,
}: Argon2Parameters): Described => ({
  algorithm: variant,
  version,
  memory: memoryKib,
  iterations,
  parallelism,
  bits: length * 8,
})

const costOf = ({ memory, iterations, parallelism }: Described) =>
  `${memory} KiB, ${iterations} iteration${iterations === 1 ? '' : 's'}, ${parallelism} lane${parallelism === 1 ? '' : 's'}`

/** The caps that the fields cannot hold one by one, and those of a stored hash, before any work. */
function refuseCostly({ memoryKib, iterations, parallelism, length }: Argon2Parameters, name: string): void {
  const refuse = (message: string) => {
    throw new Problem('invalid-input', message, { field: name })
  }
  if (memoryKib > MAX_MEMORY_KIB) refuse(`Memory: expected at most ${MAX_MEMORY_KIB} KiB.`)
  if (parallelism > MAX_PARALLELISM) refuse(`Parallelism: expected at most ${MAX_PARALLELISM} lanes.`)
  if (length > MAX_HASH_BYTES) refuse(`Hash length: expected at most ${byteCount(MAX_HASH_BYTES)}.`)
  if (memoryKib * iterations > MAX_WRITTEN_KIB) {
    refuse(`Memory times iterations: expected at most ${MAX_WRITTEN_KIB} KiB, which is 768 MiB.`)
  }
}

function costOfRun(memoryKib: number, iterations: number, wasm: boolean) {
  const { wasm: fast, script } = MILLISECONDS_PER_MEBIBYTE
  const mebibytes = memoryKib / 1024
  return { milliseconds: 10 + mebibytes * iterations * (wasm ? fast : script), megabytes: 8 + mebibytes }
}

/** OWASP Password Storage Cheat Sheet: from 7 MiB five times to 46 MiB once; the products lie between 35 and 46. */
const LEAST = { memoryKib: 7 * 1024, writtenKib: 35 * 1024 }

function advice({ algorithm, memory, iterations }: Described): Panel[] {
  const weak = memory < LEAST.memoryKib || memory * iterations < LEAST.writtenKib
  return [
    ...(weak
      ? [panel.note('warn', 'The cost is below what OWASP recommends; take 19456 KiB and 2 iterations or more.')]
      : []),
    ...(algorithm === 'argon2d'
      ? [
          panel.note(
            'info',
            'Argon2d reads memory by what the password is, so a neighbour on the machine may learn from it.',
          ),
        ]
      : []),
  ]
}

function parsedOrUndefined(text: string): Argon2Hash | undefined {
  try {
    return parseArgon2(text)
  } catch {
    return undefined
  }
}

/** Whether a shell can hand these bytes on as an argument: command substitution drops NUL and final line breaks. */
const isArgument = (bytes: Uint8Array) => !bytes.includes(0) && bytes.at(-1) !== 10
