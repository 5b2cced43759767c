import { asFieldProblem, field, mono, Problem, panel, tool } from '@assay/kit'
import { fromBase64, toHex } from '@assay/lib/bytes'
import { PassphraseError } from '@assay/lib/key/passphrase'
import type { FoundKey } from '@assay/lib/key/read'
import type { KeyForm } from '@assay/lib/key/write'
import { dsaPublicKey } from './dsa-examples.ts'
import { keyPanels } from './key-file.ts'
import { rsaPrivateKey } from './rsa-examples.ts'

const AUTO = 'auto'
const inputs = [AUTO, 'PEM', 'DER', 'JWK', 'OpenSSH'] as const
type Input = (typeof inputs)[number]
const PUBLIC = 'Public only'
const outputs = ['PEM', 'DER', 'JWK', 'PKCS1', 'PKCS8', 'SPKI', 'OpenSSH', PUBLIC, 'SEC1'] as const
type Output = (typeof outputs)[number]
/** Those of a private key, without the ones that drop it. */
const keepsPrivate: readonly Output[] = ['PEM', 'DER', 'JWK', 'PKCS1', 'PKCS8', 'OpenSSH', 'SEC1']
/** PBKDF2 with as many iterations as are written here. */
const LOCK_MS = 400

/** RFC 7517 §A.2: its EC key. */
const jwkExample = {
  kty: 'EC',
  crv: 'P-256',
  x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
  y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
  d: '870MB6gfuTJ4HtUnUvYMyJpr5eUZNP4Bk43bVdj3eAE',
}

/** Keys from one form into another. RFC 7468, RFC 5958, RFC 5280, RFC 8017, RFC 7517, PROTOCOL.key of OpenSSH. */
export const keyFormatConverter = tool({
  id: 'key-format-converter',
  path: 'key-format-converter',
  title: 'Key Format Converter (PEM, DER, JWK)',
  category: 'digital-signatures-and-key-management',
  summary: 'Read a key in any usual form, make sure that its parts belong together, and write it in another form.',
  keywords: [
    'pem to jwk',
    'jwk to pem',
    'pkcs1 to pkcs8',
    'der',
    'openssh to pem',
    'spki',
    'sec1',
    'public key from private key',
    'openssl pkey',
    'ssh-keygen -e',
  ],
  specs: ['RFC 7468', 'RFC 5958', 'RFC 8017', 'RFC 7517', 'RFC 8410'],
  runs: 'anywhere',
  fields: {
    key: field.area('Key', {
      secret: true,
      placeholder: '-----BEGIN PRIVATE KEY-----',
      takes: ['private-key', 'public-key', 'certificate'],
      help: 'PEM, JWK, OpenSSH, or DER in Base64 or hexadecimal. The key of a certificate is read too.',
    }),
    input_format: field.choice('Input format', inputs),
    output_format: field.choice('Output format', outputs, {
      help: 'PEM and DER hold PKCS #8 for private keys and SPKI for public ones. SEC1 and PKCS1 are the older forms of EC and RSA.',
    }),
    passphrase: field.password('Passphrase', { optional: true, help: 'Where the key is locked with one.' }),
    new_passphrase: field.password('New passphrase', {
      optional: true,
      help: 'Locks the private key that is written: in PEM, PKCS8, DER and OpenSSH.',
    }),
    comment: field.text('Comment', {
      optional: true,
      maxLength: 1000,
      dependsOn: { field: 'output_format', values: ['OpenSSH', PUBLIC] },
      help: 'Of the OpenSSH key; without one that of the key which was read.',
    }),
  },
  async run({ key: text, input_format, output_format, passphrase, new_passphrase, comment }, { random }) {
    const [{ readKey }, { publicHalf, writeKey }, { describeKey, fingerprints }] = await Promise.all([
      import('@assay/lib/key/read'),
      import('@assay/lib/key/write'),
      import('@assay/lib/key/fingerprint'),
    ])
    const found = await problems('key', 'Key', () => readKey(text, { passphrase }))
    checkInput(found, input_format)
    const material = found.role === 'private' && output_format === PUBLIC ? toPublic(found, publicHalf) : found
    const form = formOf(found, output_format)
    const words = comment ?? found.comment
    const written = await problems('output_format', 'Output format', () =>
      writeKey(material, form, { passphrase: new_passphrase, random, comment: words }),
    )
    const publicKey = found.role === 'public' ? found.key : found.key.publicKey
    const isPrivate = found.role === 'private' && keepsPrivate.includes(output_format)
    return {
      key: written.text,
      form: written.form,
      file: `${isPrivate ? 'private' : 'public'}${written.extension}`,
      ...(written.extension === '.der' && { hex: toHex(fromBase64(written.text)) }),
      private: isPrivate,
      encrypted: isPrivate && new_passphrase !== undefined,
      read_form: found.form,
      was_encrypted: found.encrypted === true,
      description: publicKey
        ? describeKey(publicKey)
        : `${found.key.type}${'curve' in found.key ? ` on ${found.key.curve}` : ''}`,
      ...(found.comment && { comment: found.comment }),
      ...(publicKey && { fingerprints: await fingerprints(publicKey) }),
    }
  },
  show: result => [
    panel.banner('good', `${result.description}: ${result.read_form} → ${result.form}`, {
      badge: result.private ? (result.encrypted ? 'PRIVATE, LOCKED' : 'PRIVATE') : 'PUBLIC',
    }),
    ...keyPanels(result.form, result.key, result.file),
    ...(result.hex ? [panel.code(result.hex, { title: 'The same in hexadecimal' })] : []),
    ...(result.fingerprints
      ? [
          panel.facts(
            [
              ['SHA-256 of the public key', mono(result.fingerprints.spki_sha256)],
              ...(result.fingerprints.ssh_sha256 ? [['SSH', mono(result.fingerprints.ssh_sha256)] as const] : []),
              ...(result.fingerprints.jwk_thumbprint
                ? [['JWK thumbprint (RFC 7638)', mono(result.fingerprints.jwk_thumbprint)] as const]
                : []),
            ],
            'Fingerprints',
          ),
        ]
      : []),
    ...(result.was_encrypted && result.private && !result.encrypted
      ? [panel.note('warn', 'The key that was read is locked, and the one that is written is not.')]
      : []),
  ],
  terminal: ({ output_format, new_passphrase }, result) => {
    const command = commandFor(output_format, result.private)
    return command ? { command: `${command}${new_passphrase && result.private ? ' -aes-256-cbc' : ''}` } : undefined
  },
  cost: ({ passphrase, new_passphrase }) => ({
    milliseconds: 30 + (passphrase ? LOCK_MS : 0) + (new_passphrase ? LOCK_MS : 0),
    megabytes: 32,
  }),
  examples: [
    {
      from: 'RFC 7517 §A.2',
      title: 'An EC key from JWK to PEM',
      input: { key: JSON.stringify(jwkExample) },
      result: { description: 'EC on P-256', read_form: 'JWK', form: 'PKCS #8 in PEM', private: true },
    },
    {
      from: 'Wycheproof rsa_pkcs1_2048_sig_gen_test.json, tcId 84',
      title: 'The public half of an RSA key',
      input: { key: rsaPrivateKey, output_format: 'SPKI' },
      result: { description: 'RSA, 2048 bits', form: 'SPKI in PEM', private: false },
    },
    {
      from: 'RFC 6979 §A.2.2',
      title: 'A DSA key for OpenSSH',
      input: { key: dsaPublicKey, output_format: 'OpenSSH' },
      result: { description: 'DSA, 2048 bits', form: 'OpenSSH public key' },
    },
  ],
})

/** What the library refuses, by the field that answers for it. */
async function problems<T>(name: string, label: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof PassphraseError) throw asFieldProblem('passphrase', 'Passphrase', error)
    throw asFieldProblem(name, label, error)
  }
}

function checkInput({ form }: FoundKey, wanted: Input): void {
  const families: Readonly<Record<Exclude<Input, 'auto'>, RegExp>> = {
    PEM: / in PEM$/,
    DER: / in DER in /,
    JWK: /^JWK$/,
    OpenSSH: /^(?:OpenSSH|SSH2) /,
  }
  if (wanted === AUTO || families[wanted].test(form)) return
  throw new Problem('invalid-input', `Input format: this key is written as ${form}, and ${wanted} was chosen.`, {
    field: 'input_format',
  })
}

function toPublic(
  found: Extract<FoundKey, { role: 'private' }>,
  half: typeof import('@assay/lib/key/write').publicHalf,
) {
  try {
    return { role: 'public', key: half(found.key) } as const
  } catch (error) {
    throw asFieldProblem('key', 'Key', error)
  }
}

/** The public half alone stays in the family of what was read. */
function formOf({ form }: FoundKey, output: Output): KeyForm {
  if (output !== PUBLIC) return output
  if (form === 'JWK') return 'JWK'
  return /^(?:OpenSSH|SSH2) /.test(form) ? 'OpenSSH' : 'SPKI'
}

function commandFor(output: Output, isPrivate: boolean): string | undefined {
  const pkey = `openssl pkey ${isPrivate ? '' : '-pubin '}-in key.pem`
  switch (output) {
    case 'PEM':
    case 'PKCS8':
      return pkey
    case 'DER':
      return `${pkey} -outform DER -out key.der`
    case 'SPKI':
    case PUBLIC:
      return 'openssl pkey -in key.pem -pubout'
    case 'PKCS1':
      return isPrivate ? 'openssl rsa -in key.pem -traditional' : 'openssl rsa -pubin -in key.pem -RSAPublicKey_out'
    case 'SEC1':
      return 'openssl ec -in key.pem'
    case 'OpenSSH':
      return isPrivate ? 'ssh-keygen -p -N "" -f key.pem' : 'ssh-keygen -i -m PKCS8 -f key.pem'
    default:
      return undefined
  }
}
