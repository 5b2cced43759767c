import { action, explain, field, mono, type Panel, Problem, panel, tool } from '@assay/kit'
import { type Bytes, equalBytes, fromHex, fromUtf8, toHex } from '@assay/lib/bytes'
import type { Parameter, Signature } from '@assay/lib/chain/abi-type'
import type { PlainValue } from '@assay/lib/chain/abi-value'

const SELECTOR_BYTES = 4
const WORD_BYTES = 32
/** Words of an encoding that are shown one by one. */
const SHOWN_WORDS = 256
/** A page draws longer texts slowly. */
const SHOWN_CHARACTERS = 200_000

const shared = {
  signature: field.text('Signature', {
    placeholder: 'transfer(address to, uint256 amount)',
    help: 'As declared in the contract, its JSON, or only the types: (uint256,string).',
  }),
  part: field.choice('Part', ['arguments', 'return values'], {
    help: 'Return values are those after "returns" in the signature.',
  }),
}
const packed = (help: string) => field.flag('Packed', { help })

interface Encoded {
  /** With 0x before it. */
  encoded: string
  bytes: number
  /** The types, and the name where a call was encoded. */
  canonical: string
  selector?: string
  /** Of packed data, which is mostly made to be hashed. */
  keccak256?: string
  /** The first words, or pieces of packed data, with what they are. */
  words: { offset: number; hex: string; meaning: string }[]
}

interface DecodedResult {
  /** JSON, as the encoder takes it. */
  values: string
  decoded: { name: string; type: string; value: PlainValue }[]
  canonical: string
  /** The first four bytes, where they were taken for a selector. */
  selector?: string
  /** Whether the data is byte for byte what the specification makes of the values; packed data has no such form. */
  strict?: boolean
  remarks: { place: string; offset: number; text: string }[]
}

/** Values of contracts as bytes and back. Contract ABI Specification of Solidity. */
export const abiEncode = tool({
  id: 'abi-encode',
  path: 'abi-encode',
  title: 'Solidity ABI Encode / Decode',
  category: 'web3-and-blockchain',
  summary: 'Encode the arguments of a contract call, and read calldata and return data back value by value.',
  keywords: ['calldata', 'abi', 'encodePacked', 'decode transaction input', 'ethereum', 'contract', 'selector', 'evm'],
  specs: ['Solidity ABI', 'EIP-55'],
  runs: 'anywhere',
  actions: {
    encode: action({
      title: 'Solidity ABI Encode',
      swap: { to: 'decode', from: 'encoded', into: 'input_text' },
      fields: {
        ...shared,
        values: field.area('Values', {
          optional: true,
          placeholder: '"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", 1e18',
          help: 'JSON, where numbers may have any length. Arrays and tuples in brackets, bytes in hexadecimal after 0x.',
        }),
        packed: packed('As abi.encodePacked does: nothing between the values.'),
      },
      async run({ signature, part, values = '', packed }): Promise<Encoded> {
        const abi = await codec()
        const { types, canonical, selector } = abi.shapeOf(signature, part)
        const read = explain('values', 'Values', () => abi.readTuple(types, abi.readLiterals(values)))
        const parts = packed
          ? explain('signature', 'Signature', () => abi.encodePacked(types, read))
          : abi.encodeParameters(types, read)
        const prefix = packed || !selector ? new Uint8Array() : fromHex(selector)
        const body = abi.joined(parts)
        return {
          encoded: `0x${toHex(prefix)}${toHex(body)}`,
          bytes: prefix.length + body.length,
          canonical,
          ...(prefix.length > 0 && { selector: `0x${toHex(prefix)}` }),
          ...(packed && { keccak256: `0x${toHex(abi.keccak('256', body))}` }),
          words: wordsOf(parts),
        }
      },
      show: encodedPanels,
      cost: ({ values = '' }) => ({ milliseconds: 1 + values.length * 0.002, megabytes: 32 + values.length / 5000 }),
      examples: [
        {
          from: 'Solidity, Contract ABI Specification, §Examples',
          input: { signature: 'sam(bytes,bool,uint[])', values: '"dave", true, [1, 2, 3]' },
          result: {
            canonical: 'sam(bytes,bool,uint256[])',
            selector: '0xa5643bf2',
            bytes: 292,
            encoded:
              '0xa5643bf20000000000000000000000000000000000000000000000000000000000000060000000000000000000000000000000000000000000000000000000000000000100000000000000000000000000000000000000000000000000000000000000a0000000000000000000000000000000000000000000000000000000000000000464617665000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000003000000000000000000000000000000000000000000000000000000000000000100000000000000000000000000000000000000000000000000000000000000020000000000000000000000000000000000000000000000000000000000000003',
          },
        },
        {
          from: 'Solidity, Contract ABI Specification, §Use of Dynamic Types',
          title: 'Dynamic types between static ones',
          input: {
            signature: 'f(uint256,uint32[],bytes10,bytes)',
            values: '0x123, [0x456, 0x789], "1234567890", "Hello, world!"',
          },
          result: { selector: '0x8be65246', bytes: 292 },
        },
        {
          from: 'Solidity, Contract ABI Specification, §Non-standard Packed Mode',
          title: 'Packed',
          input: {
            signature: '(int16,bytes1,uint16,string)',
            values: '-1, 0x42, 0x03, "Hello, world!"',
            packed: 'yes',
          },
          result: { encoded: '0xffff42000348656c6c6f2c20776f726c6421' },
        },
      ],
    }),

    decode: action({
      title: 'Solidity ABI Decode',
      swap: { to: 'encode', from: 'values', into: 'values' },
      fields: {
        ...shared,
        input_text: field.area('Data', {
          optional: true,
          placeholder: '0xa9059cbb…',
          help: 'Hexadecimal, with the selector before it or without.',
        }),
        packed: packed('What abi.encodePacked made; possible with one string, bytes or open array at most.'),
      },
      async run({ signature, part, input_text = '', packed }): Promise<DecodedResult> {
        const abi = await codec()
        const shape = abi.shapeOf(signature, part)
        const data = explain('input_text', 'Data', () => fromHex(input_text.trim().replace(/^0x/i, '')))
        const { body, selector } = packed ? { body: data } : withoutSelector(data, shape.selector, part)
        const { values, ...judged } = explain('input_text', 'Data', () =>
          packed
            ? { values: abi.decodePacked(shape.types, body), remarks: [] }
            : abi.decodeParameters(shape.types, body),
        )
        const decoded = shape.types.flatMap(({ type, name }, i) => {
          const value = values[i]
          if (value === undefined) return []
          return { name: name ?? '', type: abi.canonicalType(type), value: abi.plainValue(type, value) }
        })
        return {
          values: JSON.stringify(decoded.map(({ value }) => value)),
          decoded,
          canonical: shape.canonical,
          ...(selector && { selector }),
          ...judged,
        }
      },
      show: decodedPanels,
      // Offsets that lead to one place again and again make many values of little data.
      cost: ({ input_text = '' }) => ({
        milliseconds: 1 + input_text.length * 0.005,
        megabytes: 32 + input_text.length / 50_000,
      }),
      examples: [
        {
          from: 'Solidity, Contract ABI Specification, §Use of Dynamic Types',
          title: 'Arrays of arrays, and of strings',
          input: {
            signature: 'g(uint256[][],string[])',
            input_text:
              '0x2289b18c000000000000000000000000000000000000000000000000000000000000004000000000000000000000000000000000000000000000000000000000000001400000000000000000000000000000000000000000000000000000000000000002000000000000000000000000000000000000000000000000000000000000004000000000000000000000000000000000000000000000000000000000000000a0000000000000000000000000000000000000000000000000000000000000000200000000000000000000000000000000000000000000000000000000000000010000000000000000000000000000000000000000000000000000000000000002000000000000000000000000000000000000000000000000000000000000000100000000000000000000000000000000000000000000000000000000000000030000000000000000000000000000000000000000000000000000000000000003000000000000000000000000000000000000000000000000000000000000006000000000000000000000000000000000000000000000000000000000000000a000000000000000000000000000000000000000000000000000000000000000e000000000000000000000000000000000000000000000000000000000000000036f6e650000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000374776f000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000057468726565000000000000000000000000000000000000000000000000000000',
          },
          result: { strict: true, values: '[[["1","2"],["3"]],["one","two","three"]]' },
        },
        {
          from: 'Solidity, Contract ABI Specification, §Examples',
          title: 'What a call returned',
          input: {
            signature: 'function baz(uint32 x, bool y) public pure returns (bool r)',
            part: 'return values',
            input_text: '0x0000000000000000000000000000000000000000000000000000000000000000',
          },
          result: { decoded: [{ name: 'r', type: 'bool', value: false }] },
        },
      ],
    }),
  },
})

/** The codec with the hash behind selectors, loaded on the first run. */
async function codec() {
  const [type, json, value, literal, encode, decode, packed, { keccak }] = await Promise.all([
    import('@assay/lib/chain/abi-type'),
    import('@assay/lib/chain/abi-json'),
    import('@assay/lib/chain/abi-value'),
    import('@assay/lib/chain/literal'),
    import('@assay/lib/chain/abi-encode'),
    import('@assay/lib/chain/abi-decode'),
    import('@assay/lib/chain/abi-packed'),
    import('@assay/lib/hash/keccak'),
  ])
  const selectorOf = (signature: Signature) =>
    toHex(keccak('256', fromUtf8(type.canonicalSignature(signature)))).slice(0, 2 * SELECTOR_BYTES)

  /** The types to encode or decode, and the selector of a function that has a name. */
  function shapeOf(
    text: string,
    part: 'arguments' | 'return values',
  ): { types: readonly Parameter[]; canonical: string; selector?: string } {
    const signature = explain('signature', 'Signature', () => {
      if (!json.isAbiJson(text)) return type.parseSignature(text)
      const [only, another] = json.parseAbiJson(text)
      if (only && !another) return only
      throw new RangeError('expected one function of the interface; copy it out of the JSON')
    })
    if (part === 'arguments') {
      return {
        types: signature.inputs,
        canonical: type.canonicalSignature(signature),
        ...(signature.name !== undefined && { selector: selectorOf(signature) }),
      }
    }
    const { outputs } = signature
    if (outputs) return { types: outputs, canonical: type.canonicalTypes(outputs) }
    throw new Problem('invalid-input', 'Signature: expected the types of the return values after "returns".', {
      field: 'signature',
    })
  }
  return { ...type, ...value, ...literal, ...encode, ...decode, ...packed, keccak, shapeOf }
}

/** Calldata is four bytes longer than whole words; return data is not. */
function withoutSelector(data: Bytes, expected: string | undefined, part: string): { body: Bytes; selector?: string } {
  const first = data.subarray(0, SELECTOR_BYTES)
  const isExpected = expected !== undefined && equalBytes(first, fromHex(expected))
  const hasRoom = data.length % WORD_BYTES === SELECTOR_BYTES
  const isCall = part === 'arguments' && (hasRoom || (isExpected && data.length % WORD_BYTES !== 0))
  if (!isCall) return { body: data }
  if (expected === undefined || isExpected) return { body: data.slice(SELECTOR_BYTES), selector: `0x${toHex(first)}` }
  throw new Problem(
    'invalid-input',
    `Data: expected the selector of the signature, 0x${expected}, in its first four bytes, or no selector.`,
    { field: 'input_text' },
  )
}

function wordsOf(parts: readonly { meaning: string; bytes: Bytes }[]): Encoded['words'] {
  const words: Encoded['words'] = []
  let offset = 0
  for (const { meaning, bytes } of parts) {
    for (let start = 0; start < bytes.length; start += WORD_BYTES) {
      if (words.length === SHOWN_WORDS) return words
      words.push({ offset: offset + start, hex: toHex(bytes.subarray(start, start + WORD_BYTES)), meaning })
    }
    offset += bytes.length
  }
  return words
}

function encodedPanels({ encoded, bytes, canonical, selector, keccak256, words }: Encoded): Panel[] {
  return [
    encoded.length <= SHOWN_CHARACTERS
      ? panel.code(encoded, { title: 'Encoding' })
      : panel.note('info', `The encoding has ${bytes.toLocaleString('en')} bytes, too many to show here.`),
    panel.facts([
      ['Types', mono(canonical)],
      ...(selector ? [['Selector', mono(selector)] as const] : []),
      ['Length', `${bytes.toLocaleString('en')} bytes`],
      ...(keccak256 ? [['Keccak-256 of it', mono(keccak256)] as const] : []),
    ]),
    panel.table(
      ['Byte', 'Hexadecimal', 'What it is'],
      words.map(({ offset, hex, meaning }) => [offset, mono(hex), meaning]),
      {
        title: selector ? 'Word by word, counted after the selector' : 'Word by word',
        empty: 'There are no values.',
        scroll: true,
      },
    ),
    ...(keccak256
      ? [
          panel.note(
            'warn',
            'Packed data with two strings, bytes or arrays can come from other values too. For a hash that means something, encode without packing.',
          ),
        ]
      : []),
  ]
}

function decodedPanels({ decoded, canonical, selector, strict, remarks }: DecodedResult): Panel[] {
  return [
    ...(strict === undefined
      ? []
      : [
          strict
            ? panel.banner('good', 'The data is a proper encoding of these values')
            : panel.banner('warn', 'The data can be read, but no compiler writes it so'),
        ]),
    panel.table(
      ['Name', 'Type', 'Value'],
      decoded.map(({ name, type, value }) => [
        name,
        mono(type),
        mono(typeof value === 'string' ? value : JSON.stringify(value, null, 1)),
      ]),
      { cards: true, empty: 'The signature has no values.' },
    ),
    ...(remarks.length > 0
      ? [
          panel.table(
            ['Value', 'Byte', 'Remark'],
            remarks.map(({ place, offset, text }) => [place, offset, text]),
            { title: 'What is not as it should be' },
          ),
        ]
      : []),
    panel.facts([['Types', mono(canonical)], ...(selector ? [['Selector', mono(selector)] as const] : [])]),
  ]
}
