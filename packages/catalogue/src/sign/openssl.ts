import { printf, sh, shellWord } from '@assay/kit'
import { toPem } from '@assay/lib/asn1/pem'

/** Commands of OpenSSL for signatures. */

/** SHA-512/256 is sha512-256 there, and SHA3-256 sha3-256. */
export const digestName = (hash: string): string => hash.toLowerCase().replace('sha-', 'sha').replace('/', '-')

interface SignTerms {
  message: Uint8Array
  hash: string
  options?: readonly string[]
}

const sigopts = (options: readonly string[]) => options.map(option => sh` -sigopt ${option}`).join('')

/** The private key stays in its file: a command is kept in the history of the shell. */
export const signCommand = ({ message, hash, options = [] }: SignTerms): string =>
  `${printf(message)} | openssl dgst -${digestName(hash)}${sigopts(options)} -sign private.pem | xxd -p`

interface VerifyTerms {
  message: Uint8Array
  spki: Uint8Array
  signature: Uint8Array
}

/** A whole command, files and all, that prints "Verified OK". */
export function verifyCommand({ message, hash, options = [], ...files }: SignTerms & VerifyTerms): string {
  const check = `openssl dgst -${digestName(hash)}${sigopts(options)} -verify public.pem -signature signature.bin`
  return [...filesOf(files), `${printf(message)} | ${check}`].join(' && ')
}

/** The same for signatures over the message itself; it prints "Signature Verified Successfully". */
export function verifyRawCommand({ message, ...files }: VerifyTerms): string {
  const check = 'openssl pkeyutl -verify -pubin -inkey public.pem -rawin -in message.bin -sigfile signature.bin'
  return [...filesOf(files), `${printf(message)} > message.bin`, check].join(' && ')
}

const filesOf = ({ spki, signature }: Omit<VerifyTerms, 'message'>) => [
  'cd "$(mktemp -d)"',
  `printf '%s\\n' ${shellWord(toPem('PUBLIC KEY', spki).trimEnd())} > public.pem`,
  `${printf(signature)} > signature.bin`,
]
