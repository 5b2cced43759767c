import { explain, field, mono, Problem, panel, tool } from '@assay/kit'
import { byteFormats, outputFormats, readBytes, toHex, writeBytes } from '@assay/lib/bytes'
import { checkScrypt, scrypt as derive, type ScryptParameters, scryptBytes } from '@assay/lib/kdf/scrypt'
import { byteCount } from './command.ts'
import { kdfCommand, MAX_KEY_BYTES } from './derivation.ts'

const MEBIBYTE = 1_048_576
const MAX_MEBIBYTES = 128
/** 128 · N · r is what the memory goes with, N · r · p the time: about a second. */
const MAX_BLOCKS = (MAX_MEBIBYTES * MEBIBYTE) / 128
const MAX_WORK = 2 ** 21
/** Before and after the mixing PBKDF2 runs over r · p blocks of 128 bytes. */
const MAX_LANE_BLOCKS = 2 ** 14
const MAX_R = 1024

/** Milliseconds, measured on one core of 2.5 GHz: for a mixing step of N · r · p, and for a block of PBKDF2. */
const MILLISECONDS_PER_STEP = 0.0005
const MILLISECONDS_PER_LANE_BLOCK = 0.035

/** A key from a password by filling memory. RFC 7914. */
export const scrypt = tool({
  id: 'scrypt',
  path: 'scrypt',
  title: 'scrypt Key Derivation',
  category: 'hash-generators-and-checksum',
  summary: 'Derive a key from a password and a salt with scrypt, at a cost in memory and time that you set.',
  keywords: ['kdf', 'key derivation', 'password', 'memory hard', 'tarsnap', 'litecoin', 'percival', 'n r p'],
  specs: ['RFC 7914'],
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
    n: field.number('Cost N', { min: 2, max: MAX_BLOCKS, default: 16_384, help: 'A power of two.' }),
    r: field.number('Block size r', { min: 1, max: MAX_R, default: 8 }),
    p: field.number('Parallelism p', { min: 1, max: MAX_LANE_BLOCKS, default: 1 }),
    dklen: field.number('Key length', { min: 1, max: MAX_KEY_BYTES, default: 32, unit: 'bytes' }),
    output_format: field.choice('Output format', outputFormats),
  },

  async run({ password, password_format, salt, n, r, p, dklen, output_format }) {
    const parameters: ScryptParameters = { cost: n, blockSize: r, parallelism: p, length: dklen }
    explain('n', 'Cost N', () => checkScrypt(parameters))
    refuseCostly(parameters)
    const secret = explain('password', 'Password', () => readBytes(password, password_format))
    const key = await derive(secret, salt, parameters)
    const memory_bytes = scryptBytes(parameters)
    return { key: writeBytes(key, output_format), n, r, p, dklen, memory_bytes, salt_bytes: salt.length }
  },

  show: ({ key, n, r, p, dklen, memory_bytes, salt_bytes }, { salt }) => [
    panel.facts([
      ['Key', mono(key)],
      ['Length', `${byteCount(dklen)}, ${dklen * 8} bits`],
      ['Cost', `N = ${n} (2^${Math.log2(n)}), r = ${r}, p = ${p}`],
      ['Memory', `${(memory_bytes / MEBIBYTE).toFixed(memory_bytes < MEBIBYTE ? 3 : 1)} MiB`],
      ['Salt', mono(toHex(salt))],
    ]),
    ...(n * r * p < LEAST_WORK
      ? [panel.note('warn', 'For stored passwords OWASP recommends N = 131072, r = 8 and p = 1, or as much work.')]
      : []),
    ...(salt_bytes < LEAST_SALT_BYTES
      ? [panel.note('warn', `A salt should have ${LEAST_SALT_BYTES} random bytes or more; this one has ${salt_bytes}.`)]
      : []),
  ],

  terminal: ({ password, password_format, salt, n, r, p, dklen, output_format }, { key, memory_bytes }) =>
    kdfCommand(
      'SCRYPT',
      readBytes(password, password_format),
      salt,
      [`n:${n}`, `r:${r}`, `p:${p}`, `maxmem_bytes:${memory_bytes + MEBIBYTE}`],
      dklen,
      output_format,
      key,
    ),

  cost: ({ n, r, p }) => ({
    milliseconds: 5 + n * r * p * MILLISECONDS_PER_STEP + r * p * MILLISECONDS_PER_LANE_BLOCK,
    megabytes: 8 + (128 * r * (n + p)) / MEBIBYTE,
  }),

  examples: [
    {
      from: 'RFC 7914 §12',
      input: { password: '', salt: '', n: 16, r: 1, p: 1, dklen: 64 },
      result: {
        key: '77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906',
      },
    },
    {
      from: 'RFC 7914 §12',
      title: 'Sixteen lanes',
      input: { password: 'password', salt: 'NaCl', n: 1024, r: 8, p: 16, dklen: 64 },
      result: {
        key: 'fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640',
      },
    },
    {
      from: 'RFC 7914 §12',
      title: 'As on a server of 2009',
      input: { password: 'pleaseletmein', salt: 'SodiumChloride', n: 16_384, r: 8, p: 1, dklen: 64 },
      result: {
        key: '7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887',
      },
    },
  ],
})

const LEAST_WORK = 131_072 * 8
const LEAST_SALT_BYTES = 16

/** The caps that the fields cannot hold one by one, before any work. */
function refuseCostly({ cost, blockSize, parallelism }: ScryptParameters): void {
  const refuse = (field: string, message: string) => {
    throw new Problem('invalid-input', message, { field })
  }
  if (cost * blockSize > MAX_BLOCKS) {
    refuse('n', `Cost N: expected N times r of at most ${MAX_BLOCKS}, which is ${MAX_MEBIBYTES} MiB.`)
  }
  if (cost * blockSize * parallelism > MAX_WORK) {
    refuse('p', `Parallelism p: expected N times r times p of at most ${MAX_WORK}.`)
  }
  if (blockSize * parallelism > MAX_LANE_BLOCKS) {
    refuse('p', `Parallelism p: expected r times p of at most ${MAX_LANE_BLOCKS}.`)
  }
}
