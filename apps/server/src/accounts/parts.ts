import type { Limits } from '../limits.ts'
import type { Outbox } from '../outbox.ts'
import type { Store } from '../store/store.ts'
import type { Mails } from './mails.ts'
import type { Passwords } from './passwords.ts'

/** What the accounts are made of; every file of this folder takes what it needs of it. */
export interface AccountParts {
  store: Store
  outbox: Outbox
  passwords: Passwords
  mails: Mails
  limits: Limits
  now: () => number
}
