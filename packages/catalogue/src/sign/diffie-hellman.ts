import { explain, field, mono, type Panel, panel, tool } from '@assay/kit'
import { fromHex, toHex } from '@assay/lib/bytes'
import type { DhGroup } from '@assay/lib/key/dh'
import { explained } from './explained.ts'
import { keyPanels } from './key-file.ts'

const CUSTOM = 'custom'
const groups = ['ffdhe2048', 'ffdhe3072', 'ffdhe4096', 'modp14', 'modp15', 'modp16', CUSTOM] as const
type Group = (typeof groups)[number]
/** Digits of the longest p that is taken, in decimal and with separators. */
const MAX_NUMBER = 6000
/** Hexadecimal digits of 4096 bits. */
const DIGITS_4096 = 1024
const own = { dependsOn: { field: 'group', values: [CUSTOM] } }

/** Diffie-Hellman modulo a prime. RFC 7919, RFC 3526, NIST SP 800-56A. */
export const diffieHellman = tool({
  id: 'diffie-hellman',
  path: 'diffie-hellman',
  title: 'Diffie-Hellman Key Exchange',
  category: 'digital-signatures-and-key-management',
  summary:
    'Make a key pair in a group of RFC 7919 or RFC 3526 or your own, and compute the secret shared with another.',
  keywords: [
    'dh',
    'ffdhe',
    'modp',
    'key exchange',
    'shared secret',
    'discrete logarithm',
    'dhparam',
    'safe prime',
    'logjam',
  ],
  specs: ['RFC 7919', 'RFC 3526', 'NIST SP 800-56A'],
  runs: 'anywhere',
  fields: {
    group: field.choice('Group', groups, { help: 'ffdhe for TLS 1.3, modp for SSH and IPsec.' }),
    p: field.text('Prime p', {
      ...own,
      optional: true,
      maxLength: MAX_NUMBER,
      help: 'At most 4096 bits. A key in PEM brings it along.',
    }),
    g: field.text('Generator g', { ...own, optional: true, maxLength: MAX_NUMBER, placeholder: '2' }),
    privateKey: field.text('Your private key', {
      optional: true,
      secret: true,
      maxLength: MAX_NUMBER,
      help: 'A number, or PEM. Leave it empty for a new one.',
    }),
    publicKey: field.text('Public key of the other side', {
      optional: true,
      maxLength: MAX_NUMBER,
      help: 'A number, or PEM. Leave it empty while you have none.',
    }),
    number_format: field.choice('Numbers are written in', ['Hex', 'Decimal']),
  },
  async run({ group: name, p, g, privateKey, publicKey, number_format }, { random, signal }) {
    const [dh, { digest }, { bitLength }] = await Promise.all([
      import('@assay/lib/key/dh'),
      import('@assay/lib/hash/digest'),
      import('@assay/lib/asn1/integer'),
    ])
    const read = (text: string) => readNumber(text, number_format)
    const write = (number: bigint) => number.toString(number_format === 'Decimal' ? 10 : 16)
    const group = await chosen(name, { p, g, privateKey, publicKey, read, random, signal })
    const x = await explained('privateKey', 'Your private key', () => {
      if (privateKey === undefined) return dh.generateDhKey(group, random)
      const number = dh.readDhPem(privateKey, group, 'private') ?? read(privateKey)
      dh.checkDhPrivate(group, number)
      return number
    })
    const y = dh.dhPublic(group, x)
    const other = await explained('publicKey', 'Public key of the other side', () => {
      if (publicKey === undefined) return undefined
      const number = dh.readDhPem(publicKey, group, 'public') ?? read(publicKey)
      dh.checkDhPublic(group, number)
      return number
    })
    const secret = other === undefined ? undefined : dh.dhSecret(group, x, other)
    return {
      group: name,
      p_bits: bitLength(group.p),
      p: write(group.p),
      g: write(group.g),
      safe_prime: group.safePrime,
      privateKey: write(x),
      publicKey: write(y),
      private_pem: dh.dhPrivatePem(group, x),
      public_pem: dh.dhPublicPem(group, y),
      generated: privateKey === undefined,
      ...(secret && {
        shared_secret: toHex(secret),
        secret_sha256: toHex(await digest('SHA-256', secret)),
        ...(number_format === 'Decimal' && { secret_decimal: BigInt(`0x${toHex(secret)}`).toString() }),
      }),
    }
  },
  show: result => [
    panel.banner('good', result.shared_secret ? 'A shared secret' : 'A key pair', {
      detail: `${result.group === CUSTOM ? 'Your own group' : result.group}, ${result.p_bits} bits`,
    }),
    ...(result.shared_secret
      ? [
          panel.code(result.shared_secret, { title: 'Shared secret, its bytes in hexadecimal' }),
          panel.facts([
            ...(result.secret_decimal ? [['The same as a number', mono(result.secret_decimal)] as const] : []),
            ['SHA-256 of the secret', mono(result.secret_sha256 ?? '')],
          ]),
        ]
      : []),
    panel.code(result.publicKey, { title: 'Your public key: send it to the other side' }),
    panel.code(result.privateKey, { title: 'Your private key' }),
    ...keyPanels('Public key in PEM', result.public_pem, 'public.pem'),
    ...keyPanels('Private key in PEM', result.private_pem, 'private.pem'),
    panel.facts(
      [
        ['p', mono(result.p)],
        ['g', mono(result.g)],
        ['(p − 1) / 2 is prime', result.safe_prime ? 'yes' : 'no'],
      ],
      'Group',
    ),
    ...notes(result),
  ],
  terminal: ({ group, publicKey }) => {
    if (publicKey !== undefined) {
      return { command: 'openssl pkeyutl -derive -inkey private.pem -peerkey other.pem | xxd -p -c 1000' }
    }
    return group === CUSTOM
      ? { command: 'openssl genpkey -paramfile dhparam.pem -out private.pem' }
      : { command: `openssl genpkey -algorithm DH -pkeyopt group:${opensslName(group)} -out private.pem` }
  },
  // New keys are short, and one that was typed may be as long as p.
  cost: ({ group, p, privateKey }) => ({
    milliseconds: group === CUSTOM ? 250 + customMs(p?.length || DIGITS_4096) : privateKey === undefined ? 40 : 250,
    megabytes: 32,
  }),
  examples: [
    {
      from: 'RFC 7919 §A.1',
      title: 'A new key pair in ffdhe2048',
      input: { group: 'ffdhe2048' },
      result: { p_bits: 2048, g: '2', safe_prime: true, generated: true },
    },
    {
      from: 'NIST SP 800-56A §5.7.1.1',
      title: 'Small enough for pencil and paper: 10^4 modulo 23 is 18',
      input: { group: CUSTOM, p: '23', g: '5', privateKey: '4', publicKey: '10', number_format: 'Decimal' },
      result: { publicKey: '4', shared_secret: '12', secret_decimal: '18', safe_prime: true },
    },
  ],
})

interface OwnGroup {
  p: string | undefined
  g: string | undefined
  privateKey: string | undefined
  publicKey: string | undefined
  read(text: string): bigint
  random(length: number): Uint8Array
  signal: AbortSignal
}

async function chosen(
  name: Group,
  { p = '', g = '2', privateKey, publicKey, read, ...options }: OwnGroup,
): Promise<DhGroup> {
  const { checkedDhGroup, dhGroupOfPem, namedDhGroup } = await import('@assay/lib/key/dh')
  if (name !== CUSTOM) return namedDhGroup(name)
  const found = p.trim()
    ? undefined
    : (explain('privateKey', 'Your private key', () => dhGroupOfPem(privateKey ?? '', 'private')) ??
      explain('publicKey', 'Public key of the other side', () => dhGroupOfPem(publicKey ?? '', 'public')))
  const prime = found?.p ?? explain('p', 'Prime p', () => read(p))
  const generator = found?.g ?? explain('g', 'Generator g', () => read(g))
  try {
    return await checkedDhGroup(prime, generator, options)
  } catch (error) {
    const [id, label] =
      error instanceof Error && error.message.startsWith('g ') ? ['g', 'Generator g'] : ['p', 'Prime p']
    return explained(id, label, () => Promise.reject(error))
  }
}

function readNumber(text: string, format: 'Hex' | 'Decimal'): bigint {
  const bare = text.replace(/[\s:_,]/g, '')
  if (!bare) throw new RangeError('please enter a number')
  if (format === 'Decimal') {
    if (!/^\d+$/.test(bare)) throw new RangeError('expected decimal digits, and Decimal is chosen')
    return BigInt(bare)
  }
  const digits = bare.replace(/^0x/i, '')
  if (!/^[0-9a-f]+$/i.test(digits)) throw new RangeError('expected hexadecimal digits, and Hex is chosen')
  return BigInt(`0x${toHex(fromHex(digits.length % 2 ? `0${digits}` : digits))}`)
}

function notes({ group, p_bits, safe_prime }: { group: Group; p_bits: number; safe_prime: boolean }): Panel[] {
  return [
    ...(p_bits < 2048
      ? [
          panel.note(
            'bad',
            `A prime of ${p_bits} bits is for study only: take 2048 bits or more for a secret that lasts.`,
          ),
        ]
      : []),
    ...(group === CUSTOM && !safe_prime
      ? [
          panel.note(
            'warn',
            'p is prime but not a safe prime, so there are subgroups that a public key can hide in. Those of small order were looked for.',
          ),
        ]
      : []),
    panel.note('info', 'Nothing here says who the other side is: sign the public keys, or compare them by telephone.'),
  ]
}

const opensslName = (group: Exclude<Group, 'custom'>): string =>
  ({ modp14: 'modp_2048', modp15: 'modp_3072', modp16: 'modp_4096' })[group as 'modp14'] ?? group

/** Two tests of primality, by the digits of p: four seconds for 4096 bits, on a busy machine more. */
const customMs = (digits: number): number => 6000 * Math.min(1, digits / DIGITS_4096) ** 3
