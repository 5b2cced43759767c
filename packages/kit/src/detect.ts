/** The kinds of value that fields take and that the palette tells apart. */
export const valueKinds = [
  'domain',
  'ip',
  'url',
  'certificate',
  'private-key',
  'public-key',
  'hash',
  'token',
  'uuid',
  'hex',
  'base64',
  'morse',
  'text',
] as const
export type ValueKind = (typeof valueKinds)[number]

export interface Detection {
  kind: ValueKind
  /** What it looks like, in a few words: "SHA-256 or another 256-bit hash". */
  words: string
}

const HASHES: Readonly<Record<number, string>> = {
  32: 'MD5 or another 128-bit hash',
  40: 'SHA-1 or another 160-bit hash',
  56: 'SHA-224 or another 224-bit hash',
  64: 'SHA-256 or another 256-bit hash',
  96: 'SHA-384 or another 384-bit hash',
  128: 'SHA-512 or another 512-bit hash',
}

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/
const DOMAIN =
  /^(?=.{4,253}\.?$)(?:[\p{L}\p{N}_](?:[\p{L}\p{N}_-]{0,61}[\p{L}\p{N}_])?\.)+[\p{L}][\p{L}\p{N}-]{0,61}[\p{L}\p{N}]\.?$/u

/** What a pasted value may be, likeliest first. It always ends with plain text, which everything is. */
export function detect(value: string): Detection[] {
  const text = value.trim()
  const found: Detection[] = []
  const add = (kind: ValueKind, words: string) => found.push({ kind, words })
  if (!text) return found
  if (/^https?:\/\/\S+$/i.test(text)) add('url', 'Web address')
  if (IPV4.test(text)) add('ip', 'IPv4 address')
  else if (isIpv6(text)) add('ip', 'IPv6 address')
  else if (DOMAIN.test(text)) add('domain', 'Domain name')
  if (/-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----/.test(text)) add('certificate', 'Certificate in PEM')
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) add('private-key', 'Private key in PEM')
  if (/-----BEGIN [A-Z ]*PUBLIC KEY-----/.test(text)) add('public-key', 'Public key in PEM')
  if (/^eyJ[\w-]+\.[\w-]*\.[\w-]*$/.test(text)) add('token', 'JSON Web Token')
  if (/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text)) add('uuid', 'UUID')
  addEncodings(text, add)
  add('text', 'Text')
  return found
}

function addEncodings(text: string, add: (kind: ValueKind, words: string) => void): void {
  const hash = /^[0-9a-f]+$/i.test(text) ? HASHES[text.length] : undefined
  if (hash) add('hash', hash)
  if (/^\$(?:argon2(?:id|i|d)|2[aby]|[156]|scrypt)\$/.test(text)) add('hash', 'Password hash')
  if (/^(?:[0-9a-f]{2}[\s:]*)+$/i.test(text) && text.length > 3) add('hex', 'Hexadecimal')
  if (
    /^[A-Za-z0-9+/_-]{6,}={0,2}$/.test(text) &&
    /[A-Z0-9+/_=-]/.test(text) &&
    text.replace(/=+$/, '').length % 4 !== 1
  ) {
    add('base64', 'Base64')
  }
  if (/^[.\-/\s]{2,}$/.test(text)) add('morse', 'Morse code')
}

function isIpv6(text: string): boolean {
  if (!/^[0-9a-f:.]{2,45}$/i.test(text) || !text.includes(':')) return false
  try {
    return Boolean(new URL(`http://[${text}]`))
  } catch {
    return false
  }
}
