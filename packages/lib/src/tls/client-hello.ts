/** A ClientHello with exactly what is asked for. RFC 8446 §4.1.2, RFC 5246 §7.4.1.2, draft-hickman-netscape-ssl-00 §2.5. */
import { type Bytes, concat, fromUtf8 } from '../bytes.ts'
import {
  extensionTypes,
  GREASE,
  groupOf,
  groups,
  signatureSchemes,
  type TlsVersionName,
  versionCode,
} from './registry.ts'
import { ssl2Ciphers } from './suites.ts'

export interface ClientHello {
  version: TlsVersionName
  suites: readonly number[]
  /** 32 bytes. */
  random: Uint8Array
  serverName?: string | undefined
  /** Code points; those that exist in the version unless given. */
  groups?: readonly number[]
  protocols?: readonly string[]
  compressions?: readonly number[]
  /** Asks for a stapled OCSP response and timestamps of certificate transparency. */
  wantsStatus?: boolean
  /** A key share for x25519, for servers that cannot ask for one. Any 32 bytes are one (RFC 7748 §5). */
  share?: boolean
  /** Values that mean nothing among the suites, extensions and groups (RFC 8701). */
  grease?: boolean
}

const u16 = (value: number): Bytes => Uint8Array.of(value >> 8, value & 0xff)
const list8 = (...parts: Uint8Array[]): Bytes => {
  const content = concat(...parts)
  return concat(Uint8Array.of(content.length), content)
}
const list16 = (...parts: Uint8Array[]): Bytes => {
  const content = concat(...parts)
  return concat(u16(content.length), content)
}
const extension = (type: number, ...content: Uint8Array[]): Bytes => concat(u16(type), list16(...content))

/** RFC 8446 §4.2.7. */
const X25519 = 29

/** RFC 8446 §4.2.7: groups that may be offered before TLS 1.3, and those that may be in it. */
export const groupsBefore13: readonly number[] = groups
  .filter(({ kind, name }) => kind !== 'hybrid' && !name.endsWith('tls13'))
  .map(({ code }) => code)
export const groupsOf13: readonly number[] = groups
  .filter(({ code, kind }) => kind !== 'curve' || [23, 24, 25, 29, 30, 31, 32, 33].includes(code))
  .map(({ code }) => code)

/** The record that holds the message. Its own version is 3.1, or 3.0 for SSL 3.0 (RFC 8446 §5.1). */
export function clientHello(hello: ClientHello): Bytes {
  const { version, suites, random, compressions = [0], grease } = hello
  const code = versionCode(version)
  const offered = grease ? [GREASE[0], ...suites] : suites
  const extensions = version === 'SSLv3' ? new Uint8Array() : list16(...extensionsOf(hello))
  const body = concat(
    u16(Math.min(code, versionCode('TLSv1.2'))),
    random,
    // RFC 8446 §D.4: TLS 1.3 goes through more firewalls with a session id.
    version === 'TLSv1.3' ? list8(random) : Uint8Array.of(0),
    list16(...offered.map(u16)),
    list8(Uint8Array.from(compressions)),
    extensions,
  )
  const message = concat(Uint8Array.of(1, body.length >> 16, (body.length >> 8) & 0xff, body.length & 0xff), body)
  return concat(Uint8Array.of(22, 3, version === 'SSLv3' ? 0 : 1), list16(message))
}

function extensionsOf({
  version,
  serverName,
  groups: wanted,
  protocols,
  wantsStatus,
  grease,
  share,
  random,
}: ClientHello): Bytes[] {
  const is13 = version === 'TLSv1.3'
  const offered = wanted ?? (is13 ? groupsOf13 : groupsBefore13)
  const curves = offered.filter(
    code => is13 || groupOf(code)?.kind === 'curve' || groupOf(code)?.kind === 'finite field',
  )
  const types = extensionTypes
  return [
    ...(grease ? [extension(GREASE[1])] : []),
    ...(serverName ? [extension(types.serverName, list16(Uint8Array.of(0), list16(fromUtf8(serverName))))] : []),
    ...(curves.length
      ? [
          extension(types.supportedGroups, list16(...(grease ? [u16(GREASE[2])] : []), ...curves.map(u16))),
          extension(types.pointFormats, list8(Uint8Array.of(0, 1, 2))),
        ]
      : []),
    ...(version === 'TLSv1.2' || is13
      ? [extension(types.signatureAlgorithms, list16(...signatureSchemes.map(u16)))]
      : []),
    ...(protocols?.length ? [extension(types.alpn, list16(...protocols.map(name => list8(fromUtf8(name)))))] : []),
    ...(wantsStatus ? [extension(types.statusRequest, Uint8Array.of(1, 0, 0, 0, 0)), extension(types.timestamps)] : []),
    ...(is13
      ? [
          extension(types.supportedVersions, list8(...(grease ? [u16(GREASE[3])] : []), u16(versionCode(version)))),
          // RFC 8446 §4.2.8: empty, so that the server says which group it wants and nobody computes anything.
          extension(types.keyShare, list16(...(share ? [u16(X25519), list16(random)] : []))),
        ]
      : [
          extension(types.encryptThenMac),
          extension(types.extendedMainSecret),
          extension(types.sessionTicket),
          extension(types.renegotiationInfo, Uint8Array.of(0)),
        ]),
  ]
}

/** The hello of SSL 2.0 with all of its ciphers. */
export function ssl2ClientHello(challenge: Uint8Array): Bytes {
  const specs = concat(...ssl2Ciphers.map(([code]) => Uint8Array.of(code >> 16, (code >> 8) & 0xff, code & 0xff)))
  const body = concat(Uint8Array.of(1, 0, 2), u16(specs.length), u16(0), u16(challenge.length), specs, challenge)
  return concat(u16(0x8000 | body.length), body)
}
