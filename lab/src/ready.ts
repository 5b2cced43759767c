import dgram from 'node:dgram'
import net from 'node:net'

const retryMs = 20
const deadlineMs = 10_000

/** Waits until a name server answers for a zone without an error. */
export function answersFor(address: string, zone: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const socket = dgram.createSocket(address.includes(':') ? 'udp6' : 'udp4')
  const query = soaQuery(zone)
  const ask = () => socket.send(query, 53, address, () => {})
  const retries = setInterval(ask, retryMs)
  const deadline = setTimeout(() => {
    stop()
    reject(new Error(`${address} does not answer for ${zone}`))
  }, deadlineMs)
  function stop(): void {
    clearInterval(retries)
    clearTimeout(deadline)
    socket.close()
  }
  // A refused port reports an error until the server is there.
  socket.on('error', () => {})
  socket.on('message', message => {
    const rcode = (message[3] ?? 0) & 15
    if (rcode !== 0) return
    stop()
    resolve()
  })
  ask()
  return promise
}

/** Waits until a TCP port accepts. */
export function accepts(address: string, port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const deadline = Date.now() + deadlineMs
  const attempt = () => {
    const socket = net.connect({ host: address, port })
    socket.on('connect', () => {
      socket.destroy()
      resolve()
    })
    socket.on('error', () => {
      if (Date.now() < deadline) setTimeout(attempt, retryMs)
      else reject(new Error(`${address} does not accept on port ${port}`))
    })
  }
  attempt()
  return promise
}

/** RFC 1035 §4: id 1, recursion desired, one question of type SOA. */
function soaQuery(zone: string): Buffer {
  const header = [0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]
  const labels = zone.split('.').filter(Boolean)
  const name = labels.flatMap(label => [label.length, ...Buffer.from(label, 'latin1')])
  return Buffer.from([...header, ...name, 0, 0, 6, 0, 1])
}
