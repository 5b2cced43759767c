import { action, asFieldProblem, type Cost, field, mono, type Panel, Problem, panel, sh, tool } from '@assay/kit'
import { toPem } from '@assay/lib/asn1/pem'
import { type Bytes, fromHex, outputFormats, toHex, writeBytes } from '@assay/lib/bytes'
import type { DsaPrivateKey, DsaPublicKey } from '@assay/lib/key/key'
import { type DsaFormat, dsaFormats, dsaLengths } from '@assay/lib/sign/dsa'
import type { SignatureHash } from '@assay/lib/sign/hash-oid'
import { privateKeyFields, publicKeyField } from '../key-fields.ts'
import { dsaPrivateKey, dsaPublicKey } from './dsa-examples.ts'
import { explained } from './explained.ts'
import { keyPanels } from './key-file.ts'
import { signCommand, verifyCommand } from './openssl.ts'
import { signatureBytes } from './signature-text.ts'
import { sentence, verdictBanner } from './verdict.ts'

const hashes = ['SHA-1', 'SHA-224', 'SHA-256', 'SHA-384', 'SHA-512'] as const satisfies readonly SignatureHash[]
type Hash = (typeof hashes)[number]
const sizes = ['1024', '2048', '3072'] as const
const RANDOM = 'Random'

/** Twice the mean of a search that takes as long as luck has it, measured on one core. */
const costs: Readonly<Record<(typeof sizes)[number], Cost>> = {
  '1024': { milliseconds: 2000, megabytes: 32 },
  '2048': { milliseconds: 8000, megabytes: 32 },
  '3072': { milliseconds: 20_000, megabytes: 32 },
}
/** Candidates for p that are tried on average: one number in ln 2^size is prime, and only odd ones are tried. */
const expected = (size: number) => (size * Math.LN2) / 2

const message = field.bytes('Message', { placeholder: 'What is signed' })
const hash = field.choice('Hash function', hashes, { default: 'SHA-256' })
const signatureFormat = field.choice('Signature format', dsaFormats, {
  help: 'DER for certificates and OpenSSL, P1363 for WebCrypto, .NET and SSH.',
})
const keyForms = 'PEM, an OpenSSH key, or DER in Base64 or hexadecimal.'

const sampleR = 'eace8bdbbe353c432a795d9ec556c6d021f7a03f42c36e9bc87e4ac7932cc809'
const sampleS = '7081e175455f9247b812b74583e9e94f9ea79bd640dc962533b0680793a38d53'

/** The Digital Signature Algorithm. FIPS 186-4 §4, RFC 6979. */
export const dsa = tool({
  id: 'dsa',
  path: 'dsa',
  title: 'DSA Keys, Sign and Verify',
  category: 'digital-signatures-and-key-management',
  summary: 'Make DSA keys, sign with them, and check signatures strictly.',
  keywords: ['digital signature algorithm', 'dss', 'fips 186', 'ssh-dss', 'openssl gendsa', 'dsaparam', 'rfc 6979'],
  specs: ['FIPS 186-4', 'RFC 6979', 'RFC 3279'],
  runs: 'anywhere',
  caution:
    'FIPS 186-5 has withdrawn DSA for new signatures: sign with Ed25519 or ECDSA, and keep DSA to check old ones.',
  actions: {
    sign: action({
      title: 'DSA Sign',
      summary: 'Sign a message with a DSA key, deterministically or with a random number.',
      swap: { to: 'verify', from: 'signature', into: 'signature' },
      fields: {
        message,
        ...privateKeyFields(keyForms),
        hash,
        signature_format: signatureFormat,
        nonce: field.choice('Secret number', ['RFC 6979', RANDOM], {
          help: 'RFC 6979 derives it from key and message, so that it cannot repeat.',
        }),
        output_format: field.choice('Output format', outputFormats),
      },
      async run({ message, privateKey, passphrase, hash, signature_format, nonce, output_format }, { random }) {
        const key = await privateOf(privateKey, passphrase)
        const { signDsa, writeDsaSignature } = await import('@assay/lib/sign/dsa')
        const pair = await explained('privateKey', 'Private key', () =>
          signDsa(key, hash, message, nonce === RANDOM ? random : undefined),
        )
        const bytes = writeDsaSignature(pair, signature_format, key.publicKey)
        return {
          signature: writeBytes(bytes, output_format),
          signature_format,
          ...numbers(pair, key.publicKey),
          hash,
          nonce,
          ...lengthsOf(key.publicKey),
          message_bytes: message.length,
        }
      },
      show: result => [
        panel.facts([
          ['Signature', mono(result.signature)],
          ['Key and hash function', `DSA, p of ${result.p_bits} and q of ${result.q_bits} bits, with ${result.hash}`],
          ['r', mono(result.r)],
          ['s', mono(result.s)],
        ]),
        ...notes(result),
      ],
      terminal: ({ message, hash, signature_format }) =>
        signature_format === 'DER' ? { command: signCommand({ message, hash }) } : undefined,
      cost: ({ passphrase }) => ({ milliseconds: passphrase ? 400 : 40, megabytes: 16 }),
      examples: [
        {
          from: 'RFC 6979 §A.2.2',
          title: '2048 bits with SHA-256, message "sample"',
          input: { message: 'sample', privateKey: dsaPrivateKey, signature_format: 'P1363' },
          result: { signature: `${sampleR}${sampleS}`, r: sampleR, s: sampleS, p_bits: 2048, q_bits: 256 },
        },
        {
          from: 'RFC 6979 §A.2.2',
          title: '2048 bits with SHA-1, message "test"',
          input: { message: 'test', privateKey: dsaPrivateKey, hash: 'SHA-1' },
          result: {
            r: 'c18270a93cfc6063f57a4dfa86024f700d980e4cf4e2cb65a504397273d98ea0',
            s: '414f22e5f31a8b6d33295c7539c1c1ba3a6160d7d68d50ac0d3a5beac2884faa',
          },
        },
      ],
    }),

    verify: action({
      title: 'DSA Verify',
      summary: 'Check a DSA signature and the key it is checked with, and learn why it does not hold.',
      fields: {
        message,
        publicKey: publicKeyField(keyForms),
        signature: field.area('Signature', { placeholder: 'Hexadecimal or Base64' }),
        hash,
        signature_format: signatureFormat,
      },
      async run({ message, publicKey, signature, hash, signature_format }) {
        const { key, note } = await publicOf(publicKey)
        const bytes = await explained('signature', 'Signature', () => signatureBytes(signature, signature_format))
        return {
          ...(await judged(key, { message, hash, format: signature_format, bytes })),
          hash,
          signature_format,
          ...lengthsOf(key),
          public_key: toHex(await spki(key)),
          message_bytes: message.length,
          ...(note && { note }),
        }
      },
      show: result => [
        verdictBanner(result),
        panel.facts([
          ['Key and hash function', `DSA, p of ${result.p_bits} and q of ${result.q_bits} bits, with ${result.hash}`],
          ...(result.r ? [['r', mono(result.r)] as const] : []),
          ...(result.s ? [['s', mono(result.s)] as const] : []),
        ]),
        ...notes(result),
      ],
      terminal({ message, hash, signature, signature_format }, { valid, public_key }) {
        if (signature_format !== 'DER' || !valid) return undefined
        const terms = { spki: fromHex(public_key), signature: signatureBytes(signature, 'DER') }
        const command = verifyCommand({ message, hash, ...terms })
        return { command, prints: 'Verified OK' }
      },
      cost: () => ({ milliseconds: 40, megabytes: 16 }),
      examples: [
        {
          from: 'RFC 6979 §A.2.2',
          title: '2048 bits with SHA-256, message "sample"',
          input: {
            message: 'sample',
            publicKey: dsaPublicKey,
            signature: `3045022100${sampleR}0220${sampleS}`,
          },
          result: { valid: true, r: sampleR, s: sampleS },
        },
        {
          from: 'RFC 6979 §A.2.2',
          title: 'The same signature for another message',
          input: {
            message: 'simple',
            publicKey: dsaPublicKey,
            signature: `${sampleR}${sampleS}`,
            signature_format: 'P1363',
          },
          result: { valid: false },
        },
      ],
    }),

    keygen: action({
      label: 'Generate keys',
      title: 'DSA Key Generator',
      summary: 'A new DSA key with parameters of its own, for old systems and for tests.',
      fields: {
        key_size: field.choice('Key size', sizes, {
          default: '2048',
          help: 'In bits. The search takes a second, some seconds, or some ten seconds.',
        }),
        passphrase: field.password('Passphrase', {
          optional: true,
          help: 'Locks the private key with AES-256. Leave it empty for a key that opens without.',
        }),
      },
      async *run({ key_size, passphrase }, { random, signal }) {
        const { dsaKeySizes, generateDsaKey } = await import('@assay/lib/key/dsa-generate')
        const size = dsaKeySizes.find(bits => String(bits) === key_size) ?? 2048
        const search = generateDsaKey(size, { random, signal })
        let step = await search.next()
        for (; !step.done; step = await search.next()) {
          const progress = 1 - Math.exp(-step.value / expected(size))
          yield { progress, label: `${step.value} candidates for p` }
        }
        const { key, seed, counter } = step.value
        return {
          privateKey: await privatePem(key, passphrase, random),
          publicKey: toPem('PUBLIC KEY', await spki(key.publicKey)),
          ...lengthsOf(key.publicKey),
          encrypted: passphrase !== undefined,
          seed: toHex(seed),
          counter,
        }
      },
      show: result => [
        panel.banner('good', `DSA key of ${result.p_bits} bits`, { badge: result.encrypted ? 'LOCKED' : 'UNLOCKED' }),
        ...keyPanels('Private key', result.privateKey, 'private.pem'),
        ...keyPanels('Public key', result.publicKey, 'public.pem'),
        panel.facts(
          [
            ['Lengths', `p of ${result.p_bits} bits, q of ${result.q_bits} bits`],
            ['Seed', mono(result.seed)],
            ['Counter', result.counter],
            ['Hash function of the search', result.p_bits === 1024 ? 'SHA-1' : 'SHA-256'],
          ],
          'Where p and q come from (FIPS 186-4 §A.1.1.2)',
        ),
        ...notes(result),
      ],
      terminal: ({ key_size, passphrase }) => ({
        command: `${sh`openssl dsaparam ${key_size}`} | openssl gendsa${passphrase ? ' -aes256' : ''} /dev/stdin`,
      }),
      cost: ({ key_size }) => costs[key_size],
      examples: [
        {
          from: 'FIPS 186-4 §4.2',
          title: 'A short key, for tests',
          input: { key_size: '1024' },
          result: { p_bits: 1024, q_bits: 160, encrypted: false },
        },
      ],
    }),
  },
})

interface Question {
  message: Bytes
  hash: Hash
  format: DsaFormat
  bytes: Bytes
}

/** A signature that does not hold is the answer, not a fault of the question. */
async function judged(
  key: DsaPublicKey,
  { message, hash, format, bytes }: Question,
): Promise<{ valid: boolean; reason?: string; r?: string; s?: string }> {
  const { dsaRangeFault, readDsaSignature, verifyDsa } = await import('@assay/lib/sign/dsa')
  try {
    const pair = readDsaSignature(bytes, format, key)
    const fault = dsaRangeFault(pair, key)
    if (fault) return { valid: false, reason: sentence(fault) }
    if (await verifyDsa(key, hash, message, pair)) return { valid: true, ...numbers(pair, key) }
    const reason = 'It was made for another message, with another key, or with another hash function.'
    return { valid: false, reason, ...numbers(pair, key) }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    const form = format === 'DER' ? 'strict DER' : format
    return { valid: false, reason: `It is not a signature in ${form}: ${error.message}.` }
  }
}

async function publicOf(text: string) {
  const [{ readPublicKey }, { checkDsaKey }] = await Promise.all([
    import('@assay/lib/key/read'),
    import('@assay/lib/sign/dsa'),
  ])
  return explained('publicKey', 'Public key', async () => {
    const { key, note } = await readPublicKey(text)
    if (key.type !== 'DSA') throw notDsa('publicKey', key.type)
    checkDsaKey(key)
    return { key, ...(note && { note }) }
  })
}

async function privateOf(text: string, passphrase: string | undefined): Promise<DsaPrivateKey> {
  const [{ readPrivateKey }, { checkDsaKey }] = await Promise.all([
    import('@assay/lib/key/read'),
    import('@assay/lib/sign/dsa'),
  ])
  return explained('privateKey', 'Private key', async () => {
    const { key } = await readPrivateKey(text, { passphrase })
    if (key.type !== 'DSA') throw notDsa('privateKey', key.type)
    checkDsaKey(key.publicKey)
    return key
  })
}

const notDsa = (field: string, type: string) =>
  new Problem('invalid-input', `This is a key of the kind ${type}, and DSA takes a DSA key.`, { field })

async function privatePem(key: DsaPrivateKey, passphrase: string | undefined, random: (length: number) => Bytes) {
  const { writePkcs8 } = await import('@assay/lib/key/pkcs8')
  const pkcs8 = writePkcs8(key)
  if (!passphrase) return toPem('PRIVATE KEY', pkcs8)
  const { encryptPkcs8 } = await import('@assay/lib/key/pbes2')
  try {
    return toPem('ENCRYPTED PRIVATE KEY', await encryptPkcs8(pkcs8, passphrase, random))
  } catch (error) {
    throw asFieldProblem('passphrase', 'Passphrase', error)
  }
}

const spki = async (key: DsaPublicKey): Promise<Bytes> => (await import('@assay/lib/key/spki')).writeSpki(key)

const numbers = ({ r, s }: { r: bigint; s: bigint }, { q }: DsaPublicKey) => {
  const digits = 2 * Math.ceil(dsaLengths({ p: 1n, q }).q / 8)
  return { r: r.toString(16).padStart(digits, '0'), s: s.toString(16).padStart(digits, '0') }
}

const lengthsOf = (key: DsaPublicKey) => {
  const { p, q, approved } = dsaLengths(key)
  return { p_bits: p, q_bits: q, approved_lengths: approved }
}

interface Noted {
  p_bits: number
  q_bits: number
  approved_lengths: boolean
  note?: string
}

function notes({ p_bits, q_bits, approved_lengths, note }: Noted): Panel[] {
  const odd = `FIPS 186-4 §4.2 has no DSA with p of ${p_bits} and q of ${q_bits} bits, so other programs may refuse it.`
  const short = `A DSA key of ${p_bits} bits is too short to be trusted. Use 2048 bits or more.`
  return [
    ...(note ? [panel.note('info', note)] : []),
    ...(approved_lengths ? [] : [panel.note('warn', odd)]),
    ...(p_bits < 2048 ? [panel.note('warn', short)] : []),
  ]
}
