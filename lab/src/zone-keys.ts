import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Signing } from './zones.ts'

/**
 * Makes zone keys in the files that BIND's programs read. dnssec-keygen would do the same; forty times over it would
 * take longer than everything else together.
 */

type Algorithm = Signing['algorithm']

/** IANA, DNS Security Algorithm Numbers. */
const algorithmNumbers: Readonly<Record<Algorithm, number>> = {
  RSASHA1: 5,
  RSASHA256: 8,
  RSASHA512: 10,
  ECDSAP256SHA256: 13,
  ECDSAP384SHA384: 14,
  ED25519: 15,
  ED448: 16,
}

/** RFC 4034 §2.1.1: the zone key bit, and the secure entry point bit of a key-signing key. */
export const keyFlags = { zoneSigning: 256, keySigning: 257 } as const
type KeyFlags = (typeof keyFlags)[keyof typeof keyFlags]

const rsaBits = 2048

/** Without times dnssec-signzone would not use the key. */
const longAgo = '20200101000000'

/** Writes `K<zone>+<algorithm>+<tag>.key` and `.private` into the folder. */
export async function makeZoneKey(folder: string, zone: string, algorithm: Algorithm, flags: KeyFlags): Promise<void> {
  const jwk = (await generateKey(algorithm)).export({ format: 'jwk' })
  const number = algorithmNumbers[algorithm]
  const publicKey = publicKeyOctets(jwk)
  const rdata = Buffer.concat([Buffer.from([flags >> 8, flags & 255, 3, number]), publicKey])
  const stem = path.join(
    folder,
    `K${zone}+${String(number).padStart(3, '0')}+${String(keyTag(rdata)).padStart(5, '0')}`,
  )
  fs.writeFileSync(`${stem}.key`, `${zone} IN DNSKEY ${flags} 3 ${number} ${publicKey.toString('base64')}\n`)
  const fields = privateFields(jwk).map(([name, value = '']) => `${name}: ${toBase64(value)}\n`)
  fs.writeFileSync(
    `${stem}.private`,
    `Private-key-format: v1.3\nAlgorithm: ${number} (${algorithm})\n${fields.join('')}Publish: ${longAgo}\nActivate: ${longAgo}\n`,
  )
}

async function generateKey(algorithm: Algorithm): Promise<crypto.KeyObject> {
  switch (algorithm) {
    case 'RSASHA1':
    case 'RSASHA256':
    case 'RSASHA512':
      return (await promisify(crypto.generateKeyPair)('rsa', { modulusLength: rsaBits })).privateKey
    case 'ECDSAP256SHA256':
      return crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
    case 'ECDSAP384SHA384':
      return crypto.generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey
    case 'ED25519':
      return crypto.generateKeyPairSync('ed25519').privateKey
    case 'ED448':
      return crypto.generateKeyPairSync('ed448').privateKey
  }
}

/** RFC 3110 §2 for RSA, RFC 6605 §4 for ECDSA, RFC 8080 §3 for EdDSA. */
function publicKeyOctets({ kty, n = '', e = '', x = '', y = '' }: crypto.JsonWebKey): Buffer {
  if (kty !== 'RSA') return Buffer.concat([fromBase64url(x), fromBase64url(y)])
  const exponent = fromBase64url(e)
  return Buffer.concat([Buffer.from([exponent.length]), exponent, fromBase64url(n)])
}

function privateFields(jwk: crypto.JsonWebKey): [string, string | undefined][] {
  if (jwk.kty !== 'RSA') return [['PrivateKey', jwk.d]]
  return [
    ['Modulus', jwk.n],
    ['PublicExponent', jwk.e],
    ['PrivateExponent', jwk.d],
    ['Prime1', jwk.p],
    ['Prime2', jwk.q],
    ['Exponent1', jwk.dp],
    ['Exponent2', jwk.dq],
    ['Coefficient', jwk.qi],
  ]
}

function fromBase64url(text: string): Buffer {
  return Buffer.from(text, 'base64url')
}

function toBase64(base64url: string): string {
  return fromBase64url(base64url).toString('base64')
}

/** RFC 4034 appendix B. */
function keyTag(rdata: Buffer): number {
  const sum = rdata.reduce((total, octet, index) => total + (index % 2 === 0 ? octet << 8 : octet), 0)
  return (sum + (sum >> 16)) & 0xffff
}
