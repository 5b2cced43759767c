/** Argon2id as the PHC string format writes it, https://github.com/P-H-C/phc-string-format. */
export interface Argon2Phc {
  /** KiB. */
  memory: number
  passes: number
  parallelism: number
  salt: Buffer
  tag: Buffer
}

/** What the worker is asked: a new hash, or whether a password fits one. Without `phc` it fits none, in the same time. */
export interface PasswordTask {
  id: number
  password: string
  wanted: 'hash' | 'match'
  phc: string | undefined
}

/** RFC 9106 §3.1: the version number of Argon2 1.3. */
const VERSION = 0x13

const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')

export const formatPhc = ({ memory, passes, parallelism, salt, tag }: Argon2Phc): string =>
  `$argon2id$v=${VERSION}$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`

/** Reads what formatPhc wrote. Anything else in the store is a fault of ours. */
export function parsePhc(text: string): Argon2Phc {
  const [, memory, passes, parallelism, salt, tag] =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(text) ?? []
  if (!salt || !tag) throw new Error('A stored password is no Argon2id hash.')
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}
