/** Listens on the ports that port scans are to find, with the greeting of the usual service. */
import net from 'node:net'
import { address, listeners } from '../src/inventory.ts'

const idleMs = 10_000

const greetings: Readonly<Record<number, string>> = {
  21: '220 twelve.ports.test FTP server ready\r\n',
  22: 'SSH-2.0-OpenSSH_9.2p1 Debian-2+deb12u3\r\n',
  25: '220 twelve.ports.test ESMTP\r\n',
  110: '+OK POP3 ready\r\n',
  143: '* OK [CAPABILITY IMAP4rev1] ready\r\n',
  587: '220 twelve.ports.test ESMTP\r\n',
}

for (const [name, ports] of Object.entries(listeners)) {
  const { v4, v6 } = address(name)
  for (const port of ports)
    for (const host of [v4, v6]) net.createServer(socket => greet(socket, port)).listen(port, host)
}

function greet(socket: net.Socket, port: number): void {
  socket.on('error', () => {})
  socket.setTimeout(idleMs, () => socket.destroy())
  const greeting = greetings[port]
  if (greeting) socket.write(greeting)
  socket.resume()
}
