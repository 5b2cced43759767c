import { badge, type Cell, explain, field, mono, type Panel, Problem, panel, type Tone, tool } from '@assay/kit'
import type { ChecksumVerdict, WrongLetter } from '@assay/lib/chain/address'

const MAX_ADDRESSES = 1000
/** EIP-2294 keeps chain ids below 2^53 so that every program can hold them. */
const MAX_CHAIN_ID = Number.MAX_SAFE_INTEGER

interface CheckedAddress {
  /** With the checksum it should have. */
  address: string
  checksum: ChecksumVerdict
  wrong_letters: WrongLetter[]
  /** The chains of EIP-1191, or 0 for EIP-55, whose checksum this is where it is not the one asked for. */
  checksum_of?: number[]
}
interface ChecksumResult {
  standard: 'EIP-55' | 'EIP-1191'
  chain_id: number
  /** Whether every address was typed with a right checksum. */
  valid: boolean
  addresses: CheckedAddress[]
}

/** Addresses with a checksum in the case of their letters. EIP-55, EIP-1191. */
export const addressChecksum = tool({
  id: 'address-checksum',
  path: 'address-checksum',
  title: 'Ethereum Address Checksum (EIP-55 / EIP-1191)',
  category: 'web3-and-blockchain',
  summary: 'Check the checksum in the letters of Ethereum addresses, and write addresses with it.',
  keywords: ['eip-55', 'eip55', 'eip-1191', 'mixed case', 'ethereum address', 'rootstock', 'rsk', 'checksum address'],
  specs: ['EIP-55', 'EIP-1191'],
  runs: 'anywhere',
  fields: {
    text: field.text('Addresses', {
      placeholder: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      help: `Up to ${MAX_ADDRESSES}, with spaces, commas or line breaks between them.`,
    }),
    chain_id: field.number('Chain id', {
      min: 0,
      max: MAX_CHAIN_ID,
      default: 0,
      help: '30 and 31, Rootstock, have checksums of their own by EIP-1191; all others have that of EIP-55.',
    }),
  },

  async run({ text, chain_id }): Promise<ChecksumResult> {
    const { checkAddress, eip1191Chains } = await import('@assay/lib/chain/address')
    const standards = [0, ...eip1191Chains.keys()]
    const addresses = addressesOf(text).map((typed, index): CheckedAddress => {
      const check = (chain: number) => checkAddress(typed, chain)
      const { address, verdict, wrong } = explain('text', `Addresses, number ${index + 1}`, () => check(chain_id))
      const others = verdict === 'wrong' ? standards.filter(chain => check(chain).verdict === 'correct') : []
      return {
        address,
        checksum: verdict,
        wrong_letters: wrong,
        ...(others.length > 0 && { checksum_of: others }),
      }
    })
    return {
      standard: eip1191Chains.has(chain_id) ? 'EIP-1191' : 'EIP-55',
      chain_id,
      valid: addresses.every(({ checksum }) => checksum === 'correct'),
      addresses,
    }
  },

  show({ standard, chain_id, addresses }): Panel[] {
    const wrong = addresses.filter(({ checksum }) => checksum === 'wrong').length
    const bare = addresses.filter(({ checksum }) => checksum === 'none').length
    const [tone, title] = headline(addresses.length, wrong, bare)
    return [
      panel.banner(tone, title, { detail: `${standard}${chain_id > 0 ? `, chain ${chain_id}` : ''}` }),
      panel.table(
        ['Address', 'Checksum', 'Wrong letters'],
        addresses.map(({ address, checksum, wrong_letters, checksum_of }) => [
          mono(address),
          verdicts[checksum],
          lettersOf(wrong_letters, checksum_of),
        ]),
        { cards: true },
      ),
      ...(bare > 0
        ? [panel.note('info', 'Letters that are all capital or all small carry no checksum, so nothing was checked.')]
        : []),
    ]
  },

  cost: ({ text }) => ({ milliseconds: 1 + text.length * 0.002, megabytes: 16 }),

  examples: [
    {
      from: 'EIP-55, Test Cases',
      input: { text: '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed' },
      result: { addresses: [{ address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', checksum: 'none' }] },
    },
    {
      from: 'EIP-55, Test Cases',
      title: 'Four addresses with their checksum',
      input: {
        text: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed 0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359 0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB 0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
      },
      result: { valid: true },
    },
    {
      from: 'EIP-1191, Test Cases',
      title: 'An address of Rootstock where one of Ethereum was meant',
      input: { text: '0x5aaEB6053f3e94c9b9a09f33669435E7ef1bEAeD' },
      result: {
        valid: false,
        addresses: [{ address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', checksum: 'wrong', checksum_of: [30] }],
      },
    },
  ],
})

function addressesOf(text: string): string[] {
  const refuse = (message: string) => new Problem('invalid-input', message, { field: 'text' })
  // A field of one line takes the line breaks out of what is pasted, and an address begins at its 0x all the same.
  const found = text.split(/[\s,;]+|(?=0x)/i).filter(part => part !== '')
  if (found.length === 0) throw refuse('Addresses: expected at least one address of 40 hexadecimal digits.')
  if (found.length > MAX_ADDRESSES) {
    throw refuse(`Addresses: expected at most ${MAX_ADDRESSES} addresses, got ${found.length}.`)
  }
  return found
}

const verdicts: Record<ChecksumVerdict, Cell> = {
  correct: badge('correct', 'good'),
  wrong: badge('wrong', 'bad'),
  none: badge('none given', 'neutral'),
}

/** Longer lists of letters say no more than that the address is another. */
const SHOWN_LETTERS = 8

function lettersOf(wrong: readonly WrongLetter[], checksumOf: readonly number[] = []): Cell {
  const [chain] = checksumOf
  if (chain !== undefined)
    return chain === 0 ? 'The checksum is that of EIP-55.' : `The checksum is that of chain ${chain}.`
  const shown = wrong.slice(0, SHOWN_LETTERS).map(({ position, expected }) => `${expected} at ${position}`)
  const more = wrong.length - shown.length
  return mono([...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(', '))
}

function headline(addresses: number, wrong: number, bare: number): [Tone, string] {
  const many = addresses > 1
  if (wrong > 0) {
    return ['bad', many ? `${wrong} of ${addresses} checksums are wrong` : 'The checksum is wrong']
  }
  if (bare === 0) return ['good', many ? `All ${addresses} checksums are correct` : 'The checksum is correct']
  return [
    'neutral',
    many ? `${bare} of ${addresses} addresses came without a checksum` : 'The address came without a checksum',
  ]
}
