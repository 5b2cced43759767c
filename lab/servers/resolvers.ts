/**
 * Two resolvers in front of the plain one. One is two machines behind one address, whose caches are not of the same age;
 * the other cannot reach the servers of weak.good.test and says so (RFC 8914 §4.23).
 */
import dgram from 'node:dgram'
import net from 'node:net'
import { extendedErrorOption } from '@assay/lib/dns/edns'
import { decodeMessage, encodeMessage, type Message } from '@assay/lib/dns/message'
import { isWithin } from '@assay/lib/dns/name'
import { addressesOf } from '../src/inventory.ts'
import { oddOperators } from '../src/resolvers.ts'

const upstream = '127.0.0.1'
const upstreamMs = 5000
/** What the machines have left of any record, in turn. */
const ttls = [100, 200]
const unreachable = 'weak.good.test.'

type Change = (answer: Message) => Message

let turn = 0
const resetting: Change = answer => {
  const ttl = ttls[turn++ % ttls.length] ?? 0
  return { ...answer, answers: answer.answers.map(record => ({ ...record, ttl })) }
}

const cutOff: Change = answer => {
  const [question] = answer.questions
  if (!question || !isWithin(question.name, unreachable)) return answer
  const failure = { ...answer, rcode: 'SERVFAIL' as const, ad: false, answers: [], authorities: [] }
  if (!answer.edns) return failure
  const options = [extendedErrorOption({ code: 22, text: `at delegation ${unreachable}` })]
  return { ...failure, edns: { ...answer.edns, options } }
}

for (const [name, change] of [
  [oddOperators.resetting, resetting],
  [oddOperators.cutOff, cutOff],
] as const) {
  for (const local of addressesOf([name])) {
    overUdp(local, change)
    overTcp(local)
  }
}

function overUdp(local: string, change: Change): void {
  const socket = dgram.createSocket(local.includes(':') ? 'udp6' : 'udp4')
  socket.on('message', (query, peer) => {
    const asked = dgram.createSocket('udp4')
    const timer = setTimeout(() => asked.close(), upstreamMs)
    asked.on('message', answer => {
      clearTimeout(timer)
      asked.close()
      socket.send(encodeMessage(change(decodeMessage(answer))), peer.port, peer.address)
    })
    asked.send(query, 53, upstream)
  })
  socket.bind(53, local)
}

/** As the plain one answers. */
function overTcp(local: string): void {
  net
    .createServer(socket => {
      const asked = net.connect(53, upstream)
      socket.on('error', () => asked.destroy())
      asked.on('error', () => socket.destroy())
      socket.pipe(asked).pipe(socket)
    })
    .listen(53, local)
}
