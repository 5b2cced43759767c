import { createToken, hashOf, newId } from '../src/accounts/tokens.ts'
import { defaultLimits } from '../src/limits.ts'
import type { AccountTrial } from './account-trial.ts'

export interface Seat {
  account: string
  session: string
  access: string
  refresh: string
  /** What a browser of this session sends. */
  headers: { authorization: string }
}

/** Somebody who is signed in, without the time that hashing and mails take. Such an account has no password. */
export async function seat(
  { store, clock }: Pick<AccountTrial, 'store' | 'clock'>,
  { email = `${newId().toLowerCase()}@example.org`, account = '', provider = '', client = 'Firefox on Linux' } = {},
): Promise<Seat> {
  const at = clock.ms
  const owner = account || newId()
  const session = newId()
  const [access, refresh] = [createToken('access', session), createToken('refresh', session)]
  await store.use(async db => {
    if (!account) {
      const row = { id: owner, email, password_hash: null, verified_at: at, created_at: at, link_sent_at: at }
      await db.insertInto('account').values(row).execute()
    }
    await db
      .insertInto('session')
      .values({
        id: session,
        account: owner,
        created_at: at,
        last_used_at: at,
        expires_at: at + defaultLimits.sessionMs,
        client,
        provider,
        access: hashOf(access),
        access_expires_at: at + defaultLimits.accessMs,
        refresh: hashOf(refresh),
        previous: '',
        rotated_at: 0,
        successor: '',
      })
      .execute()
  })
  return { account: owner, session, access, refresh, headers: { authorization: `Bearer ${access}` } }
}
