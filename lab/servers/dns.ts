/**
 * Name servers with faults that no real server can be configured to have, and two that are sound but never say the same
 * thing twice. Each listens on its own address and answers for any name, over UDP and TCP.
 */
import dgram from 'node:dgram'
import net from 'node:net'
import { address, host } from '../src/inventory.ts'

const publicAddress = address('www.good.test')
const soaFields = [2026112101, 14400, 3600, 1209600, 300]
const ttlSeconds = 300
/** RFC 1035 §4.1.1, RCODE. */
const formErr = 1
const type = { A: 1, NS: 2, SOA: 6, AAAA: 28 }

interface Question {
  readonly id: Buffer
  /** The name, type and class as they came. */
  readonly section: Buffer
  readonly labels: readonly string[]
  readonly type: number
  /** Whether the query had EDNS, which is all that additional records are used for. */
  readonly edns: boolean
  /** What follows the question: of a query with EDNS, its OPT record. */
  readonly behind: Buffer
}

interface Answer {
  readonly type: number
  readonly ttl: number
  readonly data: Buffer
}

function readQuestion(message: Buffer): Question | undefined {
  const labels: string[] = []
  let offset = 12
  for (let length = message[offset]; length !== 0; length = message[offset]) {
    if (length === undefined || length > 63) return undefined
    labels.push(message.toString('latin1', offset + 1, offset + 1 + length).toLowerCase())
    offset += 1 + length
  }
  if (message.length < offset + 5) return undefined
  return {
    id: message.subarray(0, 2),
    section: message.subarray(12, offset + 5),
    labels,
    type: message.readUInt16BE(offset + 1),
    edns: message.readUInt16BE(10) > 0,
    behind: message.subarray(offset + 5),
  }
}

const twoOctets = (value: number) => Buffer.from([value >> 8, value & 255])

function fourOctets(value: number): Buffer {
  const octets = Buffer.alloc(4)
  octets.writeUInt32BE(value)
  return octets
}

function wireName(name: string): Buffer {
  const labels = name.split('.').map(label => Buffer.from([label.length, ...Buffer.from(label, 'latin1')]))
  return Buffer.concat([...labels, Buffer.alloc(1)])
}

function wireAddress(text: string): Buffer {
  if (!text.includes(':')) return Buffer.from(text.split('.').map(Number))
  const [head = '', tail = ''] = text.split('::')
  const groups = (part: string) => part.split(':').filter(Boolean)
  const zeros = Array(8 - groups(head).length - groups(tail).length).fill('0')
  return Buffer.concat([...groups(head), ...zeros, ...groups(tail)].map(group => twoOctets(Number.parseInt(group, 16))))
}

/** RFC 1035 §4.1: an authoritative answer whose records are owned by the name asked for. */
function response({ id, section }: Question, answers: readonly Answer[]): Buffer {
  const records = answers.flatMap(({ type, ttl, data }) => [
    Buffer.from([0xc0, 12]),
    twoOctets(type),
    twoOctets(1),
    fourOctets(ttl),
    twoOctets(data.length),
    data,
  ])
  const counts = [1, answers.length, 0, 0].map(twoOctets)
  return Buffer.concat([id, Buffer.from([0x84, 0]), ...counts, section, ...records])
}

/** What a sound server says for any name of its zone. */
function soundAnswers(question: Question, server: string): Answer[] {
  const answer = (data: Buffer): Answer[] => [{ type: question.type, ttl: ttlSeconds, data }]
  switch (question.type) {
    case type.A:
      return answer(wireAddress(publicAddress.v4))
    case type.AAAA:
      return answer(wireAddress(publicAddress.v6))
    case type.NS:
      return answer(wireName(server))
    case type.SOA:
      return answer(Buffer.concat([wireName(server), wireName('hostmaster.bad.test'), ...soaFields.map(fourOctets)]))
    default:
      return []
  }
}

type Behaviour = (question: Question, sound: Buffer, asked: number) => Buffer

const behaviours: Readonly<Record<string, Behaviour>> = {
  // As servers older than RFC 6891 do: FORMERR, and no OPT record in the answer.
  'edns-formerr.bad.test': (question, sound) => {
    if (!question.edns) return sound
    const refusal = response(question, [])
    refusal[3] = formErr
    return refusal
  },

  // The OPT record comes back as it was sent: version, flags, options and all.
  'edns-echo.bad.test': (question, sound) => {
    if (!question.edns) return sound
    const echo = Buffer.concat([sound, question.behind])
    echo.writeUInt16BE(1, 10)
    return echo
  },

  // As if nothing but the question had been there.
  'edns-noopt.bad.test': (_, sound) => sound,

  'wrongid.bad.test': (_, sound) => Buffer.from([(sound[0] ?? 0) ^ 0xff, ...sound.subarray(1)]),

  'wrongquestion.bad.test': question => {
    const section = Buffer.concat([wireName('other.example'), question.section.subarray(-4)])
    return response({ ...question, section }, soundAnswers(question, 'wrongquestion.bad.test'))
  },

  // The owner of the first record is a compression pointer to itself.
  'pointerloop.bad.test': (_, sound) => {
    const loop = Buffer.from(sound)
    const owner = sound.indexOf(Buffer.from([0xc0, 12]))
    if (owner > 0) loop.writeUInt16BE(0xc000 | owner, owner)
    return loop
  },

  // 65,535 answers are promised. The SOA, which every server is asked for first, is left as it is.
  'lyingcounts.bad.test': (question, sound) => {
    if (question.type === type.SOA) return sound
    const lie = Buffer.from(sound)
    lie.writeUInt16BE(0xffff, 6)
    return lie
  },

  'short.bad.test': (_, sound) => sound.subarray(0, 5),
  'garbage.bad.test': () => Buffer.from('HTTP/1.0 400 Bad Request\r\n\r\n'),
  'silent.bad.test': () => Buffer.alloc(0),

  // Public and private addresses in turn, never to be kept.
  'flip.bad.test': (question, sound, asked) => {
    if (question.type !== type.A && question.type !== type.AAAA) return sound
    const turn = asked % 2 === 0 ? publicAddress : { v4: '127.0.0.1', v6: '::1' }
    const data = wireAddress(question.type === type.A ? turn.v4 : turn.v6)
    return response(question, [{ type: question.type, ttl: 0, data }])
  },

  // A pool of addresses in turn, as a wildcard of a large site gives them.
  'rotate.bad.test': (question, sound, asked) => {
    if (question.type !== type.A) return sound
    const pool = ['www', 'weak', 'odd', 'redirect', 'status', 'bomb', 'raw'].map(name => `${name}.good.test`)
    const data = wireAddress(address(pool[asked % pool.length] ?? 'www.good.test').v4)
    return response(question, [{ type: type.A, ttl: 0, data }])
  },
}

for (const [server, behaviour] of Object.entries(behaviours)) {
  const asked = new Map<string, number>()
  const answer = (message: Buffer): Buffer | undefined => {
    const question = readQuestion(message)
    if (!question) return undefined
    const key = `${question.labels.join('.')} ${question.type}`
    const count = server === 'rotate.bad.test' ? total(asked) : (asked.get(key) ?? 0)
    asked.set(key, (asked.get(key) ?? 0) + 1)
    return behaviour(question, response(question, soundAnswers(question, server)), count)
  }
  for (const local of host(server).v4) {
    overUdp(local, answer)
    overTcp(local, answer)
  }
}

function total(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0)
}

function overUdp(local: string, answer: (message: Buffer) => Buffer | undefined): void {
  const socket = dgram.createSocket('udp4')
  socket.on('message', (message, peer) => {
    const reply = answer(message)
    if (reply) socket.send(reply, peer.port, peer.address)
  })
  socket.bind(53, local)
}

/** RFC 7766 §8: each message is preceded by its length. */
function overTcp(local: string, answer: (message: Buffer) => Buffer | undefined): void {
  net
    .createServer(socket => {
      let received = Buffer.alloc(0)
      socket.on('error', () => {})
      socket.setTimeout(5000, () => socket.destroy())
      socket.on('data', (part: Buffer) => {
        received = Buffer.concat([received, part])
        while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
          const end = 2 + received.readUInt16BE(0)
          const reply = answer(received.subarray(2, end))
          received = received.subarray(end)
          if (reply) socket.write(Buffer.concat([twoOctets(reply.length), reply]))
        }
      })
    })
    .listen(53, local)
}
