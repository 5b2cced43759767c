import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export interface Postman {
  port: number
  /** Every mail that was taken, as it came. */
  taken: string[]
  close(): Promise<void>
}

/** An SMTP server on loopback that takes everything, unless told otherwise. */
export async function postman(
  t: Pick<TestContext, 'after'>,
  options: SMTPServerOptions = {},
  port = 0,
): Promise<Postman> {
  const taken: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 100,
    onData(stream, _, callback) {
      let text = ''
      stream.on('data', chunk => {
        text += chunk
      })
      stream.on('end', () => {
        taken.push(text)
        callback()
      })
    },
    ...options,
  })
  server.on('error', () => {})
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  let closed: Promise<void> | undefined
  const close = () => {
    closed ??= new Promise(resolve => server.close(() => resolve()))
    return closed
  }
  t.after(close)
  return { port: (server.server.address() as AddressInfo).port, taken, close }
}
