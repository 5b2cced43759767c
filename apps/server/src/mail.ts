import { once } from 'node:events'
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { createTransport, type SendMailOptions } from 'nodemailer'
import type { Mail } from './store/tables.ts'

/**
 * How mail leaves. This file opens the one connection of the server that is not for a visitor: to the operator's own
 * SMTP server, which may well stand in a private network, so it does not go through the guard of packages/net.
 */

/** Sends one mail, or throws a MailFailure. */
export interface MailSender {
  send(mail: Mail, signal: AbortSignal): Promise<void>
}

/** `refused`: this mail will never be taken. `later`: not now. `unreachable`: no mail can be sent now. */
export class MailFailure extends Error {
  readonly kind: 'refused' | 'later' | 'unreachable'
  constructor(kind: MailFailure['kind'], code: string) {
    super(code)
    this.kind = kind
  }
}

export interface SmtpServer {
  host: string
  port: number
  /** TLS from the first byte on; otherwise STARTTLS where the server offers it. */
  secure: boolean
  login: { user: string; pass: string } | undefined
}

const PORTS = { 'smtp:': 587, 'smtps:': 465 } as const

/** Reads smtp://user:password@host:587 or smtps://…; what it throws does not repeat the address. */
export function parseSmtpAddress(text: string): SmtpServer {
  const url = URL.parse(text)
  const scheme = url?.protocol
  if (
    !url?.hostname ||
    (scheme !== 'smtp:' && scheme !== 'smtps:') ||
    url.search ||
    url.hash ||
    url.pathname.length > 1
  ) {
    throw new RangeError('expected an address such as smtp://user:password@host:587 or smtps://user:password@host')
  }
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || PORTS[scheme],
    secure: scheme === 'smtps:',
    login: url.username
      ? { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) }
      : undefined,
  }
}

const LOOPBACK = ['localhost', '127.0.0.1', '::1']

export interface SmtpOptions {
  server: SmtpServer
  /** The address that mails come from. */
  from: string
  /** For the whole of one sending. */
  timeoutMs: number
}

/** Sends by an SMTP server. A password is only told where nobody listens: over TLS, or to this very machine. */
export function smtpSender({ server, from, timeoutMs }: SmtpOptions): MailSender {
  return {
    async send(mail, signal) {
      const socket = new Socket()
      const end = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
      const stopped = Promise.withResolvers<never>()
      const stop = () => stopped.reject(new MailFailure('unreachable', signal.aborted ? 'interrupted' : 'timeout'))
      end.addEventListener('abort', stop)
      if (end.aborted) stop()
      try {
        await Promise.race([connected(socket, server), stopped.promise])
        await Promise.race([transportOver(socket, server).sendMail(letter(mail, from)), stopped.promise])
      } catch (error) {
        throw failureOf(error)
      } finally {
        end.removeEventListener('abort', stop)
        // What was not finished must not be finished later, behind our back.
        socket.destroy()
      }
    },
  }
}

async function connected(socket: Socket, { host, port }: SmtpServer): Promise<void> {
  socket.connect({ host, port })
  await once(socket, 'connect')
}

const transportOver = (connection: Socket, { host, port, secure, login }: SmtpServer) =>
  createTransport({
    host,
    port,
    secure,
    requireTLS: login !== undefined && !LOOPBACK.includes(host),
    ...(login && { auth: login }),
    getSocket: (_, callback) => callback(null, { connection }),
  })

/** Everything a visitor wrote stands in the text, the subject or Reply-To, each encoded by the library. */
function letter(
  { id, created_at, recipient, reply_name, reply_email, subject, text }: Mail,
  from: string,
): SendMailOptions {
  return {
    // The same at every attempt: who gets a mail twice can see that it is one.
    messageId: `<${id}@${from.slice(from.lastIndexOf('@') + 1)}>`,
    date: new Date(created_at),
    from: { name: '', address: from },
    to: { name: '', address: recipient },
    replyTo: { name: reply_name, address: reply_email },
    subject,
    text,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

const PERMANENT = 500
/** RFC 4954 §6: said of a mail, and meant of whoever set the server up. */
const AUTHENTICATION_REQUIRED = 530

/** RFC 5321 §4.2.1: 4yz is worth another try, 5yz is not. Only what was said about this very mail counts as such. */
function failureOf(error: unknown): MailFailure {
  if (error instanceof MailFailure) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'failed'
  const status = error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : 0
  const isAboutMail = ['EENVELOPE', 'EMESSAGE'].includes(code) && status !== AUTHENTICATION_REQUIRED
  const kind = !isAboutMail ? 'unreachable' : status >= PERMANENT ? 'refused' : 'later'
  return new MailFailure(kind, status ? String(status) : code)
}

/** Writes each mail to a file of its own, for whoever has no SMTP server to give. */
export function fileSender(folder: string, from: string): MailSender {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  return {
    async send(mail) {
      const { message } = await composer.sendMail(letter(mail, from))
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        const path = join(folder, `${mail.id}.eml`)
        // With `buffer` set the message is one.
        writeFileSync(`${path}.part`, message as Buffer, { mode: 0o600, flush: true })
        renameSync(`${path}.part`, path)
        syncFolder(folder)
      } catch (error) {
        throw new MailFailure('unreachable', error instanceof Error && 'code' in error ? String(error.code) : 'failed')
      }
    },
  }
}

/** A file is safe from a power cut only when the entry in its folder is written too. */
function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  fsyncSync(handle)
  closeSync(handle)
}
