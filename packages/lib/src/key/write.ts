import { toPem } from '../asn1/pem.ts'
import { type Bytes, toBase64 } from '../bytes.ts'
import { describeKey } from './fingerprint.ts'
import { writePrivateJwk, writePublicJwk } from './jwk.ts'
import type { KeyMaterial, PrivateKey, PublicKey } from './key.ts'
import { writeOpenSshPrivateKey, writeSshLine } from './openssh.ts'
import { encryptPkcs8 } from './pbes2.ts'
import { writeRsaPrivateKey, writeRsaPublicKey } from './pkcs1.ts'
import { writePkcs8 } from './pkcs8.ts'
import { writeEcPrivateKey } from './sec1.ts'
import { writeSpki } from './spki.ts'

/** Keys written in the forms they are passed around in. RFC 7468, RFC 5958, RFC 5280, RFC 8017, SEC 1, RFC 7517. */
export const keyForms = ['PEM', 'DER', 'JWK', 'PKCS1', 'PKCS8', 'SPKI', 'OpenSSH', 'SEC1'] as const
export type KeyForm = (typeof keyForms)[number]

export interface WrittenKey {
  /** PEM, JSON or a line; of DER its Base64. */
  text: string
  /** What it is called: "PKCS #8 in PEM". */
  form: string
  /** What its file ends with; those of OpenSSH private keys end with nothing. */
  extension: '.pem' | '.der' | '.json' | '.pub' | ''
}

export interface WriteKeyOptions {
  /** Locks a private key; forms without a lock that is safe refuse it. */
  passphrase?: string | undefined
  comment?: string | undefined
  random(length: number): Bytes
}

/** Forms that can be locked. */
const lockable: readonly KeyForm[] = ['PEM', 'PKCS8', 'DER', 'OpenSSH']

/** The key in a form; RangeError, with the reason, when the form has no place for it. */
export async function writeKey(material: KeyMaterial, form: KeyForm, options: WriteKeyOptions): Promise<WrittenKey> {
  const { key } = material
  const restricted = key.type === 'RSA' && ('publicKey' in key ? key.publicKey : key).restricted
  if (restricted && ['JWK', 'PKCS1', 'OpenSSH'].includes(form)) {
    throw new RangeError(`this RSA key is for PSS or OAEP only, and ${form} cannot say so: SPKI and PKCS #8 can`)
  }
  if (material.role === 'public') {
    if (options.passphrase) throw new RangeError('a public key is not locked, so leave the new passphrase empty')
    return writePublic(material.key, form, options)
  }
  if (options.passphrase && !lockable.includes(form)) {
    throw new RangeError(`${form} has no lock that is safe: choose ${lockable.join(', ')}, or no passphrase`)
  }
  return writePrivate(material.key, form, options)
}

const text = (value: string, form: string, extension: WrittenKey['extension']): WrittenKey => ({
  ...{ text: value, form, extension },
})
const pem = (label: string, bytes: Bytes, form: string) => text(toPem(label, bytes), `${form} in PEM`, '.pem')
const der = (bytes: Bytes, form: string): WrittenKey => ({
  ...{ text: toBase64(bytes), form: `${form} in DER`, extension: '.der' },
})
const json = (jwk: object) => text(JSON.stringify(jwk, null, 2), 'JWK', '.json')

function writePublic(key: PublicKey, form: KeyForm, { comment }: WriteKeyOptions): WrittenKey {
  switch (form) {
    case 'PEM':
    case 'SPKI':
      return pem('PUBLIC KEY', writeSpki(key), 'SPKI')
    case 'DER':
      return der(writeSpki(key), 'SPKI')
    case 'JWK':
      return json(writePublicJwk(key))
    case 'PKCS1':
      if (key.type !== 'RSA')
        throw new RangeError(`PKCS #1 is for RSA keys, and this is ${describeKey(key)}: SPKI carries it`)
      return pem('RSA PUBLIC KEY', writeRsaPublicKey(key), 'PKCS #1')
    case 'OpenSSH':
      return text(writeSshLine(key, comment), 'OpenSSH public key', '.pub')
    case 'PKCS8':
      throw new RangeError('PKCS #8 is for private keys, and this is a public one: SPKI carries it')
    case 'SEC1':
      throw new RangeError('SEC 1 is for private keys, and this is a public one: SPKI carries it')
  }
}

async function writePrivate(key: PrivateKey, form: KeyForm, options: WriteKeyOptions): Promise<WrittenKey> {
  switch (form) {
    case 'PEM':
    case 'PKCS8': {
      const { bytes, name, label } = await pkcs8(key, options)
      return pem(label, bytes, name)
    }
    case 'DER': {
      const { bytes, name } = await pkcs8(key, options)
      return der(bytes, name)
    }
    case 'JWK':
      return json(writePrivateJwk(key))
    case 'PKCS1':
      if (key.type !== 'RSA')
        throw new RangeError(`PKCS #1 is for RSA keys, and this is ${words(key)}: PKCS #8 carries it`)
      return pem('RSA PRIVATE KEY', writeRsaPrivateKey(key), 'PKCS #1')
    case 'SEC1':
      if (key.type !== 'EC') throw new RangeError(`SEC 1 is for EC keys, and this is ${words(key)}: PKCS #8 carries it`)
      return pem('EC PRIVATE KEY', writeEcPrivateKey(key), 'SEC 1')
    case 'SPKI':
      return writePublic(publicHalf(key), form, options)
    case 'OpenSSH': {
      const { comment = '', passphrase, random } = options
      return text(await writeOpenSshPrivateKey(key, { comment, passphrase, random }), 'OpenSSH private key', '')
    }
  }
}

async function pkcs8(key: PrivateKey, { passphrase, random }: WriteKeyOptions) {
  const bytes = writePkcs8(key)
  if (!passphrase) return { bytes, name: 'PKCS #8', label: 'PRIVATE KEY' }
  const locked = await encryptPkcs8(bytes, passphrase, random)
  return { bytes: locked, name: 'encrypted PKCS #8', label: 'ENCRYPTED PRIVATE KEY' }
}

/** The public key of a private one, which is not known on curves that nothing is computed on. */
export function publicHalf(key: PrivateKey): PublicKey {
  if (key.publicKey) return key.publicKey
  throw new RangeError('the public key is not in it, and none is computed on this curve')
}

const words = (key: PrivateKey): string =>
  key.publicKey ? describeKey(key.publicKey) : `a key of the kind ${key.type}`
