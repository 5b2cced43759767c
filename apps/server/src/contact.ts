import { randomUUID } from 'node:crypto'
import { Problem } from '@assay/kit'
import type { FastifyInstance } from 'fastify'
import { parseEmail } from './email.ts'
import { Wait } from './errors.ts'
import type { Limits } from './limits.ts'
import type { Outbox } from './outbox.ts'
import { clientKeys, type RateStore } from './rates.ts'
import type { Store } from './store/store.ts'
import { clientOf, onlyMethods, refuseCrossSite } from './tools.ts'

export interface ContactRoute {
  store: Store
  outbox: Outbox
  rates: RateStore
  limits: Limits
  brand: string
  /** Who gets what visitors write. */
  recipient: string
  now: () => number
}

const URL_PATH = '/api/contact/'
const QUARTER_HOUR_MS = 900_000
const HOUR_MS = 3_600_000
/** A field that people do not see and programs that fill in every form do. */
const TRAP = 'website'

/** What a visitor writes is kept and on its way to the operator before the answer says so. */
export function contactRoute(app: FastifyInstance, options: ContactRoute): void {
  const { store, outbox, limits, brand, recipient, now } = options
  app.post(URL_PATH, async (request, reply) => {
    refuseCrossSite(request)
    await takeTurn(options, clientOf(request))
    const { name, email, text } = readMessage(request.body, limits)
    await store.use(db =>
      db.transaction().execute(async transaction => {
        const message = { id: randomUUID(), created_at: now(), name, email, text }
        await transaction.insertInto('message').values(message).execute()
        await outbox.add(transaction, {
          recipient,
          reply_name: name,
          reply_email: email,
          subject: `${brand}: message from ${name}`,
          text: `${name} <${email}> wrote:\n\n${text}\n`,
        })
      }),
    )
    outbox.wake()
    return reply.send({ message: 'Your message was sent. We typically answer within 24 hours.' })
  })
  onlyMethods(app, URL_PATH, ['POST'])
}

/** Each client has its share, and all together no more than a person can read. */
async function takeTurn({ rates, limits }: ContactRoute, client: string): Promise<void> {
  const own = clientKeys(client).map(({ key, factor }) => ({
    key: `contact ${key}`,
    limit: limits.messagesPerQuarterHour * factor,
    windowMs: QUARTER_HOUR_MS,
  }))
  const all = { key: 'contact', limit: limits.messagesPerHour, windowMs: HOUR_MS }
  const waitMs = await rates.take([...own, all], 1)
  if (waitMs > 0) throw new Wait('limited', waitMs, 'Rate limit exceeded')
}

function readMessage(body: unknown, limits: Limits): { name: string; email: string; text: string } {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new Problem('invalid-input', 'Expected a JSON object with name, email and message.')
  }
  const values = new Map<string, unknown>(Object.entries(body))
  if (values.get(TRAP)) {
    throw new Problem('invalid-input', 'Leave the hidden field empty.', {
      field: TRAP,
      detail: 'It is there to catch programs. If a program filled it in for you, write to us by e-mail.',
    })
  }
  return {
    name: readName(textOf(values, 'name', 'your name', limits.contactNameCharacters)),
    email: readEmail(textOf(values, 'email', 'your e-mail address', limits.contactEmailCharacters)),
    text: readText(textOf(values, 'message', 'your message', limits.contactMessageCharacters)),
  }
}

const invalid = (field: string, message: string) => new Problem('invalid-input', message, { field })

function textOf(values: ReadonlyMap<string, unknown>, field: string, what: string, characters: number): string {
  const value = values.get(field) ?? ''
  if (typeof value !== 'string') throw invalid(field, `Expected ${what} as text.`)
  const text = value.trim()
  if (!text) throw invalid(field, `Fill in ${what}.`)
  if (text.length > characters) throw invalid(field, `Expected ${what} in at most ${characters} characters.`)
  if (!text.isWellFormed()) throw invalid(field, `Expected ${what} in whole characters of Unicode.`)
  return text
}

/** No character of a name may end a line or turn the reading order: it stands in the header of a mail. */
function readName(name: string): string {
  if (/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u.test(name)) {
    throw invalid('name', 'Expected your name on one line, without control characters.')
  }
  return name
}

function readEmail(text: string): string {
  const email = parseEmail(text)
  if (!email) throw invalid('email', 'Expected an e-mail address such as name@example.com.')
  return email
}

/** Text of several lines; line ends of any kind become one. */
function readText(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n')
  if (/[^\P{Cc}\n\t]/u.test(lines)) throw invalid('message', 'Expected your message without control characters.')
  return lines
}
