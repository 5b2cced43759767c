import { randomUUID } from 'node:crypto'
import { type JsonSchema, Problem } from '@assay/kit'
import type { FastifyInstance } from 'fastify'
import { parseEmail } from './email.ts'
import { Wait } from './errors.ts'
import type { Limits } from './limits.ts'
import type { Outbox } from './outbox.ts'
import { clientKeys, type RateStore } from './rates.ts'
import type { Store } from './store/store.ts'
import { clientOf, onlyMethods, refuseCrossSite } from './tools.ts'

/** Where what visitors write goes: it is kept and on its way to the operator before the answer says so. */
export interface Inbox {
  store: Store
  outbox: Outbox
  rates: RateStore
  limits: Limits
  brand: string
  /** Who gets what visitors write. */
  recipient: string
  now: () => number
}

/** A form of the site whose filled fields are sent to the operator. */
export interface Form {
  url: string
  /** For the documentation: what it is for, and what its body looks like. */
  summary: string
  schema: JsonSchema
  /** Reads what was filled in, or throws a Problem that names the field. */
  read(values: Values): Written
  /** What the answer says. */
  thanks: string
}

/** What a visitor wrote, and the mail that brings it. */
export interface Written {
  name: string
  email: string
  text: string
  mail: { subject: string; text: string }
}

export type Values = ReadonlyMap<string, unknown>

const QUARTER_HOUR_MS = 900_000
const HOUR_MS = 3_600_000
/** A field that people do not see and programs that fill in every form do. */
const TRAP = 'website'

/** The address that a form is sent to. */
export function formRoute(app: FastifyInstance, inbox: Inbox, { url, read, thanks }: Form): void {
  const { store, outbox, recipient, now } = inbox
  app.post(url, async (request, reply) => {
    refuseCrossSite(request)
    await takeTurn(inbox, clientOf(request))
    const { name, email, text, mail } = read(valuesOf(request.body))
    await store.use(db =>
      db.transaction().execute(async transaction => {
        const message = { id: randomUUID(), created_at: now(), name, email, text }
        await transaction.insertInto('message').values(message).execute()
        await outbox.add(transaction, { recipient, reply_name: name, reply_email: email, ...mail })
      }),
    )
    outbox.wake()
    return reply.send({ message: thanks })
  })
  onlyMethods(app, url, ['POST'])
}

/** Each client has its share, and all together no more than a person can read. */
async function takeTurn({ rates, limits }: Inbox, client: string): Promise<void> {
  const own = clientKeys(client).map(({ key, factor }) => ({
    key: `contact ${key}`,
    limit: limits.messagesPerQuarterHour * factor,
    windowMs: QUARTER_HOUR_MS,
  }))
  const all = { key: 'contact', limit: limits.messagesPerHour, windowMs: HOUR_MS }
  const waitMs = await rates.take([...own, all], 1)
  if (waitMs > 0) throw new Wait('limited', waitMs, 'Rate limit exceeded')
}

function valuesOf(body: unknown): Values {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new Problem('invalid-input', 'Expected a JSON object whose keys are the fields of the form.')
  }
  const values = new Map<string, unknown>(Object.entries(body))
  if (values.get(TRAP)) {
    throw new Problem('invalid-input', 'Leave the hidden field empty.', {
      field: TRAP,
      detail: 'It is there to catch programs. If a program filled it in for you, write to us by e-mail.',
    })
  }
  return values
}

export const invalid = (field: string, message: string) => new Problem('invalid-input', message, { field })

/** A field to read: what it is called, and how long its text may be. */
export interface Wanted {
  field: string
  what: string
  characters: number
}

export function readFilled(values: Values, wanted: Wanted): string {
  const text = readOptional(values, wanted)
  if (!text) throw invalid(wanted.field, `Fill in ${wanted.what}.`)
  return text
}

export function readOptional(values: Values, { field, what, characters }: Wanted): string {
  const value = values.get(field) ?? ''
  if (typeof value !== 'string') throw invalid(field, `Expected ${what} as text.`)
  const text = value.trim()
  if (text.length > characters) throw invalid(field, `Expected ${what} in at most ${characters} characters.`)
  if (!text.isWellFormed()) throw invalid(field, `Expected ${what} in whole characters of Unicode.`)
  return text
}

/** No character may end a line or turn the reading order: the line may stand in the header of a mail. */
export function checkLine(line: string, { field, what }: Wanted): string {
  if (/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u.test(line)) {
    throw invalid(field, `Expected ${what} on one line, without control characters.`)
  }
  return line
}

export function checkEmail(text: string, { field }: Wanted): string {
  const email = parseEmail(text)
  if (!email) throw invalid(field, 'Expected an e-mail address such as name@example.com.')
  return email
}

/** Text of several lines; line ends of any kind become one. */
export function checkText(text: string, { field, what }: Wanted): string {
  const lines = text.replace(/\r\n?/g, '\n')
  if (/[^\P{Cc}\n\t]/u.test(lines)) throw invalid(field, `Expected ${what} without control characters.`)
  return lines
}
