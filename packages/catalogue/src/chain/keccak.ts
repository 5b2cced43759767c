import { explain, field, mono, type Panel, panel, tool } from '@assay/kit'
import { type Bytes, fromUtf8, toHex, toUtf8 } from '@assay/lib/bytes'
import { isAbiJson, parseAbiJson } from '@assay/lib/chain/abi-json'
import { canonicalSignature, parseSignatures, type Signature } from '@assay/lib/chain/abi-type'

const modes = ['hash', 'function selector', 'event topic'] as const
const SELECTOR_BYTES = 4

/** A signature, and what follows from it. */
interface Named {
  /** The text that was hashed. */
  hashed: string
  hash: string
  selector?: string
  topic?: string
  anonymous?: true
}

interface KeccakResult {
  mode: (typeof modes)[number]
  bits: number
  /** Of the bytes, or of the first signature. */
  hash: string
  input_bytes: number
  hashed?: string
  selector?: string
  topic?: string
  signatures?: Named[]
}

/** Keccak as it was before it became SHA-3, and what Ethereum names functions and events by. */
export const keccak = tool({
  id: 'keccak',
  path: 'keccak',
  title: 'Keccak-256, Function Selector and Event Topic',
  category: 'web3-and-blockchain',
  summary: 'The original Keccak hash of a text or of bytes, the selector of a function and the topic of an event.',
  keywords: ['keccak256', 'sha3', 'ethereum', 'solidity', '4byte', 'function signature', 'topic0', 'method id'],
  specs: ['Keccak reference 3.0', 'Solidity ABI', 'FIPS 202'],
  runs: 'anywhere',
  fields: {
    input_text: field.bytes('Text', {
      formats: ['UTF-8', 'Hex', 'Base64'],
      placeholder: 'transfer(address,uint256)',
      help: 'Signatures may have names, spaces and modifiers, each on a line of its own; or paste the JSON of an interface.',
    }),
    mode: field.choice('What to make', modes),
    bits: field.choice('Bits', ['224', '256', '384', '512'], {
      default: '256',
      dependsOn: { field: 'mode', values: ['hash'] },
    }),
  },

  async run({ input_text, mode, bits }): Promise<KeccakResult> {
    const { keccak: keccakOf } = await import('@assay/lib/hash/keccak')
    if (mode === 'hash') {
      return { mode, bits: Number(bits), hash: toHex(keccakOf(bits, input_text)), input_bytes: input_text.length }
    }
    const signatures = signaturesOf(input_text, mode).map(signature =>
      named(signature, mode, text => toHex(keccakOf('256', fromUtf8(text)))),
    )
    const [first = { hashed: '', hash: '' }] = signatures
    return { mode, bits: 256, input_bytes: input_text.length, ...first, signatures }
  },

  show({ mode, bits, hash, input_bytes, signatures }): Panel[] {
    if (!signatures) {
      return [
        panel.facts([
          ['Hash', mono(hash)],
          ['Function', `Keccak-${bits} with the padding of 2011, which SHA3-${bits} changed`],
          ['Input', `${input_bytes} byte${input_bytes === 1 ? '' : 's'}`],
        ]),
      ]
    }
    const isSelector = mode === 'function selector'
    const anonymous = signatures.some(signature => signature.anonymous)
    return [
      panel.table(
        isSelector ? ['Selector', 'What was hashed', 'Keccak-256'] : ['Topic', 'What was hashed'],
        signatures.map(({ selector = '', topic = '', hashed, hash }) =>
          isSelector ? [mono(selector), mono(hashed), mono(hash)] : [mono(topic), mono(hashed)],
        ),
        { cards: true },
      ),
      ...(anonymous ? [panel.note('warn', 'An anonymous event does not put its hash among the topics.')] : []),
    ]
  },

  cost: ({ input_text }) => ({ milliseconds: 1 + input_text.length * 0.0005, megabytes: 16 }),

  examples: [
    {
      from: 'Keccak team, ShortMsgKAT_256.txt, Len = 0',
      title: 'Nothing at all',
      input: { input_text: '' },
      result: { hash: 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470' },
    },
    {
      from: 'Solidity, Contract ABI Specification, §Examples',
      title: 'The selectors of three functions, as declared',
      input: {
        input_text:
          'function baz(uint32 x, bool y) public pure returns (bool r);\nfunction bar(bytes3[2] memory) public pure;\nfunction sam(bytes memory, bool, uint[] memory) public pure;',
        mode: 'function selector',
      },
      result: {
        signatures: [
          { hashed: 'baz(uint32,bool)', selector: '0xcdcd77c0' },
          { hashed: 'bar(bytes3[2])', selector: '0xfce353f6' },
          { hashed: 'sam(bytes,bool,uint256[])', selector: '0xa5643bf2' },
        ],
      },
    },
    {
      from: 'EIP-20, the event Transfer',
      title: 'The topic of a token transfer',
      input: {
        input_text: 'event Transfer(address indexed _from, address indexed _to, uint256 _value)',
        mode: 'event topic',
      },
      result: {
        hashed: 'Transfer(address,address,uint256)',
        topic: '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
      },
    },
    {
      from: 'CyberChef, Hash.mjs',
      title: 'Keccak-512',
      input: { input_text: 'Hello, World!', bits: '512' },
      result: {
        hash: 'eda765576c84c600ed7f5d97510e92703b61f5215def2a161037fd9dd1f5b6ed4f86ce46073c0e3f34b52de0289e9c618798fff9dd4b1bfe035bdb8645fc6e37',
      },
    },
  ],
})

/** Signatures, or those entries of a contract's interface that have a selector or a topic. */
const signaturesOf = (input: Bytes, mode: KeccakResult['mode']): Signature[] =>
  explain('input_text', 'Text', () => {
    const text = toUtf8(input)
    if (!isAbiJson(text)) return parseSignatures(text)
    const wanted = mode === 'event topic' ? ['event'] : ['function', 'error']
    const found = parseAbiJson(text).filter(({ keyword = '' }) => wanted.includes(keyword))
    if (found.length > 0) return found
    throw new RangeError(`expected at least one ${wanted.join(' or ')} in the JSON`)
  })

function named(signature: Signature, mode: KeccakResult['mode'], hashOf: (text: string) => string): Named {
  const hashed = canonicalSignature(signature)
  const hash = hashOf(hashed)
  if (mode === 'function selector') return { hashed, hash, selector: `0x${hash.slice(0, 2 * SELECTOR_BYTES)}` }
  return { hashed, hash, topic: `0x${hash}`, ...(signature.anonymous && { anonymous: true }) }
}
