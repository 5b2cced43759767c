/**
 * What Linux says on the error queue of a socket: which ICMP message came back for a datagram, from whom and when.
 * ip(7) and ipv6(7) "IP_RECVERR", cmsg(3), linux/errqueue.h; layouts are those of 64-bit little-endian machines.
 */

import { addressOfBytes, formatAddress } from '@assay/lib/ip/address'

/** An entry of the error queue. */
export interface QueuedError {
  /** The system's number for it, as connect(2) would give it. */
  errno: number
  /** Where it comes from: this machine itself, or an ICMP message. */
  origin: 'local' | 'icmp' | 'icmp6' | 'other'
  /** Type and code of the ICMP message. */
  type: number
  code: number
  /** Who sent the ICMP message. */
  offender?: string
  /** When the kernel got it, in nanoseconds since 1970. */
  receivedAt?: bigint
}

/** asm-generic/socket.h, linux/in.h, linux/in6.h */
const SOL_SOCKET = 1
const SCM_TIMESTAMPNS = 35
const IPPROTO_IP = 0
const IP_RECVERR = 11
const IPPROTO_IPV6 = 41
const IPV6_RECVERR = 25
const AF_INET = 2
const AF_INET6 = 10

/** struct cmsghdr: length as size_t, level and type as int; the next one begins at a multiple of eight. */
const HEADER_BYTES = 16
const ALIGNMENT = 8
/** struct sock_extended_err, which the address of the sender follows. */
const ERROR_BYTES = 16
const TIMESPEC_BYTES = 16
const NANOSECONDS = 1_000_000_000n

const origins: Readonly<Record<number, QueuedError['origin']>> = { 1: 'local', 2: 'icmp', 3: 'icmp6' }

/** Reads the control data of one message from an error queue; undefined when no error is in it. */
export function parseQueuedError(control: Uint8Array): QueuedError | undefined {
  let error: QueuedError | undefined
  let receivedAt: bigint | undefined
  for (const { level, type, data } of controlMessages(control)) {
    if (level === SOL_SOCKET && type === SCM_TIMESTAMPNS) receivedAt = timeIn(data)
    const isError = (level === IPPROTO_IP && type === IP_RECVERR) || (level === IPPROTO_IPV6 && type === IPV6_RECVERR)
    if (isError && data.length >= ERROR_BYTES) error = errorIn(data)
  }
  return error && { ...error, ...(receivedAt !== undefined && { receivedAt }) }
}

/** The time alone, for a datagram that is no error. */
export function parseTimestamp(control: Uint8Array): bigint | undefined {
  for (const { level, type, data } of controlMessages(control)) {
    if (level === SOL_SOCKET && type === SCM_TIMESTAMPNS) return timeIn(data)
  }
  return undefined
}

/** A length that cannot be ends the list: nothing behind it has a place. */
function* controlMessages(control: Uint8Array): Generator<{ level: number; type: number; data: Uint8Array }> {
  const view = viewOf(control)
  for (let offset = 0; offset + HEADER_BYTES <= control.length; ) {
    const length = Number(view.getBigUint64(offset, true))
    if (length < HEADER_BYTES || offset + length > control.length) return
    yield {
      level: view.getInt32(offset + 8, true),
      type: view.getInt32(offset + 12, true),
      data: control.subarray(offset + HEADER_BYTES, offset + length),
    }
    offset += Math.ceil(length / ALIGNMENT) * ALIGNMENT
  }
}

function errorIn(data: Uint8Array): QueuedError {
  const view = viewOf(data)
  const offender = addressIn(data.subarray(ERROR_BYTES))
  return {
    errno: view.getUint32(0, true),
    origin: origins[view.getUint8(4)] ?? 'other',
    type: view.getUint8(5),
    code: view.getUint8(6),
    ...(offender && { offender }),
  }
}

/** struct sockaddr_in or sockaddr_in6; an unknown family is no address. */
function addressIn(data: Uint8Array): string | undefined {
  if (data.length < 8) return undefined
  const family = viewOf(data).getUint16(0, true)
  if (family === AF_INET) return formatAddress(addressOfBytes(data.subarray(4, 8)))
  if (family === AF_INET6 && data.length >= 24) return formatAddress(addressOfBytes(data.subarray(8, 24)))
  return undefined
}

function timeIn(data: Uint8Array): bigint | undefined {
  if (data.length < TIMESPEC_BYTES) return undefined
  const view = viewOf(data)
  return view.getBigInt64(0, true) * NANOSECONDS + view.getBigInt64(8, true)
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** struct sockaddr_in or sockaddr_in6, for connect(2). */
export function socketAddress(address: Uint8Array, port: number): Uint8Array {
  const isIpv4 = address.length === 4
  const bytes = new Uint8Array(isIpv4 ? 16 : 28)
  const view = viewOf(bytes)
  view.setUint16(0, isIpv4 ? AF_INET : AF_INET6, true)
  view.setUint16(2, port)
  bytes.set(address, isIpv4 ? 4 : 8)
  return bytes
}
