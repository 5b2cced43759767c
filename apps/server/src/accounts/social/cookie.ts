/** The one cookie of this site: it binds a sign-in at a provider to the browser that began it. */
export interface BrowserCookie {
  /** Its value; undefined when there is none, or more than one. */
  read(header: string | undefined): string | undefined
  write(value: string, maxAgeMs: number): string
  clear(): string
}

/** 32 random bytes in Base64url. */
const VALUE = /^[\w-]{43}$/

/**
 * RFC 6265bis §4.1.3.2: browsers take a cookie with this prefix only from its own host over https and for all paths,
 * so neither a neighbour under the same domain nor somebody on the line can plant one. Plain http has no such thing.
 */
export function browserCookie(base: string): BrowserCookie {
  const secure = base.startsWith('https:')
  const name = secure ? '__Host-oauth' : 'oauth'
  const cookie = (value: string, maxAgeSeconds: number) =>
    `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
  return {
    read(header = '') {
      const values = header
        .split(';')
        .map(pair => pair.trim())
        .filter(pair => pair.startsWith(`${name}=`))
        .map(pair => pair.slice(name.length + 1))
      const [value = ''] = values
      return values.length === 1 && VALUE.test(value) ? value : undefined
    },
    write: (value, maxAgeMs) => cookie(value, Math.ceil(maxAgeMs / 1000)),
    clear: () => cookie('', 0),
  }
}
