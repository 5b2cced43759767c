import { type Bytes, fromBase64, fromHex, toBase64 } from '../bytes.ts'
import { digest } from '../hash/digest.ts'

/** Pins of public keys: SHA-256 of SubjectPublicKeyInfo. RFC 7469 §2.4. */
export const pinFormats = ['pin-sha256', 'OkHttp', 'iOS', 'NSC XML', 'curl'] as const
export type PinFormat = (typeof pinFormats)[number]

const PIN_BYTES = 32
const MAX_PINS = 50

export const pinOf = (spki: Uint8Array): Promise<Bytes> => digest('SHA-256', spki)

/** The pins of a text in Base64, whatever is around them: prefixes, quotes, the elements of a configuration. */
export function pinsInText(text: string): string[] {
  if (!text.trim()) return []
  const found = text
    .replace(/<[^>]*>/g, ' ')
    .replace(/pin-sha256\s*=|sha256\/\/?|sha256:/gi, ' ')
    .split(/[\s"',;]+/)
    .filter(Boolean)
  if (found.length > MAX_PINS) throw new RangeError(`expected at most ${MAX_PINS} pins, got ${found.length}`)
  if (!found.length) throw new RangeError(EXPECTED)
  return found.map(pin => toBase64(pinBytes(pin)))
}

const EXPECTED = 'expected the 32 bytes of a SHA-256 hash, in Base64 or hexadecimal'

function pinBytes(text: string): Bytes {
  let bytes: Bytes
  try {
    bytes = /^[0-9a-f:]{64,95}$/i.test(text) ? fromHex(text) : fromBase64(text)
  } catch (cause) {
    throw new RangeError(EXPECTED, { cause })
  }
  if (bytes.length !== PIN_BYTES) throw new RangeError(`${EXPECTED}, got ${bytes.length} bytes`)
  return bytes
}

export interface Pinned {
  /** In Base64. */
  pin: string
  /** The key of an authority, and not of the server itself. */
  authority: boolean
}

/** The pins as the programs that check them want them. */
export function pinText(format: PinFormat, host: string, keys: readonly Pinned[]): string {
  const pins = pinsOf(keys)
  switch (format) {
    case 'pin-sha256':
      return pins.map(pin => `pin-sha256="${pin}"`).join('\n')
    case 'OkHttp':
      return [
        'CertificatePinner.Builder()',
        ...pins.map(pin => `    .add("${host}", "sha256/${pin}")`),
        '    .build()',
      ].join('\n')
    case 'iOS':
      return plist(host, keys)
    case 'NSC XML':
      return securityConfig(host, pins)
    // curl looks at the key of the server alone.
    case 'curl':
      return `curl --pinnedpubkey '${serverPins(keys)
        .map(pin => `sha256//${pin}`)
        .join(';')}' https://${bracketed(host)}/`
  }
}

const bracketed = (host: string) => (host.includes(':') ? `[${host}]` : host)

const pinsOf = (keys: readonly Pinned[]) => keys.map(({ pin }) => pin)
const serverPins = (keys: readonly Pinned[]) => pinsOf(keys.filter(({ authority }) => !authority))

/** NSPinnedDomains of NSAppTransportSecurity. */
function plist(host: string, keys: readonly Pinned[]): string {
  const list = (name: string, values: readonly string[]) =>
    values.length
      ? [
          `      <key>${name}</key>`,
          '      <array>',
          ...values.flatMap(pin => [
            '        <dict>',
            '          <key>SPKI-SHA256-BASE64</key>',
            `          <string>${pin}</string>`,
            '        </dict>',
          ]),
          '      </array>',
        ]
      : []
  return [
    '<key>NSAppTransportSecurity</key>',
    '<dict>',
    '  <key>NSPinnedDomains</key>',
    '  <dict>',
    `    <key>${host}</key>`,
    '    <dict>',
    '      <key>NSIncludesSubdomains</key>',
    '      <false/>',
    ...list('NSPinnedLeafIdentities', serverPins(keys)),
    ...list('NSPinnedCAIdentities', pinsOf(keys.filter(({ authority }) => authority))),
    '    </dict>',
    '  </dict>',
    '</dict>',
  ].join('\n')
}

/** Android's network security configuration, from Android 7 on. */
function securityConfig(host: string, pins: readonly string[]): string {
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<network-security-config>',
    '  <domain-config>',
    `    <domain includeSubdomains="false">${host}</domain>`,
    '    <pin-set>',
    ...pins.map(pin => `      <pin digest="SHA-256">${pin}</pin>`),
    '    </pin-set>',
    '  </domain-config>',
    '</network-security-config>',
  ].join('\n')
}
