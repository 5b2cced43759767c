import { asFieldProblem, type Cost, field, type Panel, Problem, panel, sh } from '@assay/kit'
import { toPem } from '@assay/lib/asn1/pem'
import { type Bytes, fromUtf8, toBase64 } from '@assay/lib/bytes'
import type { PrivateKey, PublicKey } from '@assay/lib/key/key'

/** What both generators of this folder need: a key of the chosen kind, its file, and names as they were typed. */

const keyTypes = ['RSA', 'ECDSA P-256', 'ECDSA P-384', 'Ed25519'] as const
export type KeyType = (typeof keyTypes)[number]
const sizes = ['2048', '3072', '4096'] as const
export type KeySize = (typeof sizes)[number]

export const keyFields = {
  keyType: field.choice('Key type', keyTypes, {
    help: 'RSA is understood everywhere, P-256 by everything current and is faster. Chrome does not take Ed25519.',
  }),
  key_size: field.choice('Key size', sizes, {
    help: 'In bits.',
    dependsOn: { field: 'keyType', values: ['RSA'] },
  }),
}

export const sanField = field.area('Alternative names', {
  optional: true,
  placeholder: 'www.example.com, *.example.com, 192.0.2.1',
  help: 'Names, addresses, e-mail addresses and URIs with commas between. A common name that is a host is added by itself.',
})

/** The search for primes takes as long as luck has it: about five times the median, measured on one core. */
const rsaCosts: Readonly<Record<KeySize, number>> = { '2048': 700, '3072': 2600, '4096': 6300 }
const OTHER_KEY_MS = 50
/** PBKDF2 that locks or opens a key. */
const LOCK_MS = 300

export const costOfKey = ({ keyType, key_size }: { keyType: KeyType; key_size: KeySize }, locked: boolean): Cost => ({
  milliseconds: (keyType === 'RSA' ? rsaCosts[key_size] : OTHER_KEY_MS) + (locked ? LOCK_MS : 0),
  megabytes: 32,
})

export interface Pair {
  key: PrivateKey
  publicKey: PublicKey
}

/** A new pair, from the platform's generator or from `random`. */
export async function newPair(keyType: KeyType, size: KeySize, random: (length: number) => Bytes): Promise<Pair> {
  switch (keyType) {
    case 'RSA': {
      const [{ generateRsaPkcs8, rsaKeySizes }, { readPkcs8 }] = await Promise.all([
        import('@assay/lib/key/rsa'),
        import('@assay/lib/key/pkcs8'),
      ])
      const key = readPkcs8(await generateRsaPkcs8(rsaKeySizes.find(bits => String(bits) === size) ?? 2048))
      return whole(key)
    }
    case 'ECDSA P-256':
    case 'ECDSA P-384': {
      const { generateEcKey } = await import('@assay/lib/key/ec')
      return whole(await generateEcKey(keyType === 'ECDSA P-256' ? 'P-256' : 'P-384', random))
    }
    case 'Ed25519': {
      const { generateOkpKey } = await import('@assay/lib/key/okp')
      return whole(await generateOkpKey('Ed25519', random))
    }
  }
}

/** A private key with the public one that belongs to it. */
export function whole(key: PrivateKey): Pair {
  if (key.publicKey) return { key, publicKey: key.publicKey }
  throw new Problem('unsupported', 'No public key is computed for keys of this kind here.', { field: 'privateKey' })
}

/** The private key in PKCS #8, locked where there is a passphrase. */
export async function privatePem(
  key: PrivateKey,
  passphrase: string | undefined,
  random: (length: number) => Bytes,
): Promise<string> {
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

const labels: Readonly<Record<string, string>> = {
  country: 'Country',
  state: 'State or province',
  locality: 'Locality',
  organization: 'Organization',
  organizational_unit: 'Organizational unit',
  common_name: 'Common name',
  email: 'E-mail',
}

type SubjectFields = Parameters<typeof import('@assay/lib/x509/subject')['writeSubject']>[0]

/** The subject, and the names in the order typed; for a server behind the common name, where that is a host. */
export async function namesFrom(fields: SubjectFields, san: string | undefined, role: 'Server' | 'Authority') {
  const [{ SubjectError, writeSubject }, { altNameOfHost, distinct, hostOfCommonName, parseAltNames }] =
    await Promise.all([import('@assay/lib/x509/subject'), import('@assay/lib/x509/alt-name')])
  const subject = await writeSubject(fields).catch((error: unknown) => {
    if (!(error instanceof SubjectError)) throw error
    throw asFieldProblem(error.attribute, labels[error.attribute] ?? error.attribute, error)
  })
  const host = role === 'Server' ? await hostOfCommonName(fields.common_name ?? '') : undefined
  const typed = await parseAltNames(san ?? '').catch((error: unknown) => {
    throw asFieldProblem('san', 'Alternative names', error)
  })
  return { subject, altNames: distinct([...(host ? [altNameOfHost(host)] : []), ...typed]) }
}

/** A PEM text to copy and to save. */
export const pemPanels = (title: string, pem: string, name: string): Panel[] => [
  panel.code(pem, { title }),
  panel.file({ name, mediaType: 'application/x-pem-file', base64: toBase64(fromUtf8(pem)) }),
]

const subjectKeys = [
  ['country', 'C'],
  ['state', 'ST'],
  ['locality', 'L'],
  ['organization', 'O'],
  ['organizational_unit', 'OU'],
  ['common_name', 'CN'],
  ['email', 'emailAddress'],
] as const satisfies readonly (readonly [keyof SubjectFields, string])[]

/** The options of `openssl req` for a new key. */
export function newKeyOptions({ keyType, key_size, passphrase }: KeyChoice): string {
  const [kind = '', parameter] = newKeys[keyType](key_size)
  const curve = parameter ? sh` -pkeyopt ${parameter}` : ''
  return `${sh`-newkey ${kind}`}${curve}${passphrase ? '' : ' -noenc'} -keyout private.pem`
}

interface KeyChoice {
  keyType: KeyType
  key_size: KeySize
  passphrase?: string | undefined
}

const newKeys: Readonly<Record<KeyType, (size: KeySize) => readonly string[]>> = {
  RSA: size => [`rsa:${size}`],
  'ECDSA P-256': () => ['ec', 'ec_paramgen_curve:P-256'],
  'ECDSA P-384': () => ['ec', 'ec_paramgen_curve:P-384'],
  Ed25519: () => ['ed25519'],
}

/** The options of `openssl req` for a subject and names. */
export function subjectOptions(fields: SubjectFields, names: readonly { type: string; value: string }[]): string {
  const subject = subjectKeys.flatMap(([name, key]) => {
    const value = fields[name]?.trim()
    return value ? [`/${key}=${value.replace(/[\\/+]/g, '\\$&')}`] : []
  })
  const san = names.map(({ type, value }) => `${type}:${value}`).join(',')
  return sh`-utf8 -subj ${subject.join('') || '/'}` + (san ? sh` -addext ${`subjectAltName=${san}`}` : '')
}
