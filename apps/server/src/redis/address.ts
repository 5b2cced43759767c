/** Where a Redis or Valkey server is, and who asks there. */
export interface RedisAddress {
  host: string
  port: number
  tls: boolean
  user: string | undefined
  password: string | undefined
  /** The number of the database. */
  db: number
}

const PORT = 6379

/** Reads redis://user:password@host:port/db or rediss://…; what it throws does not repeat the address. */
export function parseRedisAddress(text: string): RedisAddress {
  const url = URL.parse(text)
  const [, db = '0'] = /^(?:\/(\d{1,5})?)?$/.exec(url?.pathname ?? '') ?? [undefined, 'none']
  const isRedis = url?.protocol === 'redis:' || url?.protocol === 'rediss:'
  if (!url?.hostname || !isRedis || db === 'none' || url.search || url.hash) {
    throw new RangeError('expected an address such as redis://user:password@host:6379/0 or rediss://…')
  }
  return {
    host: decodeURIComponent(url.hostname.replace(/^\[|\]$/g, '')),
    port: Number(url.port) || PORT,
    tls: url.protocol === 'rediss:',
    user: url.username ? decoded(url.username) : undefined,
    password: url.password ? decoded(url.password) : undefined,
    db: Number(db),
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new RangeError('expected user and password percent-encoded, such as p%40ss for p@ss')
  }
}
