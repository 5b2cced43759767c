import { parseEmail } from '../../email.ts'
import { Wait } from '../../errors.ts'
import type { Account, Database } from '../../store/tables.ts'
import { holdAccount } from '../hold.ts'
import type { AccountParts } from '../parts.ts'
import { newId } from '../tokens.ts'
import type { Person, Provider } from './provider.ts'

/** The account of a person at a provider; undefined when there is none and no address to make it for. */
export type FindAccount = (db: Database, provider: Provider, person: Person) => Promise<string | undefined>

/**
 * Who somebody is at a provider is kept with the account, and from then on the address there means nothing. The first
 * time it does, and only when the provider verified it: an account that nobody verified may have been made by somebody
 * else in wait for its owner, so its password goes; the owner of a verified one is told.
 */
export function createFindAccount({
  outbox,
  mails,
  limits,
  now,
}: Pick<AccountParts, 'outbox' | 'mails' | 'limits' | 'now'>): FindAccount {
  const identityOf = (db: Database, provider: Provider, { subject }: Person) =>
    db
      .selectFrom('identity')
      .select('account')
      .where('provider', '=', provider.id)
      .where('subject', '=', subject)
      .executeTakeFirst()

  /** As accounts keep it. */
  function addressOf({ email = '' }: Person): string | undefined {
    return email.length <= limits.contactEmailCharacters ? parseEmail(email)?.toLowerCase() : undefined
  }

  async function accountFor(db: Database, email: string): Promise<{ account: Account; wasVerified: boolean }> {
    const at = now()
    const fresh = { id: newId(), email, password_hash: null, verified_at: at, created_at: at, link_sent_at: at }
    const { numInsertedOrUpdatedRows: made } = await db
      .insertInto('account')
      .values(fresh)
      .onConflict(conflict => conflict.column('email').doNothing())
      .executeTakeFirstOrThrow()
    if (made === 1n) return { account: fresh, wasVerified: false }
    const account = await holdAccount(db, 'email', email)
    if (!account) throw new Wait('busy', 1_000, 'the account was deleted at this very moment')
    if (!account.verified_at)
      await db
        .updateTable('account')
        .set({ password_hash: null, verified_at: at })
        .where('id', '=', account.id)
        .execute()
    return { account, wasVerified: account.verified_at !== null }
  }

  return async (db, provider, person) => {
    const known = await identityOf(db, provider, person)
    if (known && (await holdAccount(db, 'id', known.account))) return known.account
    const email = addressOf(person)
    if (email === undefined) return undefined
    const { account, wasVerified } = await accountFor(db, email)
    const { numInsertedOrUpdatedRows: added } = await db
      .insertInto('identity')
      .values({ provider: provider.id, subject: person.subject, account: account.id, created_at: now() })
      .onConflict(conflict => conflict.columns(['provider', 'subject']).doNothing())
      .executeTakeFirstOrThrow()
    // The same person in another tab was faster.
    if (added !== 1n) return (await identityOf(db, provider, person))?.account
    if (wasVerified) await outbox.add(db, mails.providerAdded(email, provider.name))
    return account.id
  }
}
