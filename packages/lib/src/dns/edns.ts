/**
 * EDNS(0), the OPT pseudo-record (RFC 6891 §6.1), and the options worth speaking: NSID (RFC 5001 §2.3), client subnet
 * (RFC 7871 §6), cookies (RFC 7873 §4), padding (RFC 7830 §3) and extended errors (RFC 8914 §2).
 */
import { type Bytes, concat, toLatin1 } from '../bytes.ts'
import { parseIpv4, parseIpv6, printIpv4, printIpv6 } from './address.ts'
import { escapeText } from './tokens.ts'
import { Reader, WireError, Writer } from './wire.ts'

export interface EdnsOption {
  code: number
  data: Uint8Array
}

/** What an OPT record says, without the bits of the response code, which the message has. */
export interface Edns {
  udpSize: number
  version: number
  do: boolean
  /** The 15 flag bits behind DO, which have to be zero. */
  z: number
  options: EdnsOption[]
  /** Why the options could not be read to their end. */
  malformed?: string
}

/** RFC 9715 §3: what passes nearly every path without fragments. */
export const EDNS_UDP_SIZE = 1232

const OPTION = { nsid: 3, clientSubnet: 8, cookie: 10, padding: 12, extendedError: 15 } as const

export function readOptions(reader: Reader): { options: EdnsOption[]; malformed?: string } {
  const options: EdnsOption[] = []
  try {
    while (reader.remaining > 0) options.push({ code: reader.u16(), data: reader.bytes(reader.u16()) })
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    return { options, malformed: error.message }
  }
  return { options }
}

export function writeOptions(writer: Writer, options: readonly EdnsOption[]): void {
  for (const { code, data } of options) {
    writer.u16(code)
    writer.counted(() => writer.bytes(data))
  }
}

/** What is wrong and, where the server says so, in its own words, escaped. */
export interface ExtendedError {
  code: number
  text: string
}

/** All extended errors of a message, in order. An option too short to hold a code is passed over. */
export function extendedErrors(edns: Edns | undefined): ExtendedError[] {
  return dataOf(edns, OPTION.extendedError)
    .filter(data => data.length >= 2)
    .map(data => {
      const reader = Reader.bytes(data)
      return { code: reader.u16(), text: readableText(reader.rest()) }
    })
}

/** RFC 8914 §2: EXTRA-TEXT is UTF-8, and a zero at its end is not part of it. */
function readableText(bytes: Uint8Array): string {
  const text = bytes.at(-1) === 0 ? bytes.subarray(0, -1) : bytes
  try {
    const decoded = new TextDecoder('utf-8', { fatal: true }).decode(text)
    if (!/[\p{Cc}\p{Cf}]/u.test(decoded)) return decoded
  } catch {
    // Not UTF-8: shown byte by byte below.
  }
  return escapeText(toLatin1(text))
}

export function extendedErrorOption({ code, text }: ExtendedError): EdnsOption {
  const writer = Writer.bytes()
  writer.u16(code)
  writer.bytes(new TextEncoder().encode(text))
  return { code: OPTION.extendedError, data: writer.finish() }
}

export interface Cookie {
  client: Bytes
  server?: Bytes
}

/** RFC 7873 §4: eight bytes of the client, then none or 8 to 32 of the server. `undefined` when it is not that. */
export function cookieOf(edns: Edns | undefined): Cookie | undefined {
  const [data] = dataOf(edns, OPTION.cookie)
  if (!data || !(data.length === 8 || (data.length >= 16 && data.length <= 40))) return undefined
  const client = data.slice(0, 8)
  return data.length === 8 ? { client } : { client, server: data.slice(8) }
}

export function cookieOption({ client, server }: Cookie): EdnsOption {
  return { code: OPTION.cookie, data: server ? concat(client, server) : client }
}

/** The identity a name server gives itself, when it gives one. */
export const nsidOf = (edns: Edns | undefined): Bytes | undefined => dataOf(edns, OPTION.nsid)[0]

export const nsidOption = (data: Uint8Array = new Uint8Array()): EdnsOption => ({ code: OPTION.nsid, data })

export const paddingOption = (length: number): EdnsOption => ({ code: OPTION.padding, data: new Uint8Array(length) })

export interface ClientSubnet {
  address: string
  sourceLength: number
  scopeLength: number
}

/** RFC 7871 §6: the client's network as an address with zeros behind the prefix. */
export function clientSubnetOf(edns: Edns | undefined): ClientSubnet | undefined {
  const [data] = dataOf(edns, OPTION.clientSubnet)
  if (!data || data.length < 4) return undefined
  const reader = Reader.bytes(data)
  const family = reader.u16()
  const [sourceLength, scopeLength] = [reader.u8(), reader.u8()]
  const length = family === 1 ? 4 : family === 2 ? 16 : 0
  const prefix = reader.rest()
  if (prefix.length !== Math.ceil(sourceLength / 8) || prefix.length > length) return undefined
  const bytes = new Uint8Array(length)
  bytes.set(prefix)
  return { address: family === 1 ? printIpv4(bytes) : printIpv6(bytes), sourceLength, scopeLength }
}

export function clientSubnetOption({ address, sourceLength, scopeLength }: ClientSubnet): EdnsOption {
  const ipv6 = address.includes(':')
  const bytes = ipv6 ? parseIpv6(address) : parseIpv4(address)
  if (sourceLength > bytes.length * 8)
    throw new RangeError(`a prefix of ${sourceLength} bits is longer than ${address}`)
  const prefix = bytes.slice(0, Math.ceil(sourceLength / 8))
  const last = prefix.length - 1
  // §6: the bits behind the prefix are zero.
  if (last >= 0) prefix[last] = (prefix[last] ?? 0) & (0xff << (prefix.length * 8 - sourceLength))
  const writer = Writer.bytes()
  writer.u16(ipv6 ? 2 : 1)
  writer.u8(sourceLength)
  writer.u8(scopeLength)
  writer.bytes(prefix)
  return { code: OPTION.clientSubnet, data: writer.finish() }
}

function dataOf(edns: Edns | undefined, code: number): Bytes[] {
  return (edns?.options ?? []).filter(option => option.code === code).map(option => new Uint8Array(option.data))
}
