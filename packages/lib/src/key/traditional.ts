import type { PemBlock } from '../asn1/pem.ts'
import { type Bytes, concat, fromHex, fromUtf8 } from '../bytes.ts'
import { digest } from '../hash/digest.ts'
import { cbcCiphers, checkCbcIv, decryptCbc, isCbcCipher } from './cbc.ts'
import { PassphraseError } from './passphrase.ts'

/**
 * Keys that OpenSSL locked before PKCS #8: the header fields of RFC 1421 §4.6.1.1 and §4.6.1.3, and a key from one round of MD5
 * over passphrase and salt, the first eight bytes of the initialization vector (EVP_BytesToKey(3)).
 */
const SALT_BYTES = 8

export const isLocked = ({ headers }: PemBlock): boolean => /^4\s*,\s*ENCRYPTED$/.test(headers['Proc-Type'] ?? '')

export async function unlock({ headers, bytes }: PemBlock, passphrase: string | undefined): Promise<Bytes> {
  const [cipher = '', hex = ''] = (headers['DEK-Info'] ?? '').split(',').map(part => part.trim())
  if (!isCbcCipher(cipher)) {
    throw new RangeError(
      `the private key is encrypted with ${cipher || 'an unnamed cipher'}, and only AES and DES in CBC mode are read: openssl pkey -aes256 changes it`,
    )
  }
  const iv = fromHex(hex)
  checkCbcIv(cipher, iv)
  const length = cbcCiphers[cipher].keyBytes
  if (!passphrase) throw new PassphraseError('missing')
  const secret = concat(fromUtf8(passphrase), iv.subarray(0, SALT_BYTES))
  let [key, block]: [Bytes, Bytes] = [new Uint8Array(), new Uint8Array()]
  while (key.length < length) {
    block = await digest('MD5', concat(block, secret))
    key = concat(key, block)
  }
  return decryptCbc(cipher, key.slice(0, length), iv, bytes)
}
