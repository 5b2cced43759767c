import { createHash, timingSafeEqual } from 'node:crypto'
import { readdirSync, readFileSync, writeSync } from 'node:fs'
import { createAccounts } from '../src/accounts/accounts.ts'
import { createMails } from '../src/accounts/mails.ts'
import type { Passwords } from '../src/accounts/passwords.ts'
import { createSessions } from '../src/accounts/sessions.ts'
import { defaultLimits } from '../src/limits.ts'
import { fileSender } from '../src/mail.ts'
import { createOutbox } from '../src/outbox.ts'
import { createStore } from '../src/store/store.ts'

/**
 * A program that goes through the life of one account after the other and prints what was acknowledged, until it is
 * killed. It runs what the server runs, but for the price of passwords.
 */
export interface WriterOptions {
  folder: string
  address?: string
  mailFolder: string
  /** What its e-mail addresses begin with. */
  name: string
}

export type Acknowledged =
  | { did: 'register'; email: string }
  | { did: 'verify'; email: string }
  | { did: 'pair'; email: string; refresh: string }
  | { did: 'reset'; email: string; token: string; password: string }
  | { did: 'logout'; email: string; refresh: string }

export const cheapHash = (password: string) => createHash('sha256').update(password).digest('base64url')

/** One round of SHA-256 in place of Argon2id. */
const cheap: Passwords = {
  hash: async password => cheapHash(password),
  matches: async (password, phc) =>
    phc !== undefined && timingSafeEqual(Buffer.from(cheapHash(password)), Buffer.from(phc)),
  close: async () => {},
}

if (import.meta.main) await write(JSON.parse(process.argv[2] ?? ''))

async function write({ folder, address, mailFolder, name }: WriterOptions): Promise<void> {
  const store = createStore({ folder, address, timeoutMs: 5_000, connections: 2 })
  const limits = { ...defaultLimits, mailPollMs: 20 }
  const now = Date.now
  const log = () => {}
  const outbox = createOutbox({ store, sender: fileSender(mailFolder, 'site@assay.example'), limits, log, now })
  const mails = createMails({ brand: 'Assay', base: 'https://assay.example', contact: 'office@assay.example' })
  const parts = { store, outbox, mails, limits, now, passwords: cheap }
  const sessions = createSessions(parts)
  const accounts = createAccounts({ ...parts, sessions })
  const visitor = { address: '127.0.0.1', client: 'writer', mayMail: async () => true }
  const say = (line: Acknowledged) => writeSync(1, `${JSON.stringify(line)}\n`)

  /** The newest link of a mail that was sent. */
  async function linkFor(email: string, path: string): Promise<string> {
    for (;;) {
      for (const file of readdirSync(mailFolder)) {
        if (!file.endsWith('.eml')) continue
        const text = readFileSync(`${mailFolder}/${file}`, 'utf8')
          .replace(/=\r?\n/g, '')
          .replaceAll('=3D', '=')
        if (text.includes(email) && text.includes(path)) return /token=(\S+)/.exec(text)?.[1] ?? ''
      }
      await new Promise(resolve => setTimeout(resolve, 2))
    }
  }

  await store.open()
  for (let i = 0; ; i++) {
    const email = `${name}-${i}@example.org`
    await accounts.register({ email, password: 'first' }, true)
    say({ did: 'register', email })
    await accounts.verify(await linkFor(email, '/auth/verify-email/'))
    say({ did: 'verify', email })
    const credentials = { email, password: 'first' }
    let pair = await accounts.login(credentials, visitor)
    say({ did: 'pair', email, refresh: pair.refresh })
    for (let round = 0; round < 3; round++) {
      const next = await sessions.refresh(pair.refresh)
      if (!next) throw new Error('an honest client was logged out')
      pair = next
      say({ did: 'pair', email, refresh: pair.refresh })
    }
    await sessions.end(pair.access)
    say({ did: 'logout', email, refresh: pair.refresh })
    await accounts.requestReset(email)
    const token = await linkFor(email, 'mode=reset')
    await accounts.reset(token, 'second')
    say({ did: 'reset', email, token, password: 'second' })
    pair = await accounts.login({ email, password: 'second' }, visitor)
    say({ did: 'pair', email, refresh: pair.refresh })
  }
}
