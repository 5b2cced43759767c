import type { Kysely } from 'kysely'

/** The tables as both databases have them: texts and whole numbers only, instants in milliseconds since 1970. */
export interface Tables {
  message: Message
  mail: Mail
  account: Account
  identity: Identity
  session: Session
  link: Link
  api_key: ApiKey
  known_origin: KnownOrigin
  usage: UsageRow
  usage_day: UsageDayRow
  usage_key: UsageKey
  social_attempt: SocialAttempt
  social_return: SocialReturn
}

export type Database = Kysely<Tables>

/** What a visitor wrote by the contact form. */
export interface Message {
  id: string
  created_at: number
  name: string
  email: string
  text: string
}

/** A mail that still has to be sent, or was given up. A mail that was sent is no longer here. */
export interface Mail {
  id: string
  created_at: number
  recipient: string
  reply_name: string
  reply_email: string
  subject: string
  text: string
  state: 'waiting' | 'given-up'
  attempts: number
  /** Not tried before; while somebody sends it, when another may take it over. */
  due_at: number
  /** What the other side answered last: the status code of SMTP, or the kind of failure. Never its words. */
  failure: string
}

/** Somebody who can sign in. Everything below goes with its account. */
export interface Account {
  id: string
  /** In lower case, the domain in the form of DNS. */
  email: string
  /** Argon2id as a PHC string; null when there is none, or when two who registered gave different ones. */
  password_hash: string | null
  verified_at: number | null
  created_at: number
  /** When the last link for verifying was sent. */
  link_sent_at: number
}

/** Who an account is at a provider. */
export interface Identity {
  provider: string
  /** The provider's own name for the person, which never changes, unlike the address. */
  subject: string
  account: string
  created_at: number
}

/** One sign-in and what became of its tokens. Of each token only a hash is kept. */
export interface Session {
  /** The first part of each of its tokens; whoever sees it must not learn the rest. */
  id: string
  account: string
  created_at: number
  last_used_at: number
  expires_at: number
  /** Such as "Firefox on Linux". */
  client: string
  /** Where the person signed in, or an empty text for here. */
  provider: string
  access: string
  access_expires_at: number
  refresh: string
  /** The refresh token before that one, and when it was used; empty texts before the first time. */
  previous: string
  rotated_at: number
  /** The pair that followed it, readable only with the token before. */
  successor: string
}

/** A link in a mail. */
export interface Link {
  token: string
  account: string
  purpose: 'verify' | 'reset'
  created_at: number
  expires_at: number
  used_at: number | null
}

export interface ApiKey {
  id: string
  account: string
  name: string
  token: string
  last_four: string
  /** Kinds of tools, with spaces between. */
  scopes: string
  created_at: number
  expires_at: number | null
  last_used_at: number | null
}

/** Where somebody signed in before, as a number so small that thousands of networks share it. */
export interface KnownOrigin {
  account: string
  origin: number
  seen_at: number
}

/** One call of a tool, in the usage log. */
export interface UsageRow {
  at: number
  tool: string
  status: number
  ms: number
  /** Keyed hash of the client's address. */
  client: string
  account: string | null
  api_key: string | null
}

/** What an account called on one day: counted as it happens, because rows of a busy account are too many to count. */
export interface UsageDayRow {
  account: string
  /** When the day began, in UTC. */
  at: number
  requests: number
  failures: number
}

/** What the clients of one day are hashed with, the same for all processes; without it no hash can be traced back. */
export interface UsageKey {
  /** Days since 1970. */
  day: number
  created_at: number
  key: string
}

/** A sign-in at a provider that has not come back yet. Of what the browser has to show only hashes are kept. */
export interface SocialAttempt {
  state: string
  /** The cookie. */
  browser: string
  provider: 'google' | 'github'
  expires_at: number
}

/** One that came back, until its page asks for a session. */
export interface SocialReturn {
  access: string
  refresh: string
  browser: string
  account: string
  provider: 'google' | 'github'
  expires_at: number
}
