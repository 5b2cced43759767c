import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import type { Account, Session } from '../store/tables.ts'
import { AccountError } from './answer.ts'
import { mailsTo } from './export.ts'
import { holdAccount } from './hold.ts'
import type { Limited } from './limited.ts'
import type { AccountParts } from './parts.ts'
import { accountOf } from './profile.ts'

export interface RemovalParts extends AccountParts {
  limited: Limited
  /** The operator's address. */
  contact: string
  /** Where mails lie as files. */
  mailFolder: string
}

const SLICE_ROWS = 1_000

export interface Removal {
  /**
   * Deletes the account of a session and all that is kept about it. Throws an AccountError unless the password is
   * right or, where there is none, the session just began by a provider.
   */
  remove(session: Session, password: unknown, address: string): Promise<void>
}

export function createRemoval(parts: RemovalParts): Removal {
  const { store, passwords, limited, limits, now, contact, mailFolder } = parts

  const isFresh = ({ provider, created_at }: Session) =>
    provider !== '' && Math.abs(now() - created_at) <= limits.freshSignInMs

  async function confirm(account: Account, session: Session, password: unknown, address: string): Promise<void> {
    if (password === undefined) {
      if (isFresh(session)) return
      throw new AccountError(
        403,
        'confirm',
        account.password_hash
          ? 'Enter your password to delete your account.'
          : 'Log out and in again to delete your account: the sign-in has to be a few minutes old at most.',
      )
    }
    await limited.guess(account.email, address)
    const isRight =
      typeof password === 'string' &&
      Buffer.byteLength(password) <= limits.passwordBytes &&
      (await passwords.matches(password, account.password_hash ?? undefined))
    if (!isRight) throw wrongPassword()
  }

  /** Whether there was anything to delete. In slices, so that months of calls do not keep the store from others. */
  const deleteUsage = (account: string): Promise<boolean> =>
    store.use(async db => {
      const oldest = db.selectFrom('usage').select('at').where('account', '=', account).orderBy('at').limit(SLICE_ROWS)
      const { numDeletedRows } = await db
        .deleteFrom('usage')
        .where('account', '=', account)
        .where('at', 'in', oldest)
        .executeTakeFirst()
      return numDeletedRows > 0n
    })

  return {
    async remove(session, password, address) {
      const account = await store.use(db => accountOf(db, session))
      await confirm(account, session, password, address)
      while (await deleteUsage(account.id)) await breathe()
      await store.use(db =>
        db.transaction().execute(async transaction => {
          const current = await holdAccount(transaction, 'id', account.id)
          // A reset may have been faster than the hashing.
          if (current && current.password_hash !== account.password_hash) throw wrongPassword()
          for (const { id } of await mailsTo(transaction, account.email, contact))
            await transaction.deleteFrom('mail').where('id', '=', id).execute()
          await transaction.deleteFrom('usage').where('account', '=', account.id).execute()
          // Everything else goes with the account.
          await transaction.deleteFrom('account').where('id', '=', account.id).execute()
        }),
      )
      if (account.email !== contact) await deleteLetters(mailFolder, account.email)
      await store.scrub()
    },
  }
}

const wrongPassword = () => new AccountError(403, 'wrong-password', 'Wrong password.')

/** Mails that lie in a folder because there is no server to send them by. */
async function deleteLetters(folder: string, recipient: string): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter(name => /\.eml(?:\.part)?$/.test(name))) {
    const path = join(folder, name)
    const text = await readFile(path, 'latin1').catch(() => '')
    if (text.includes(`\r\nTo: ${recipient}\r\n`)) await rm(path, { force: true })
  }
}
