import type { Database, Mail, Session } from '../store/tables.ts'
import { listed } from './keys.ts'
import type { AccountParts } from './parts.ts'
import { accountOf, profileOf } from './profile.ts'
import { publicSessionId } from './session-list.ts'

const NOTE =
  'Everything that is kept about your account. Of your password, your tokens and your API keys only hashes are kept, and those are left out. Messages that you wrote by the contact form are kept apart from accounts; the privacy policy says for how long.'

type ExportParts = Pick<AccountParts, 'store' | 'now'> & { contact: string }

/** Rows that are read at once. */
const SLICE_ROWS = 1_000

const TOKEN = /assay_(?:at|rt|key|link|return)_[\w-]+/g

/** An instant as text; none where the table has null, or a 0 for never. */
const instant = (ms: number | null): string | null => (ms ? new Date(ms).toISOString() : null)

/** Mails to an address that are not sent yet. Those to the operator's own are from visitors, and no account's. */
export async function mailsTo(db: Database, email: string, contact: string): Promise<Mail[]> {
  if (email === contact) return []
  return db.selectFrom('mail').selectAll().where('recipient', '=', email).orderBy('created_at').execute()
}

/**
 * All that the store knows of an account, without anything that would open it: a JSON text in pieces, because months of
 * calls are more than should be in memory at once. What it throws comes before the first piece, as far as it can.
 */
export async function exportAccount(parts: ExportParts, current: Session): Promise<AsyncIterable<string>> {
  const head = JSON.stringify(await exportRows(parts, current), null, 1).replace(/\n\}$/, '')
  return (async function* () {
    yield `${head},\n "usage": [`
    let between = '\n  '
    for await (const row of usageRows(parts, current.account)) {
      yield between + JSON.stringify(row)
      between = ',\n  '
    }
    yield '\n ]\n}\n'
  })()
}

async function* usageRows({ store }: ExportParts, account: string) {
  const rowsOf = (db: Database) => db.selectFrom('usage').selectAll().where('account', '=', account).orderBy('at')
  let last = -1
  for (;;) {
    const after = last
    const slice = await store.use(db => rowsOf(db).where('at', '>', after).limit(SLICE_ROWS).execute())
    last = slice.at(-1)?.at ?? last
    const end = last
    // A full slice may end among calls of the same instant, which are then asked for together.
    const isFull = slice.length === SLICE_ROWS
    const rest = isFull ? await store.use(db => rowsOf(db).where('at', '=', end).execute()) : []
    for (const { at, tool, status, ms, client, api_key } of [...slice.filter(row => !isFull || row.at < end), ...rest])
      yield { at: instant(at), tool, status, ms, client, api_key }
    if (!isFull) return
  }
}

async function exportRows({ store, now, contact }: ExportParts, current: Session): Promise<object> {
  const id = current.account
  return store.use(async db => {
    const account = await accountOf(db, current)
    const identities = await db.selectFrom('identity').selectAll().where('account', '=', id).execute()
    const sessions = await db.selectFrom('session').selectAll().where('account', '=', id).execute()
    const keys = await db.selectFrom('api_key').selectAll().where('account', '=', id).execute()
    const links = await db.selectFrom('link').selectAll().where('account', '=', id).execute()
    const origins = await db.selectFrom('known_origin').selectAll().where('account', '=', id).execute()
    const returns = await db.selectFrom('social_return').selectAll().where('account', '=', id).execute()
    const days = await db.selectFrom('usage_day').selectAll().where('account', '=', id).orderBy('at').execute()
    const mails = await mailsTo(db, account.email, contact)
    return {
      exported_at: new Date(now()).toISOString(),
      note: NOTE,
      account: {
        ...profileOf(account, identities),
        verified_at: instant(account.verified_at),
        link_sent_at: instant(account.link_sent_at),
        has_password: account.password_hash !== null,
      },
      identities: identities.map(({ provider, subject, created_at }) => ({
        provider,
        subject,
        created_at: instant(created_at),
      })),
      sessions: sessions.map(session => ({
        id: publicSessionId(session.id),
        created_at: instant(session.created_at),
        last_used_at: instant(session.last_used_at),
        rotated_at: instant(session.rotated_at),
        access_expires_at: instant(session.access_expires_at),
        expires_at: instant(session.expires_at),
        client: session.client,
        provider: session.provider,
        current: session.id === current.id,
      })),
      keys: keys.map(listed),
      links: links.map(({ purpose, created_at, expires_at, used_at }) => ({
        purpose,
        created_at: instant(created_at),
        expires_at: instant(expires_at),
        used_at: instant(used_at),
      })),
      known_origins: origins.map(({ origin, seen_at }) => ({ origin, seen_at: instant(seen_at) })),
      returns: returns.map(({ provider, expires_at }) => ({ provider, expires_at: instant(expires_at) })),
      days: days.map(({ at, requests, failures }) => ({ at: instant(at), requests, failures })),
      mails: mails.map(({ created_at, subject, text, state, attempts, due_at, failure }) => ({
        created_at: instant(created_at),
        subject,
        text: text.replace(TOKEN, '(left out)'),
        state,
        attempts,
        due_at: instant(due_at),
        failure,
      })),
    }
  })
}
