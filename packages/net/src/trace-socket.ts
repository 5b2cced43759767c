/**
 * UDP sockets with a time to live and an error queue, by the C library: Node's own have neither. No rights are needed.
 * socket(7), udp(7), ip(7), ipv6(7). Nothing here waits: every call returns at once.
 */

import { endianness } from 'node:os'
import { bytesOf, parseAddress } from '@assay/lib/ip/address'
import { parseQueuedError, parseTimestamp, type QueuedError, socketAddress } from './trace-message.ts'

/** One datagram on its way. */
export interface ProbeSocket {
  /** Sends the datagram; the number of the system's error, or 0. */
  send(payload: Uint8Array): number
  /** What has come back by now: an error message, or an answer of the destination itself. */
  receive(): { error: QueuedError } | { answered: true; receivedAt?: bigint } | undefined
  close(): void
}

export interface ProbeSockets {
  /** A socket towards one port of an address; a number is the system's error. */
  open(address: string, port: number, hops: number): ProbeSocket | number
  /** The clock of the timestamps, in nanoseconds since 1970. */
  clock(): bigint
}

/** linux/socket.h, asm-generic/socket.h, asm-generic/fcntl.h, linux/in.h, linux/in6.h */
const AF_INET = 2
const AF_INET6 = 10
const SOCK_DGRAM = 2
const SOCK_NONBLOCK = 0o4000
const SOCK_CLOEXEC = 0o2000000
const SOL_SOCKET = 1
const SO_TIMESTAMPNS = 35
const IPPROTO_IP = 0
const IP_TTL = 2
const IP_RECVERR = 11
const IPPROTO_IPV6 = 41
const IPV6_UNICAST_HOPS = 16
const IPV6_RECVERR = 25
const MSG_DONTWAIT = 0x40
const MSG_ERRQUEUE = 0x2000
const CLOCK_REALTIME = 0

/** The machines whose structures these are: 64 bits, the small end first, the numbers of asm-generic. */
const MACHINES: readonly string[] = ['x64', 'arm64', 'riscv64', 'loong64']

/** struct msghdr and struct iovec of those machines, one behind the other with room for what they point to. */
const MESSAGE = { bytes: 56, vector: 16, vectorCount: 24, control: 32, controlLength: 40 } as const
const VECTOR_AT = 56
const CONTROL_AT = 72
const CONTROL_BYTES = 256
const DATA_AT = CONTROL_AT + CONTROL_BYTES
const DATA_BYTES = 128

let loading: Promise<ProbeSockets | undefined> | undefined

/** The sockets of this machine; undefined where it has none of this kind. Loaded once. */
export function probeSockets(): Promise<ProbeSockets | undefined> {
  loading ??= load()
  return loading
}

async function load(): Promise<ProbeSockets | undefined> {
  if (process.platform !== 'linux' || !MACHINES.includes(process.arch) || endianness() !== 'LE') return undefined
  try {
    const { default: koffi } = await import('koffi')
    const sockets = bind(koffi)
    // A sandbox that forbids the calls is found out here and not in the middle of a run.
    const trial = sockets.open('127.0.0.1', 9, 1)
    if (typeof trial === 'number') return undefined
    trial.close()
    sockets.clock()
    return sockets
  } catch {
    // The optional package is not installed, or its binary does not load here: there is another way.
    return undefined
  }
}

type Koffi = typeof import('koffi')['default']

function bind(koffi: Koffi): ProbeSockets {
  const c = koffi.load(null)
  const socket = c.func('int socket(int domain, int type, int protocol)')
  const setOption = c.func('int setsockopt(int fd, int level, int name, const void *value, uint32_t length)')
  const connect = c.func('int connect(int fd, const void *address, uint32_t length)')
  const send = c.func('int64_t send(int fd, const void *data, size_t length, int flags)')
  const receiveMessage = c.func('int64_t recvmsg(int fd, void *message, int flags)')
  const close = c.func('int close(int fd)')
  const clockTime = c.func('int clock_gettime(int clock, _Out_ void *time)')

  const memory = koffi.alloc('uint8_t', DATA_AT + DATA_BYTES)
  const bytes = new Uint8Array(koffi.view(memory, DATA_AT + DATA_BYTES))
  const view = new DataView(bytes.buffer)
  const start = BigInt(koffi.address(memory))

  /** The control data of the next message, or undefined when there is none. One piece of memory serves all sockets. */
  const nextControl = (fd: number, flags: number): Uint8Array | undefined => {
    bytes.fill(0)
    view.setBigUint64(MESSAGE.vector, start + BigInt(VECTOR_AT), true)
    view.setBigUint64(MESSAGE.vectorCount, 1n, true)
    view.setBigUint64(MESSAGE.control, start + BigInt(CONTROL_AT), true)
    view.setBigUint64(MESSAGE.controlLength, BigInt(CONTROL_BYTES), true)
    view.setBigUint64(VECTOR_AT, start + BigInt(DATA_AT), true)
    view.setBigUint64(VECTOR_AT + 8, BigInt(DATA_BYTES), true)
    if (Number(receiveMessage(fd, memory, flags | MSG_DONTWAIT)) < 0) return undefined
    const length = Math.min(Number(view.getBigUint64(MESSAGE.controlLength, true)), CONTROL_BYTES)
    return bytes.slice(CONTROL_AT, CONTROL_AT + length)
  }

  return {
    open(address, port, hops) {
      const target = bytesOf(parseAddress(address))
      const isIpv4 = target.length === 4
      const fd: number = socket(isIpv4 ? AF_INET : AF_INET6, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)
      if (fd < 0) return koffi.errno()
      const options = isIpv4
        ? [
            [IPPROTO_IP, IP_TTL, hops],
            [IPPROTO_IP, IP_RECVERR, 1],
          ]
        : [
            [IPPROTO_IPV6, IPV6_UNICAST_HOPS, hops],
            [IPPROTO_IPV6, IPV6_RECVERR, 1],
          ]
      const name = socketAddress(target, port)
      const ready =
        [...options, [SOL_SOCKET, SO_TIMESTAMPNS, 1]].every(
          ([level, option, value]) => setOption(fd, level, option, Int32Array.of(value ?? 0), 4) === 0,
        ) && connect(fd, name, name.length) === 0
      if (!ready) {
        const code = koffi.errno()
        close(fd)
        return code
      }
      return {
        send: payload => (Number(send(fd, payload, payload.length, 0)) < 0 ? koffi.errno() : 0),
        receive() {
          const control = nextControl(fd, MSG_ERRQUEUE)
          const error = control && parseQueuedError(control)
          if (error) return { error }
          const data = nextControl(fd, 0)
          if (!data) return undefined
          const receivedAt = parseTimestamp(data)
          return { answered: true, ...(receivedAt !== undefined && { receivedAt }) }
        },
        close: () => void close(fd),
      }
    },
    clock() {
      const time = new BigInt64Array(2)
      clockTime(CLOCK_REALTIME, time)
      return (time[0] ?? 0n) * 1_000_000_000n + (time[1] ?? 0n)
    },
  }
}
