import { explain, field, mono, type Panel, Problem, panel, sh, tool } from '@assay/kit'
import type { ExtendableHash } from '@assay/lib/attack/length-extension'
import { type Bytes, concat, equalBytes, fromHex, toHex } from '@assay/lib/bytes'

const MAX_KEY_BYTES = 4096
/** Lengths of the key that one run tries. */
const MAX_LENGTHS = 64
/** Of the known message and of what is appended, each. */
const MAX_DATA_BYTES = 16_384
/** Longer messages say no more when they are drawn. */
const SHOWN_CHARACTERS = 20_000

interface Forgery {
  key_length: number
  new_hash: string
  /** What the function put after the message, and what has to stand there in the forged one. */
  glue_padding: string
  /** What is sent in place of the message: it, the padding and what was added, in hexadecimal. */
  forged_message: string
  /** Whether the function with the key that was given says the same. */
  verified?: boolean
}

interface Extension extends Forgery {
  algorithm: ExtendableHash
  original_hash: string
  /** The forged message with bytes that are not printable as \xNN, and for a URL as %NN. */
  escaped: string
  url_encoded: string
  /** One for each length that was tried, where there are more. */
  attempts?: Forgery[]
  /** Whether the hash is that of the key that was given and the message. */
  original_verified?: boolean
  /** The same attack on a random key, to show that it works. */
  demo: { key: string; original_hash: string; new_hash: string; computed_hash: string; holds: boolean }
}

interface Question {
  original_data: Bytes
  data_to_add: Bytes
  algorithm: ExtendableHash
  key: Bytes | undefined
}

/** Adding to a message whose hash with an unknown key is known. */
export const hashLengthExtension = tool({
  id: 'hash-length-extension',
  path: 'hash-length-extension',
  title: 'Hash Length Extension Attack',
  category: 'attack-demos-and-analysis',
  summary: 'Add to a message that was signed as hash(key + message), without knowing the key.',
  keywords: ['length extension', 'hashpump', 'hash_extender', 'merkle-damgard', 'glue padding', 'mac forgery', 'hmac'],
  specs: ['RFC 1321', 'FIPS 180-4', 'RFC 2104'],
  runs: 'anywhere',
  caution: 'Try it on keys of your own, or on those whose owner asked you to.',
  fields: {
    original_hash: field.text('Known hash', {
      placeholder: '6036708eba0d11f6ef52ad44e8b74d5b',
      help: 'Of the key and the message, in hexadecimal.',
      maxLength: 1000,
    }),
    original_data: field.bytes('Known message', { line: true, placeholder: 'data', help: 'Without the key.' }),
    data_to_add: field.bytes('What to add', { line: true, placeholder: 'append' }),
    key_length: field.number('Length of the key', { min: 0, max: MAX_KEY_BYTES, default: 16, unit: 'bytes' }),
    key_length_to: field.number('Up to a length of', {
      min: 0,
      max: MAX_KEY_BYTES,
      default: 0,
      unit: 'bytes',
      help: `Where the length is not known: up to ${MAX_LENGTHS} are tried. 0 tries one.`,
    }),
    algorithm: field.choice('Hash function', ['MD5', 'SHA-1', 'SHA-256', 'SHA-512'], { default: 'SHA-256' }),
    key: field.bytes('Key', { line: true, optional: true, secret: true, help: 'Only to check the result against it.' }),
  },

  async run(input, { random }): Promise<Extension> {
    const { original_data, algorithm, key } = input
    const lengths = lengthsOf(input)
    const hash = explain('original_hash', 'Known hash', () => fromHex(input.original_hash.trim()))
    const { forge, digest } = await forger(input)
    const attempts = await Promise.all(lengths.map(length => forge(hash, length)))
    const chosen = attempts.find(({ verified }) => verified) ?? (await forge(hash, input.key_length))

    const demoKey = random(chosen.key_length)
    const demoHash = await digest(concat(demoKey, original_data))
    const demo = await forge(demoHash, demoKey.length)
    const message = fromHex(chosen.forged_message)
    const computed = toHex(await digest(concat(demoKey, message)))
    return {
      algorithm,
      original_hash: toHex(hash),
      ...chosen,
      escaped: written(message, byte => `\\x${byte}`, /[^\\"']/),
      url_encoded: written(message, byte => `%${byte.toUpperCase()}`, URL_CHARACTER),
      ...(key && { original_verified: equalBytes(await digest(concat(key, original_data)), hash) }),
      ...(attempts.length > 1 && { attempts }),
      demo: {
        key: toHex(demoKey),
        original_hash: toHex(demoHash),
        new_hash: demo.new_hash,
        computed_hash: computed,
        holds: demo.new_hash === computed,
      },
    }
  },

  show: result => [
    verdict(result),
    panel.facts([
      ['New hash', mono(result.new_hash)],
      ['Hash function', result.algorithm],
      ['Length of the key', `${result.key_length} bytes`],
      ['Padding between', mono(result.glue_padding)],
    ]),
    ...messagePanels(result),
    ...(result.attempts
      ? [
          panel.table(
            ['Key', 'New hash', 'Padding between', ...(result.verified === undefined ? [] : ['Key that was given'])],
            result.attempts.map(({ key_length, new_hash, glue_padding, verified }) => [
              `${key_length} bytes`,
              mono(new_hash),
              mono(glue_padding),
              ...(verified === undefined ? [] : [verified ? 'holds' : '']),
            ]),
            { title: 'All lengths that were tried', scroll: true },
          ),
        ]
      : []),
    panel.steps(stepsOf(result), 'How it works'),
    panel.steps(RESISTANT, 'What resists'),
  ],

  terminal({ original_data, data_to_add, key_length, algorithm }, { original_hash, new_hash, attempts }) {
    if (attempts || original_data.length + data_to_add.length > 2048) return undefined
    const format = algorithm.toLowerCase().replace('-', '')
    return {
      command: sh`hash_extender --format ${format} --secret ${key_length} --data-format hex --data ${toHex(original_data)} --append-format hex --append ${toHex(data_to_add)} --signature ${original_hash}`,
      prints: new_hash,
    }
  },

  cost({ original_data, data_to_add, key_length, key_length_to }) {
    const lengths = Math.max(1, Math.min(MAX_LENGTHS, key_length_to - key_length + 1))
    const bytes = original_data.length + data_to_add.length + key_length
    return { milliseconds: 1 + (lengths * bytes) / 10_000, megabytes: 32 }
  },

  examples: [
    {
      from: 'hash_extender, README.md',
      input: {
        original_hash: '6036708eba0d11f6ef52ad44e8b74d5b',
        original_data: 'data',
        data_to_add: 'append',
        key_length: 6,
        algorithm: 'MD5',
        key: 'secret',
      },
      result: {
        new_hash: '6ee582a1669ce442f3719c47430dadee',
        forged_message:
          '64617461800000000000000000000000000000000000000000000000000000000000000000000000000000000000000000005000000000000000617070656e64',
        verified: true,
        original_verified: true,
      },
    },
    {
      from: 'HashPump, README.md',
      title: 'Another waffle, signed with SHA-1',
      input: {
        original_hash: '6d5f807e23db210bc254a28be2d6759a0f5f5d99',
        original_data: 'count=10&lat=37.351&user_id=1&long=-119.827&waffle=eggo',
        data_to_add: '&waffle=liege',
        key_length: 14,
        algorithm: 'SHA-1',
      },
      result: { new_hash: '0e41270260895979317fff3898ab85668953aaa2' },
    },
    {
      from: "printf 'secretuser=guest' | sha256sum, and python3 hashlib of the forged message",
      title: 'The length of the key is not known',
      input: {
        original_hash: '1fcfc2a66ad7810b5e25ba271d1c17f03c1b99964f573ead365be1b62d3b9a7c',
        original_data: 'user=guest',
        data_to_add: '&user=admin',
        key_length: 1,
        key_length_to: 12,
        key: 'secret',
      },
      result: {
        key_length: 6,
        verified: true,
        new_hash: '7212b7d2d370f72fae6aef7a1477243fff19d55e6d439ec4b68f9b5ffcae7241',
      },
    },
  ],
})

const refused = (name: string, message: string) => new Problem('invalid-input', message, { field: name })

function lengthsOf({ key_length, key_length_to }: { key_length: number; key_length_to: number }): number[] {
  if (key_length_to === 0) return [key_length]
  const count = key_length_to - key_length + 1
  if (count < 1 || count > MAX_LENGTHS) {
    throw refused(
      'key_length_to',
      `Up to a length of: expected 0, or from the length of the key to ${MAX_LENGTHS - 1} bytes more.`,
    )
  }
  return Array.from({ length: count }, (_, i) => key_length + i)
}

/** The attack on one message, for a hash and a length of its key; and the function that is attacked. */
async function forger({ original_data, data_to_add, algorithm, key }: Question) {
  for (const [name, label, { length }] of [
    ['original_data', 'Known message', original_data],
    ['data_to_add', 'What to add', data_to_add],
  ] as const) {
    if (length > MAX_DATA_BYTES)
      throw refused(name, `${label}: expected at most ${MAX_DATA_BYTES} bytes, got ${length}.`)
  }
  const [{ extendHash }, { digest: digestOf }] = await Promise.all([
    import('@assay/lib/attack/length-extension'),
    import('@assay/lib/hash/digest'),
  ])
  const digest = (message: Uint8Array) => digestOf(algorithm, message)
  const forge = async (hash: Bytes, keyBytes: number): Promise<Forgery> => {
    const extended = explain('original_hash', 'Known hash', () =>
      extendHash(algorithm, { hash, messageBytes: keyBytes + original_data.length, appended: data_to_add }),
    )
    const message = concat(original_data, extended.padding, data_to_add)
    return {
      key_length: keyBytes,
      new_hash: toHex(extended.hash),
      glue_padding: toHex(extended.padding),
      forged_message: toHex(message),
      ...(key && { verified: equalBytes(await digest(concat(key, message)), extended.hash) }),
    }
  }
  return { forge, digest }
}

/** Printable ASCII as it is where it is kept, and every other byte escaped. */
function written(message: Uint8Array, escapeOf: (byte: string) => string, kept: RegExp): string {
  let text = ''
  for (const byte of message) {
    const character = String.fromCharCode(byte)
    const isPlain = byte >= 32 && byte < 127 && kept.test(character)
    text += isPlain ? character : escapeOf(byte.toString(16).padStart(2, '0'))
  }
  return text
}

/** RFC 3986 §2.3, and the signs that separate parameters, which the message brings with it. */
const URL_CHARACTER = /[A-Za-z0-9._~&=-]/

function verdict({ verified, original_verified, key_length, demo }: Extension): Panel {
  if (verified === undefined) {
    return panel.banner('bad', 'A hash for the longer message, made without the key', {
      detail: demo.holds
        ? `Tried on a random key of ${key_length} bytes: the hash computed with that key is the forged one.`
        : 'Tried on a random key, it did not hold.',
    })
  }
  if (verified) {
    return panel.banner('bad', 'The forged message verifies with the key', {
      detail: `The key has ${key_length} bytes; no more than that had to be guessed.`,
    })
  }
  return panel.banner('neutral', 'The forged message does not verify with the key that was given', {
    detail: original_verified
      ? 'The known hash is right, so the length of the key is not.'
      : 'The known hash is not that of this key and this message.',
  })
}

function messagePanels({ escaped, url_encoded, forged_message }: Extension): Panel[] {
  if (forged_message.length > SHOWN_CHARACTERS) {
    const bytes = (forged_message.length / 2).toLocaleString('en')
    return [panel.note('info', `The forged message has ${bytes} bytes, too many to show here.`)]
  }
  return [
    panel.code(escaped, { title: 'Forged message' }),
    panel.code(url_encoded, { title: 'For a URL' }),
    panel.code(forged_message, { title: 'In hexadecimal' }),
  ]
}

const stepsOf = ({ algorithm, key_length, original_hash, glue_padding, new_hash, demo }: Extension) => [
  {
    title: 'The server hashed the key and the message',
    detail: `${algorithm} works through blocks and carries a state from one to the next. The hash is the state after the last.`,
    code: original_hash,
  },
  {
    title: 'It had padded them to whole blocks',
    detail: `The padding depends only on the length: ${key_length} bytes of the key and those of the message.`,
    code: glue_padding,
  },
  {
    title: 'The attacker loads the hash as the state and goes on with what is to be added',
    detail: 'This is the hash of the key, the message, the padding and the addition. The key was never needed.',
    code: new_hash,
  },
  {
    title: 'The server hashes the key and the forged message',
    detail: 'Here with a random key, to show that both ways lead to the same hash.',
    code: `key           ${demo.key}\nits hash      ${demo.original_hash}\nextended      ${demo.new_hash}\nby the server ${demo.computed_hash}`,
  },
]

const RESISTANT = [
  {
    title: 'HMAC',
    detail: 'It hashes the inner hash once more with the key, so no state is ever given out. RFC 2104; use this.',
  },
  {
    title: 'SHA-3, KMAC and SHAKE',
    detail:
      'A sponge keeps a part of its state, the capacity, to itself. KMAC is SHA-3 with a key. FIPS 202, SP 800-185.',
  },
  {
    title: 'SHA-512/256 and SHA-384',
    detail:
      'They give out only a part of the state: 256 and 128 bits of it would have to be guessed. FIPS 180-4 §6.5, §6.7.',
  },
  {
    title: 'BLAKE2 and BLAKE3',
    detail:
      'They mark the last block, so a hash is not a state that can be gone on from. Both take a key by themselves. RFC 7693.',
  },
]
