import { raw, sh, type Terminal } from '@assay/kit'
import { type OutputFormat, toHex } from '@assay/lib/bytes'

/** The most bytes of a derived key: more is a stream, which these functions are not made for. */
export const MAX_KEY_BYTES = 1024

/** How `openssl kdf` derives and prints the same key. */
export function kdfCommand(
  name: string,
  password: Uint8Array,
  salt: Uint8Array,
  options: readonly string[],
  keyBytes: number,
  format: OutputFormat,
  prints: string,
): Terminal {
  const given = [...options, `hexpass:${toHex(password)}`, `hexsalt:${toHex(salt)}`]
  const rest = raw(given.map(option => sh`-kdfopt ${option}`).join(' '))
  const printer = {
    Hex: `tr -d ':\\n' | tr A-F a-f`,
    Base64: 'base64 -w0',
    Base64URL: 'basenc --base64url -w0 | tr -d =',
  }[format]
  const binary = format === 'Hex' ? '' : ' -binary'
  return { command: sh`openssl kdf -keylen ${keyBytes}${raw(binary)} ${rest} ${name} | ${raw(printer)}`, prints }
}
