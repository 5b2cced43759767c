import net from 'node:net'
import path from 'node:path'
import { exitCode, explain, type Lab, LabFailed, withLab } from './lab.ts'

/**
 * The whole product with no network: the server runs as the lab's `app`, and a door on the loopback of this machine
 * leads to it. A Unix socket joins the two, since it does not belong to a network namespace.
 *
 * usage: npm run demo [-- PORT]
 */

const root = path.join(import.meta.dirname, '../..')
const defaultPort = 8080
const retryMs = 50
const startMs = 15_000

async function demonstrate(lab: Lab, port: number): Promise<void> {
  const stopped = new Promise<void>(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve())
  })
  const socketPath = path.join(lab.folder, 'assay.sock')
  const server = lab.enter([process.execPath, path.join(root, 'apps/server/src/main.ts')], {
    env: { ASSAY_LISTEN: `unix:${socketPath}` },
  })
  const serverEnded = exitCode(server).then(code => {
    throw new LabFailed(`the server ended with exit code ${code}`)
  })
  await Promise.race([listening(socketPath).then(() => openDoor(port, socketPath)), serverEnded, stopped])
  console.log(`Assay in the lab: http://127.0.0.1:${port}/ - try www.good.test, twelve.ports.test. Ctrl+C ends it.`)
  await Promise.race([stopped, serverEnded])
}

/** Settles when the server accepts on its socket. */
async function listening(socketPath: string): Promise<void> {
  const deadline = Date.now() + startMs
  while (!(await accepts(socketPath))) {
    if (Date.now() > deadline) throw new LabFailed('the server does not listen in time')
    await new Promise(resolve => setTimeout(resolve, retryMs))
  }
}

function accepts(socketPath: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = net.connect(socketPath)
  socket.on('connect', () => {
    socket.destroy()
    resolve(true)
  })
  socket.on('error', () => resolve(false))
  return promise
}

function openDoor(port: number, socketPath: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const door = net.createServer(visitor => {
    const inner = net.connect(socketPath)
    visitor.on('error', () => inner.destroy())
    inner.on('error', () => visitor.destroy())
    visitor.pipe(inner).pipe(visitor)
  })
  door.on('error', reject)
  door.listen(port, '127.0.0.1', resolve)
  return promise
}

try {
  await withLab(lab => demonstrate(lab, Number(process.argv[2] ?? defaultPort)))
  process.exit(0)
} catch (error) {
  process.exit(explain(error))
}
