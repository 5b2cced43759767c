/** TLS connections for DNS, opened through the door and kept for a moment, so that a second question finds one there. */

import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { EncryptedConnection } from '@assay/kit'
import { findAddress } from '@assay/lib/ip/address'
import type { Door } from './egress.ts'
import { TLS_TIMEOUT_MS, type Tls } from './tls.ts'

/** How long a whole exchange may take unless told otherwise, with connecting. */
export const ENCRYPTED_TIMEOUT_MS = 5_000
/** A connection that nobody uses is closed after this, long before others need its place. */
export const IDLE_MS = 3_000

export interface Place {
  address: string
  port: number
  /** What the certificate must be for. */
  name: string
}

export interface OpenedConnection {
  socket: TLSSocket
  facts: EncryptedConnection
}

export interface OpenOptions {
  protocols: readonly string[]
  timeoutMs: number
  session?: Buffer | undefined
}

/** Connects, and goes on although the certificate does not hold: that is told apart from whether anybody answers. */
export async function openEncrypted(
  door: Door,
  tls: Tls,
  { address, port, name }: Place,
  { protocols, timeoutMs, session }: OpenOptions,
): Promise<OpenedConnection> {
  const start = performance.now()
  const plain: Socket = await door.connect({ address, port, purpose: 'dns' }, timeoutMs)
  const connectMs = performance.now() - start
  const { socket, protocol, cipher, resumed, problem } = await tls.secure(plain, {
    name,
    isAddress: findAddress(name) !== undefined,
    ...(protocols.length > 0 && { protocols }),
    acceptBadCertificate: true,
    timeoutMs: Math.max(1, Math.min(TLS_TIMEOUT_MS, timeoutMs - connectMs)),
    session,
  })
  const alpn = socket.alpnProtocol || undefined
  const tlsMs = performance.now() - start - connectMs
  const told = { protocol, cipher, resumed, ...(alpn && { alpn }), ...(problem && { problem }) }
  return { socket, facts: { address, reused: false, connectMs, tlsMs, tls: told } }
}

export const asReused = (facts: EncryptedConnection): EncryptedConnection => ({
  ...facts,
  reused: true,
  connectMs: 0,
  tlsMs: 0,
})
