import type { Kysely } from 'kysely'

/** The tables as both databases have them: texts and whole numbers only, instants in milliseconds since 1970. */
export interface Tables {
  message: Message
  mail: Mail
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
