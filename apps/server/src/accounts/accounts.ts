import { Wait } from '../errors.ts'
import type { Account, Database } from '../store/tables.ts'
import { AccountError } from './answer.ts'
import { originOf } from './clients.ts'
import { holdAccount } from './hold.ts'
import type { AccountParts } from './parts.ts'
import type { Sessions, TokenPair } from './sessions.ts'
import { createToken, hashOf, newId, tokenOf } from './tokens.ts'

export interface Credentials {
  email: string
  password: string
}

/** Who asks, for limits and for the list of sessions. */
export interface Visitor {
  address: string
  client: string
  /** Whether the person may be sent one more mail. */
  mayMail(): Promise<boolean>
}

/** What became of the link in a mail for verifying. A reset token is there when a password has to be chosen first. */
export type Verified = { state: 'verified' } | { state: 'invalid' } | { state: 'choose'; reset: string }

/** Accounts by e-mail address and password. What these answer tells nobody whether an address is known. */
export interface Accounts {
  /** Without a mail where there were too many; logging in brings one later. */
  register(credentials: Credentials, mayMail: boolean): Promise<void>
  /** Throws an AccountError for a wrong password and for an address that is not verified. */
  login(credentials: Credentials, visitor: Visitor): Promise<TokenPair>
  /** Whether somebody signed in to this account from there before. */
  isKnownOrigin(email: string, address: string): Promise<boolean>
  verify(token: string): Promise<Verified>
  resendLink(email: string): Promise<void>
  requestReset(email: string): Promise<void>
  /** Throws an AccountError for a link that does not work any more. */
  reset(token: unknown, password: string): Promise<void>
}

/** Each begins when somebody else changed the same account meanwhile. */
const REGISTER_ATTEMPTS = 10

export function createAccounts(parts: AccountParts & { sessions: Sessions }): Accounts {
  const { store, outbox, passwords, mails, limits, now, sessions } = parts

  const find = (db: Database, email: string): Promise<Account | undefined> =>
    db.selectFrom('account').selectAll().where('email', '=', email).executeTakeFirst()

  const inTransaction = <T>(work: (db: Database) => Promise<T>): Promise<T> =>
    store.use(db => db.transaction().execute(work))

  async function addLink(db: Database, account: string, purpose: 'verify' | 'reset'): Promise<string> {
    const token = createToken('link')
    const at = now()
    const life = purpose === 'verify' ? limits.verifyLinkMs : limits.resetLinkMs
    await db
      .insertInto('link')
      .values({ token: hashOf(token), account, purpose, created_at: at, expires_at: at + life, used_at: null })
      .execute()
    return token
  }

  /** A link that is neither used nor too old. */
  const findLink = (db: Database, token: string, purpose: 'verify' | 'reset') =>
    db
      .selectFrom('link')
      .selectAll()
      .where('token', '=', token)
      .where('purpose', '=', purpose)
      .where('used_at', 'is', null)
      .where('expires_at', '>', now())
      .executeTakeFirst()

  async function useLink(db: Database, token: string): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('link')
      .set({ used_at: now() })
      .where('token', '=', token)
      .where('used_at', 'is', null)
      .executeTakeFirstOrThrow()
    return numUpdatedRows === 1n
  }

  async function sendVerifyLink(db: Database, { id, email }: Pick<Account, 'id' | 'email'>): Promise<void> {
    const token = await addLink(db, id, 'verify')
    await db.updateTable('account').set({ link_sent_at: now() }).where('id', '=', id).execute()
    await outbox.add(db, mails.verify(email, token))
  }

  /** Whether it is written; not when somebody else changed the account since it was read. */
  async function writeRegistration(
    known: Account | undefined,
    { email, password_hash, mayMail }: Pick<Account, 'email' | 'password_hash'> & { mayMail: boolean },
  ): Promise<boolean> {
    return inTransaction(async db => {
      const current = await holdAccount(db, 'email', email)
      if (current?.password_hash !== known?.password_hash || current?.verified_at !== known?.verified_at) return false
      if (current?.verified_at) {
        if (mayMail) await outbox.add(db, mails.known(email))
        return true
      }
      const account = current ?? { id: newId(), email }
      if (current) {
        await db.updateTable('account').set({ password_hash }).where('id', '=', current.id).execute()
      } else {
        const row = { ...account, password_hash, verified_at: null, created_at: now(), link_sent_at: 0 }
        const { numInsertedOrUpdatedRows } = await db
          .insertInto('account')
          .values(row)
          .onConflict(conflict => conflict.column('email').doNothing())
          .executeTakeFirst()
        if (numInsertedOrUpdatedRows !== 1n) return false
      }
      if (mayMail) await sendVerifyLink(db, account)
      return true
    })
  }

  /** Not when somebody else, who tried to sign in as well, was faster. */
  async function sendLinkAgain({ id }: Account): Promise<void> {
    await inTransaction(async db => {
      const account = await holdAccount(db, 'id', id)
      if (account && !account.verified_at && now() - account.link_sent_at >= limits.verifyMailMs)
        await sendVerifyLink(db, account)
    })
    outbox.wake()
  }

  return {
    async register({ email, password }, mayMail) {
      let fresh: string | undefined
      for (let attempt = 0; attempt < REGISTER_ATTEMPTS; attempt++) {
        const known = await store.use(db => find(db, email))
        fresh ??= await passwords.hash(password)
        // Done for unknown addresses too, or the time would tell them apart where passwords have to queue.
        const isSame = await passwords.matches(password, known?.password_hash ?? undefined)
        // Two who give different passwords for one address cannot both be its owner: who opens the link chooses one.
        const password_hash = !known ? fresh : isSame ? known.password_hash : null
        if (await writeRegistration(known, { email, password_hash, mayMail })) return outbox.wake()
      }
      throw new Wait('busy', 1_000, 'somebody else is registering the same address')
    },

    async login({ email, password }, { address, client, mayMail }) {
      const account = await store.use(db => find(db, email))
      const isRight = await passwords.matches(password, account?.password_hash ?? undefined)
      if (!account || !isRight) throw new AccountError(401, 'wrong-password', 'Wrong email or password.')
      if (!account.verified_at) {
        if (now() - account.link_sent_at >= limits.verifyMailMs && (await mayMail())) await sendLinkAgain(account)
        throw new AccountError(403, 'not-verified', 'Please verify your email.')
      }
      return inTransaction(async db => {
        const current = await holdAccount(db, 'id', account.id)
        // A reset, or the end of the account, may have been faster than the hashing.
        if (current?.password_hash !== account.password_hash)
          throw new AccountError(401, 'wrong-password', 'Wrong email or password.')
        const origin = { account: account.id, origin: originOf(account.id, address), seen_at: now() }
        await db
          .insertInto('known_origin')
          .values(origin)
          .onConflict(conflict => conflict.columns(['account', 'origin']).doUpdateSet({ seen_at: now() }))
          .execute()
        return sessions.begin(db, { account: account.id, client, provider: '' })
      })
    },

    async isKnownOrigin(email, address) {
      return store.use(async db => {
        // Nobody has an empty id; asking for it takes as long as asking for another.
        const { id = '' } = (await find(db, email)) ?? {}
        const found = await db
          .selectFrom('known_origin')
          .select('seen_at')
          .where('account', '=', id)
          .where('origin', '=', originOf(id, address))
          .executeTakeFirst()
        return found !== undefined
      })
    },

    async verify(token) {
      const parts = tokenOf('link', token)
      if (!parts) return { state: 'invalid' }
      return inTransaction(async db => {
        const link = await findLink(db, parts.hash, 'verify')
        const account = link && (await holdAccount(db, 'id', link.account))
        if (!account) return { state: 'invalid' }
        if (!account.verified_at)
          await db.updateTable('account').set({ verified_at: now() }).where('id', '=', account.id).execute()
        if (account.password_hash) return { state: 'verified' }
        return { state: 'choose', reset: await addLink(db, account.id, 'reset') }
      })
    },

    async resendLink(email) {
      await inTransaction(async db => {
        const account = await holdAccount(db, 'email', email)
        if (account && !account.verified_at) await sendVerifyLink(db, account)
      })
      outbox.wake()
    },

    async requestReset(email) {
      await inTransaction(async db => {
        const account = await holdAccount(db, 'email', email)
        if (account) await outbox.add(db, mails.reset(email, await addLink(db, account.id, 'reset')))
      })
      outbox.wake()
    },

    async reset(token, password) {
      const parts = tokenOf('link', token)
      const hash = await passwords.hash(password)
      await inTransaction(async db => {
        const link = parts && (await findLink(db, parts.hash, 'reset'))
        const account = link && (await holdAccount(db, 'id', link.account))
        // Whoever held the account before may have used the link.
        if (!account || !(await useLink(db, link.token)))
          throw new AccountError(400, 'invalid-link', 'This link does not work any more. Ask for a new one.')
        await db
          .updateTable('account')
          // Who has the link has the mailbox.
          .set({ password_hash: hash, verified_at: account.verified_at ?? now() })
          .where('id', '=', account.id)
          .execute()
        await db.deleteFrom('session').where('account', '=', account.id).execute()
        await db
          .deleteFrom('link')
          .where('account', '=', account.id)
          .where('purpose', '=', 'reset')
          .where('token', '!=', link.token)
          .execute()
        await outbox.add(db, mails.passwordChanged(account.email))
      })
      outbox.wake()
    },
  }
}
