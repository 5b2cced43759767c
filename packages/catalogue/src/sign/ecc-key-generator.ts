import { field, mono, Problem, panel, sh, tool } from '@assay/kit'
import { type Bytes, toHex } from '@assay/lib/bytes'
import type { SigningCurve } from '@assay/lib/key/ec'
import type { OkpName, PrivateKey, PublicKey } from '@assay/lib/key/key'
import type { KeyForm } from '@assay/lib/key/write'
import { explained } from './explained.ts'
import { keyPanels } from './key-file.ts'

const curves = [
  'P-256',
  'P-384',
  'P-521',
  'secp256k1',
  'brainpoolP256r1',
  'Ed25519',
  'Ed448',
  'X25519',
  'X448',
] as const satisfies readonly (SigningCurve | OkpName)[]
type Curve = (typeof curves)[number]
const formats = ['PEM', 'JWK', 'Hex', 'OpenSSH'] as const

/** What a pair on each curve is for. */
const uses: Readonly<Record<Curve, string>> = {
  'P-256': 'ECDSA and ECDH',
  'P-384': 'ECDSA and ECDH',
  'P-521': 'ECDSA and ECDH',
  secp256k1: 'ECDSA, as in Bitcoin and Ethereum',
  brainpoolP256r1: 'ECDSA and ECDH',
  Ed25519: 'signatures',
  Ed448: 'signatures',
  X25519: 'key agreement',
  X448: 'key agreement',
}
/** The names of curves in OpenSSL, where they are others. */
const opensslNames: Partial<Record<Curve, string>> = {
  'P-256': 'prime256v1',
  'P-384': 'secp384r1',
  'P-521': 'secp521r1',
}

/** New key pairs on elliptic curves. FIPS 186-5 §A.2, RFC 8032 §5, RFC 7748 §6. */
export const eccKeyGenerator = tool({
  id: 'ecc-key-generator',
  path: 'ecc-key-generator',
  title: 'ECC Key Pair Generator',
  category: 'digital-signatures-and-key-management',
  summary: 'A new key pair on any of nine elliptic curves, in PEM, JWK, hexadecimal or the form of OpenSSH.',
  keywords: [
    'openssl ecparam',
    'genpkey',
    'elliptic curve',
    'ed25519',
    'prime256v1',
    'secp256k1',
    'private key',
    'jwk',
  ],
  specs: ['FIPS 186-5', 'RFC 8032', 'RFC 7748', 'RFC 5480', 'RFC 5639', 'RFC 8410'],
  runs: 'anywhere',
  fields: {
    curve: field.choice('Curve', curves, {
      help: 'P-256 where anything is to be signed by old software, else Ed25519.',
    }),
    format: field.choice('Format', formats, { help: 'PEM holds PKCS #8 and SubjectPublicKeyInfo.' }),
    passphrase: field.password('Passphrase', {
      optional: true,
      help: 'Locks the private key with AES-256, in PEM and OpenSSH. Leave it empty for a key that opens without.',
    }),
  },
  async run({ curve, format, passphrase }, { random }) {
    if (passphrase && (format === 'JWK' || format === 'Hex')) {
      throw new Problem(
        'invalid-input',
        `Passphrase: ${format} has no lock, so choose PEM or OpenSSH, or no passphrase.`,
        {
          field: 'passphrase',
        },
      )
    }
    const key = await generated(curve, random)
    const { fingerprints } = await import('@assay/lib/key/fingerprint')
    const pair = format === 'Hex' ? bare(key) : await written(key, format, { passphrase, random })
    return {
      ...pair,
      curve,
      format,
      encrypted: passphrase !== undefined,
      fingerprints: await fingerprints(key.publicKey),
    }
  },
  show: ({ privateKey, publicKey, curve, format, encrypted, fingerprints }) => [
    panel.banner('good', `Key pair on ${curve}, for ${uses[curve]}`, { badge: encrypted ? 'LOCKED' : 'UNLOCKED' }),
    ...keyPanels('Private key', privateKey, names(format, curve)[0]),
    ...keyPanels('Public key', publicKey, names(format, curve)[1]),
    panel.facts(
      [
        ['SHA-256 of the public key', mono(fingerprints.spki_sha256)],
        ...(fingerprints.ssh_sha256 ? [['SSH', mono(fingerprints.ssh_sha256)] as const] : []),
        ...(fingerprints.jwk_thumbprint
          ? [['JWK thumbprint (RFC 7638)', mono(fingerprints.jwk_thumbprint)] as const]
          : []),
      ],
      'Fingerprints',
    ),
    ...(encrypted
      ? []
      : [panel.note('info', 'The private key opens without a passphrase: whoever has the file has the key.')]),
    ...(curve === 'Ed448' && format === 'OpenSSH'
      ? [panel.note('warn', 'RFC 8709 has SSH keys with Ed448, but OpenSSH itself does not read them.')]
      : []),
  ],
  terminal: ({ curve, format, passphrase }) => {
    const lock = passphrase ? ' -aes-256-cbc' : ''
    if (format === 'OpenSSH') {
      if (curve === 'Ed25519') return { command: 'ssh-keygen -t ed25519 -f id_ed25519' }
      return curve.startsWith('P-') ? { command: sh`ssh-keygen -t ecdsa -b ${curve.slice(2)} -f id_ecdsa` } : undefined
    }
    if (/^(?:Ed|X)/.test(curve)) return { command: `openssl genpkey -algorithm ${curve}${lock} -out private.pem` }
    const name = `ec_paramgen_curve:${opensslNames[curve] ?? curve}`
    return { command: `${sh`openssl genpkey -algorithm EC -pkeyopt ${name}`}${lock} -out private.pem` }
  },
  cost: ({ passphrase }) => ({ milliseconds: passphrase ? 600 : 30, megabytes: 16 }),
  examples: [
    {
      from: 'FIPS 186-5 §A.2.2',
      title: 'P-256 in PEM',
      input: { curve: 'P-256' },
      result: { curve: 'P-256', format: 'PEM', encrypted: false },
    },
    {
      from: 'RFC 8037 §2',
      title: 'Ed25519 as JWK',
      input: { curve: 'Ed25519', format: 'JWK' },
      result: { curve: 'Ed25519', format: 'JWK' },
    },
  ],
})

type Pair = PrivateKey & { publicKey: PublicKey }

async function generated(curve: Curve, random: (length: number) => Bytes): Promise<Pair> {
  const { isOkp } = await import('@assay/lib/key/key')
  if (isOkp(curve)) {
    const { generateOkpKey, okpPublicKeyOf } = await import('@assay/lib/key/okp')
    const key = await generateOkpKey(curve, random)
    return { ...key, publicKey: await okpPublicKeyOf(key) }
  }
  const { generateEcKey } = await import('@assay/lib/key/ec')
  return generateEcKey(curve, random)
}

/** The numbers alone: a public key on a Weierstrass curve is its uncompressed point. */
function bare(key: Pair): { privateKey: string; publicKey: string } {
  if (key.type === 'EC' && key.publicKey.type === 'EC') {
    return { privateKey: toHex(key.d), publicKey: toHex(key.publicKey.point) }
  }
  if ('bytes' in key && 'bytes' in key.publicKey) {
    return { privateKey: toHex(key.bytes), publicKey: toHex(key.publicKey.bytes) }
  }
  throw new Problem('unsupported', 'This kind of key has no bare form.', { field: 'format' })
}

async function written(
  key: Pair,
  form: KeyForm,
  options: { passphrase: string | undefined; random(length: number): Bytes },
) {
  const { writeKey } = await import('@assay/lib/key/write')
  return explained('format', 'Format', async () => ({
    privateKey: (await writeKey({ role: 'private', key }, form, options)).text,
    publicKey: (await writeKey({ role: 'public', key: key.publicKey }, form, { random: options.random })).text,
  }))
}

/** Files as programs call them. */
function names(format: (typeof formats)[number], curve: Curve): readonly [secret: string, open: string] {
  if (format === 'OpenSSH') {
    const id = curve.startsWith('P-') ? 'id_ecdsa' : `id_${curve.toLowerCase()}`
    return [id, `${id}.pub`]
  }
  const extension = { PEM: 'pem', JWK: 'json', Hex: 'txt' }[format]
  return [`private.${extension}`, `public.${extension}`]
}
