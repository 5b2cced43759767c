import { type Example, explain, field, mono, panel, printf, type Terminal, tool } from '@assay/kit'
import { outputFormats, toHex, writeBytes } from '@assay/lib/bytes'
import { type Blake2Name, blake2, blake2Limits } from '@assay/lib/hash/blake2'
import { byteCount, MAX_COMMAND_BYTES } from './command.ts'

interface Blake2Tool {
  name: Blake2Name
  keywords: readonly string[]
  examples: readonly Example[]
}

/** One of the two functions with all that its parameter block offers for one hash. */
function blake2Tool({ name, keywords, examples }: Blake2Tool) {
  const { length, key: keyBytes, salt: saltBytes } = blake2Limits[name]
  const id = name.toLowerCase()
  const upTo = (bytes: number) => `Up to ${bytes} bytes; shorter ones are filled up with zeros.`
  return tool({
    id,
    path: id,
    title: `${name} Hash Generator`,
    category: 'hash-generators-and-checksum',
    summary: `The ${name} hash of a text or of bytes, with a key, salt, personalisation and length of your choice.`,
    keywords,
    specs: ['RFC 7693', 'BLAKE2 paper'],
    runs: 'anywhere',
    fields: {
      input_text: field.bytes('Text', { placeholder: 'Text to hash' }),
      key: field.bytes('Key', {
        optional: true,
        secret: true,
        line: true,
        generate: 32,
        help: `Up to ${keyBytes} bytes; with one, the hash authenticates the text.`,
      }),
      salt: field.bytes('Salt', { optional: true, line: true, generate: saltBytes, help: upTo(saltBytes) }),
      personalization: field.bytes('Personalisation', {
        optional: true,
        line: true,
        help: `A name for the use, so that no two uses share hashes. ${upTo(saltBytes)}`,
      }),
      dklen: field.number('Hash length', { min: 1, max: length, default: length, unit: 'bytes' }),
      output_format: field.choice('Output format', outputFormats),
    },
    run({ input_text, key, salt, personalization, dklen, output_format }) {
      for (const [fieldName, label, bytes, most] of [
        ['key', 'Key', key, keyBytes],
        ['salt', 'Salt', salt, saltBytes],
        ['personalization', 'Personalisation', personalization, saltBytes],
      ] as const) {
        explain(fieldName, label, () => {
          if (bytes && bytes.length > most) throw new RangeError(`expected at most ${most} bytes, got ${bytes.length}`)
        })
      }
      const hash = blake2(name, input_text, { length: dklen, key, salt, personalization })
      return {
        hash: writeBytes(hash, output_format),
        algorithm: name,
        bits: dklen * 8,
        keyed: key !== undefined,
        input_bytes: input_text.length,
      }
    },
    show: ({ hash, bits, keyed, input_bytes }, { salt, personalization }) => [
      panel.facts([
        ['Hash', mono(hash)],
        ['Function', `${name}, ${bits} bits${keyed ? ', keyed' : ''}`],
        ...(salt ? [['Salt', mono(toHex(salt))] as const] : []),
        ...(personalization ? [['Personalisation', mono(toHex(personalization))] as const] : []),
        ['Input', byteCount(input_bytes)],
      ]),
      ...(bits < SHORT_BITS
        ? [panel.note('warn', `With ${bits} bits two equal hashes are found in 2^${bits / 2} steps.`)]
        : []),
    ],
    terminal({ input_text, key, salt, personalization, dklen, output_format }, { hash }): Terminal | undefined {
      if (input_text.length > MAX_COMMAND_BYTES || output_format !== 'Hex') return undefined
      if (name === 'BLAKE2b' && !key && !salt && !personalization) {
        return { command: `${printf(input_text)} | b2sum -l ${dklen * 8}`, prints: hash }
      }
      const given = Object.entries({ key, salt, person: personalization }).flatMap(([parameter, bytes]) =>
        bytes ? [`, ${parameter}=bytes.fromhex("${toHex(bytes)}")`] : [],
      )
      const call = `hashlib.${id}(sys.stdin.buffer.read(), digest_size=${dklen}${given.join('')})`
      return {
        command: `${printf(input_text)} | python3 -c 'import sys, hashlib; print(${call}.hexdigest())'`,
        prints: hash,
      }
    },
    examples,
  })
}

/** Below this a collision is within reach of one machine. */
const SHORT_BITS = 160

const COUNT_64 = toHex(Uint8Array.from({ length: 64 }, (_, i) => i))

/** BLAKE2b, for 64-bit machines. RFC 7693. */
export const blake2b = blake2Tool({
  name: 'BLAKE2b',
  keywords: ['b2sum', 'blake2b-256', 'blake2b-512', 'keyed hash', 'mac', 'personalization', 'libsodium generichash'],
  examples: [
    {
      from: 'RFC 7693 §A',
      input: { input_text: 'abc' },
      result: {
        hash: 'ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d17d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923',
      },
    },
    {
      from: 'BLAKE2 reference kat, blake2b keyed',
      title: 'With a key',
      input: { input_text: '00', input_format: 'Hex', key: COUNT_64, key_format: 'Hex' },
      result: {
        hash: '961f6dd1e4dd30f63901690c512e78e4b45e4742ed197c3c5e45c549fd25f2e4187b0bc9fe30492b16b0d0bc4ef9b0f34c7003fac09a5ef1532e69430234cebd',
      },
    },
    {
      from: 'BLAKE2 reference kat, blake2b keyed',
      title: 'A key and nothing to hash',
      input: { input_text: '', key: COUNT_64, key_format: 'Hex' },
      result: {
        hash: '10ebb67700b1868efb4417987acf4690ae9d972fb7a590c2f02871799aaa4786b5e996e8f0f4eb981fc214b005f42d2ff4233499391653df7aefcbc13fc51568',
      },
    },
  ],
})

/** BLAKE2s, for smaller machines. RFC 7693. */
export const blake2s = blake2Tool({
  name: 'BLAKE2s',
  keywords: ['blake2s-256', 'blake2s-128', 'keyed hash', 'mac', 'personalization', 'wireguard', 'embedded'],
  examples: [
    {
      from: 'RFC 7693 §B',
      input: { input_text: 'abc' },
      result: { hash: '508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982' },
    },
    {
      from: 'BLAKE2 reference kat, blake2s keyed',
      title: 'With a key',
      input: { input_text: '00', input_format: 'Hex', key: COUNT_64.slice(0, 64), key_format: 'Hex' },
      result: { hash: '40d15fee7c328830166ac3f918650f807e7e01e177258cdc0a39b11f598066f1' },
    },
    {
      from: 'BLAKE2 reference kat, blake2s keyed',
      title: 'A key and nothing to hash',
      input: { input_text: '', key: COUNT_64.slice(0, 64), key_format: 'Hex' },
      result: { hash: '48a8997da407876b3d79c0d92325ad3b89cbb754d86ab71aee047ad345fd2c49' },
    },
  ],
})
