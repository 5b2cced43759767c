import { asFieldProblem, type Cost, field, mono, Problem, panel, sh, tool } from '@assay/kit'
import { toPem } from '@assay/lib/asn1/pem'
import { type Bytes, toBase64 } from '@assay/lib/bytes'
import type { RsaPrivateKey } from '@assay/lib/key/key'
import { keyPanels } from './key-file.ts'

const sizes = ['2048', '3072', '4096'] as const
type Size = (typeof sizes)[number]
const formats = ['PKCS8 PEM', 'PKCS1 PEM', 'JWK', 'DER', 'OpenSSH'] as const
type Format = (typeof formats)[number]
/** What can be locked in a way that still counts as safe. */
const lockable: readonly Format[] = ['PKCS8 PEM', 'DER', 'OpenSSH']

/** Files as programs call them. */
const fileNames: Readonly<Record<Format, readonly [secret: string, open: string]>> = {
  'PKCS8 PEM': ['private.pem', 'public.pem'],
  'PKCS1 PEM': ['private.pem', 'public.pem'],
  JWK: ['private.json', 'public.json'],
  DER: ['private.der', 'public.der'],
  OpenSSH: ['id_rsa', 'id_rsa.pub'],
}

/** The search for primes takes as long as luck has it: about five times the median, measured on one core. */
const costs: Readonly<Record<Size, Cost>> = {
  '2048': { milliseconds: 600, megabytes: 32 },
  '3072': { milliseconds: 2500, megabytes: 32 },
  '4096': { milliseconds: 6000, megabytes: 32 },
}
/** The level of NIST SP 800-57 part 1 revision 5, table 2, that the size reaches. */
const strength: Readonly<Record<Size, number>> = { '2048': 112, '3072': 128, '4096': 128 }

/** A new RSA key pair. FIPS 186-5 §A.1, RFC 8017 §A.1, RFC 5958, RFC 7517. */
export const rsaKeyGenerator = tool({
  id: 'rsa-key-generator',
  path: 'rsa-key-generator',
  title: 'RSA Key Pair Generator',
  category: 'digital-signatures-and-key-management',
  summary: 'A new RSA key pair in PEM, DER, JWK or the form of OpenSSH, locked with a passphrase if you like.',
  keywords: ['openssl genrsa', 'genpkey', 'private key', 'public key', 'pem', 'pkcs8', 'pkcs1', 'jwk', 'ssh-keygen'],
  specs: ['RFC 8017', 'FIPS 186-5', 'RFC 5958', 'RFC 8018', 'RFC 7517'],
  runs: 'anywhere',
  fields: {
    keySize: field.choice('Key size', sizes, { help: 'In bits. 2048 will do today; 3072 is asked for beyond 2030.' }),
    format: field.choice('Format', formats, { help: 'PKCS #8 is read by every current program.' }),
    passphrase: field.password('Passphrase', {
      optional: true,
      help: 'Locks the private key with AES-256. Leave it empty for a key that opens without.',
    }),
  },
  async run({ keySize, format, passphrase }, { random, signal }) {
    if (passphrase && !lockable.includes(format)) {
      throw new Problem(
        'invalid-input',
        `${format} has no lock that is safe: choose ${lockable.join(', ')}, or no passphrase.`,
        {
          field: 'passphrase',
        },
      )
    }
    const [{ generateRsaPkcs8, rsaKeySizes }, { readPkcs8 }, { fingerprints }] = await Promise.all([
      import('@assay/lib/key/rsa'),
      import('@assay/lib/key/pkcs8'),
      import('@assay/lib/key/fingerprint'),
    ])
    const pkcs8 = await generateRsaPkcs8(rsaKeySizes.find(size => String(size) === keySize) ?? 2048)
    signal.throwIfAborted()
    const key = readPkcs8(pkcs8)
    if (key.type !== 'RSA') throw new Problem('unsupported', 'The platform made a key of another kind.')
    const pair = await written(key, { pkcs8, format, passphrase, random })
    return {
      ...pair,
      format,
      keySize: Number(keySize),
      exponent: Number(key.publicKey.e),
      security_bits: strength[keySize],
      encrypted: passphrase !== undefined,
      fingerprints: await fingerprints(key.publicKey),
    }
  },
  show: ({ privateKey, publicKey, keySize, security_bits, encrypted, fingerprints, format }) => [
    panel.banner('good', `RSA key pair of ${keySize} bits`, { badge: encrypted ? 'LOCKED' : 'UNLOCKED' }),
    ...keyPanels('Private key', privateKey, fileNames[format][0]),
    ...keyPanels('Public key', publicKey, fileNames[format][1]),
    panel.facts(
      [
        ['SHA-256 of the public key', mono(fingerprints.spki_sha256)],
        ['Pin (RFC 7469)', mono(fingerprints.pin_sha256)],
        ...(fingerprints.ssh_sha256 ? [['SSH', mono(fingerprints.ssh_sha256)] as const] : []),
        ...(fingerprints.jwk_thumbprint
          ? [['JWK thumbprint (RFC 7638)', mono(fingerprints.jwk_thumbprint)] as const]
          : []),
        ['Strength', `at least ${security_bits} bits`],
      ],
      'Fingerprints',
    ),
    ...(encrypted
      ? []
      : [panel.note('info', 'The private key opens without a passphrase: whoever has the file has the key.')]),
  ],
  terminal: ({ keySize, format, passphrase }) => ({ command: commandFor(format, keySize, passphrase !== undefined) }),
  cost: ({ keySize }) => costs[keySize],
  examples: [
    {
      from: 'FIPS 186-5 §A.1.1',
      title: 'A key of 2048 bits with the exponent 65537',
      input: { keySize: '2048' },
      result: { keySize: 2048, exponent: 65537, security_bits: 112, encrypted: false },
    },
    {
      from: 'RFC 5958 §3',
      title: 'Locked with a passphrase',
      input: { format: 'PKCS8 PEM', passphrase: 'correct horse battery staple' },
      result: { encrypted: true, format: 'PKCS8 PEM' },
    },
  ],
})

interface WriteOptions {
  pkcs8: Bytes
  format: Format
  passphrase: string | undefined
  random(length: number): Bytes
}

async function written(key: RsaPrivateKey, options: WriteOptions): Promise<{ privateKey: string; publicKey: string }> {
  const { pkcs8, format, passphrase, random } = options
  const [{ writeSpki }, { writeRsaPrivateKey, writeRsaPublicKey }] = await Promise.all([
    import('@assay/lib/key/spki'),
    import('@assay/lib/key/pkcs1'),
  ])
  const spki = writeSpki(key.publicKey)
  switch (format) {
    case 'PKCS8 PEM': {
      const label = passphrase ? 'ENCRYPTED PRIVATE KEY' : 'PRIVATE KEY'
      return { privateKey: toPem(label, await locked(options)), publicKey: toPem('PUBLIC KEY', spki) }
    }
    case 'PKCS1 PEM':
      return {
        privateKey: toPem('RSA PRIVATE KEY', writeRsaPrivateKey(key)),
        publicKey: toPem('RSA PUBLIC KEY', writeRsaPublicKey(key.publicKey)),
      }
    case 'DER':
      return { privateKey: toBase64(passphrase ? await locked(options) : pkcs8), publicKey: toBase64(spki) }
    case 'JWK': {
      const { writePrivateJwk, writePublicJwk } = await import('@assay/lib/key/jwk')
      const text = (jwk: object) => JSON.stringify(jwk, null, 2)
      return { privateKey: text(writePrivateJwk(key)), publicKey: text(writePublicJwk(key.publicKey)) }
    }
    case 'OpenSSH': {
      const { writeOpenSshPrivateKey, writeSshLine } = await import('@assay/lib/key/openssh')
      const privateKey = await writeOpenSshPrivateKey(key, { passphrase, random })
      return { privateKey, publicKey: writeSshLine(key.publicKey) }
    }
  }
}

async function locked({ pkcs8, passphrase, random }: WriteOptions): Promise<Bytes> {
  if (!passphrase) return pkcs8
  const { encryptPkcs8 } = await import('@assay/lib/key/pbes2')
  try {
    return await encryptPkcs8(pkcs8, passphrase, random)
  } catch (error) {
    throw asFieldProblem('passphrase', 'Passphrase', error)
  }
}

function commandFor(format: Format, keySize: Size, encrypted: boolean): string {
  const bits = `rsa_keygen_bits:${keySize}`
  const lock = encrypted ? ' -aes-256-cbc' : ''
  switch (format) {
    case 'PKCS1 PEM':
      return sh`openssl genrsa -traditional -out private.pem ${keySize}`
    case 'DER':
      return sh`openssl genpkey -algorithm RSA -pkeyopt ${bits} -outform DER -out private.der`
    case 'OpenSSH':
      return sh`ssh-keygen -t rsa -b ${keySize} -f id_rsa`
    default:
      return `${sh`openssl genpkey -algorithm RSA -pkeyopt ${bits}`}${lock} -out private.pem`
  }
}
