import { parseDomain } from '@assay/lib/domain/name'
import { contains, findAddress, formatPrefix, parsePrefix } from '@assay/lib/ip/address'
import { readTrustAnchors } from '@assay/net/trust-anchors'
import type { ProviderClient, ProviderId } from './accounts/social/provider.ts'
import { defaultLimits, type Limits, limitNames, limitVariable } from './limits.ts'
import { parseSmtpAddress, type SmtpServer } from './mail.ts'
import { parseRedisAddress, type RedisAddress } from './redis/address.ts'

export type Listen = { host: string; port: number } | { socket: string }

export interface Settings {
  listen: Listen
  /** The name of the site. */
  brand: string
  /** Where visitors reach it, without a final slash; undefined when it is only reached at the address it listens on. */
  base: string | undefined
  /** Where on its host the site begins, such as /assay; empty when it has the host for itself. */
  root: string
  contact: string | undefined
  /** Where the pages find the accounts, when that is another server; the pages are built with it. */
  authBase: string | undefined
  /** Where those who are looked up can complain. */
  abuse: string | undefined
  /** Prefixes of the proxies whose X-Forwarded-For is believed. */
  trustedProxies: readonly string[]
  /** Prefixes that may be looked up although they are not public. */
  testNetworks: readonly string[]
  optedOut: OptedOut
  /** DS records of the root's keys as in a zone file; IANA's unless given. */
  trustAnchors: string | undefined
  /** The folder of what is kept. */
  data: string
  /** Address of the PostgreSQL database that takes the place of the one in the folder. */
  database: string | undefined
  /** Where processes share limits and results; without it each has its own in memory. */
  redis: RedisAddress | undefined
  /** The server that takes our mails; without it they are written to files. */
  smtp: SmtpServer | undefined
  /** The address our mails come from. */
  mailFrom: string | undefined
  /** Who else can say who somebody is. */
  providers: Readonly<Record<ProviderId, ProviderClient | undefined>>
  /** Where figures about this process are read; undefined when nobody does. */
  metricsListen: Listen | undefined
  /** The form of the careers page is sent to the server and on to the contact address. */
  careers: boolean
  limits: Limits
}

/** A setting that cannot be used; the message is a sentence for whoever starts the server. */
export class SettingError extends Error {}

/** Whom no tool looks up. */
export interface OptedOut {
  /** These names and all below them. */
  domains: readonly string[]
  networks: readonly string[]
}

interface Setting<T> {
  about: string
  fallback: T
  read(value: string): T
}

const setting = <T>(about: string, fallback: T, read: (value: string) => T): Setting<T> => ({ about, fallback, read })

/** What can be set, by environment variable. ASSAY_… names that are not here or among the limits are refused. */
export const settingsTable = {
  ASSAY_LISTEN: setting<Listen>('Where to listen, host:port or unix:/path.', { host: '127.0.0.1', port: 8080 }, listen),
  ASSAY_METRICS_LISTEN: setting<Listen | undefined>(
    'Where GET /metrics answers Prometheus, host:port or unix:/path that no visitor reaches.',
    undefined,
    listen,
  ),
  ASSAY_BRAND: setting<string>('The name of the site.', 'Assay', line),
  ASSAY_BASE_URL: setting<string | undefined>(
    'The public address of the site, with a path when it shares its host.',
    undefined,
    publicAddress,
  ),
  ASSAY_CONTACT: setting<string | undefined>('The e-mail address for visitors.', undefined, email),
  ASSAY_AUTH_BASE: setting<string | undefined>(
    'The address of the server that keeps the accounts, when it is another.',
    undefined,
    publicAddress,
  ),
  ASSAY_ABUSE: setting<string | undefined>('The e-mail address for complaints about lookups.', undefined, email),
  ASSAY_TRUSTED_PROXIES: setting<readonly string[] | undefined>(
    'Prefixes of proxies whose X-Forwarded-For is believed, or none.',
    undefined,
    prefixes,
  ),
  ASSAY_OPTED_OUT: setting<OptedOut>(
    'Domains and prefixes whose owners asked not to be looked up, or none.',
    { domains: [], networks: [] },
    optedOut,
  ),
  ASSAY_TRUST_ANCHORS: setting<string | undefined>(
    'DS records of the root for DNSSEC, or the path of a file of them, instead of those of IANA.',
    undefined,
    readTrustAnchors,
  ),
  ASSAY_DATA: setting<string>('The folder of what is kept.', './data', folder),
  DATABASE_URL: setting<string | undefined>(
    'A PostgreSQL database instead of the one in the folder, postgresql://….',
    undefined,
    database,
  ),
  REDIS_URL: setting<RedisAddress | undefined>(
    'A Redis server where several processes share limits and results, redis://user:password@host:6379/0 or rediss://….',
    undefined,
    parseRedisAddress,
  ),
  ASSAY_SMTP_URL: setting<SmtpServer | undefined>(
    'The SMTP server for our mails, smtp://user:password@host:587 or smtps://….',
    undefined,
    parseSmtpAddress,
  ),
  ASSAY_MAIL_FROM: setting<string | undefined>('The address our mails come from.', undefined, email),
  ASSAY_CAREERS: setting<boolean>(
    'Whether applications are delivered to the contact address, on or off.',
    false,
    onOff,
  ),
  ASSAY_GOOGLE_CLIENT_ID: setting<string | undefined>('The client id for signing in by Google.', undefined, word),
  ASSAY_GOOGLE_CLIENT_SECRET: setting<string | undefined>('The secret of that client.', undefined, word),
  ASSAY_GOOGLE_ISSUER: setting<string>(
    'Another OpenID Connect provider in the place of Google.',
    'https://accounts.google.com',
    provider,
  ),
  ASSAY_GITHUB_CLIENT_ID: setting<string | undefined>('The client id for signing in by GitHub.', undefined, word),
  ASSAY_GITHUB_CLIENT_SECRET: setting<string | undefined>('The secret of that client.', undefined, word),
  ASSAY_GITHUB_URL: setting<string>('A GitHub Enterprise Server in the place of GitHub.', 'https://github.com', value =>
    provider(value).replace(/\/$/, ''),
  ),
  ASSAY_ALLOWED_TEST_NETWORKS: setting<readonly string[] | undefined>(
    'Prefixes that may be looked up although they are not public, or none.',
    undefined,
    prefixes,
  ),
}

/** Reads the settings from the environment; throws a SettingError for anything that is unknown or makes no sense. */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  refuseUnknown(environment)
  const read = <T>(name: string, { fallback, read }: Setting<T>): T => {
    const value = environment[name]
    if (value === undefined || value === '') return fallback
    try {
      return read(value)
    } catch (error) {
      throw new SettingError(`${name}: ${error instanceof Error ? error.message : String(error)}.`)
    }
  }
  const clientOf = (name: 'GOOGLE' | 'GITHUB', address: string): ProviderClient | undefined => {
    const [id, secret] = [`ASSAY_${name}_CLIENT_ID`, `ASSAY_${name}_CLIENT_SECRET`] as const
    const [clientId, clientSecret] = [read(id, settingsTable[id]), read(secret, settingsTable[secret])]
    if (clientId && clientSecret) return { clientId, clientSecret, address }
    if (clientId) throw new SettingError(`${secret}: expected the secret of the client, as ${id} is set.`)
    if (clientSecret) throw new SettingError(`${id}: expected the id of the client, as ${secret} is set.`)
    return undefined
  }
  const trusted = read('ASSAY_TRUSTED_PROXIES', settingsTable.ASSAY_TRUSTED_PROXIES)
  const listen = read('ASSAY_LISTEN', settingsTable.ASSAY_LISTEN)
  const contact = read('ASSAY_CONTACT', settingsTable.ASSAY_CONTACT)
  const base = read('ASSAY_BASE_URL', settingsTable.ASSAY_BASE_URL)
  const smtp = read('ASSAY_SMTP_URL', settingsTable.ASSAY_SMTP_URL)
  if (!trusted && environment.NODE_ENV === 'production' && !isLocal(listen)) {
    throw new SettingError(
      'ASSAY_TRUSTED_PROXIES: expected the prefixes of the proxies in front of this server, or "none" when visitors reach it directly; in production on a public address this must be said.',
    )
  }
  if (smtp && !contact) {
    throw new SettingError(
      'ASSAY_CONTACT: expected the e-mail address that gets what visitors write, as ASSAY_SMTP_URL is set.',
    )
  }
  return {
    listen,
    metricsListen: read('ASSAY_METRICS_LISTEN', settingsTable.ASSAY_METRICS_LISTEN),
    brand: read('ASSAY_BRAND', settingsTable.ASSAY_BRAND),
    base,
    root: base ? new URL(base).pathname.replace(/\/$/, '') : '',
    contact,
    authBase: read('ASSAY_AUTH_BASE', settingsTable.ASSAY_AUTH_BASE),
    abuse: read('ASSAY_ABUSE', settingsTable.ASSAY_ABUSE),
    trustedProxies: trusted ?? [],
    testNetworks: read('ASSAY_ALLOWED_TEST_NETWORKS', settingsTable.ASSAY_ALLOWED_TEST_NETWORKS) ?? [],
    optedOut: read('ASSAY_OPTED_OUT', settingsTable.ASSAY_OPTED_OUT),
    trustAnchors: read('ASSAY_TRUST_ANCHORS', settingsTable.ASSAY_TRUST_ANCHORS),
    data: read('ASSAY_DATA', settingsTable.ASSAY_DATA),
    database: read('DATABASE_URL', settingsTable.DATABASE_URL),
    redis: read('REDIS_URL', settingsTable.REDIS_URL),
    smtp,
    mailFrom: read('ASSAY_MAIL_FROM', settingsTable.ASSAY_MAIL_FROM),
    careers: read('ASSAY_CAREERS', settingsTable.ASSAY_CAREERS),
    providers: {
      google: clientOf('GOOGLE', read('ASSAY_GOOGLE_ISSUER', settingsTable.ASSAY_GOOGLE_ISSUER)),
      github: clientOf('GITHUB', read('ASSAY_GITHUB_URL', settingsTable.ASSAY_GITHUB_URL)),
    },
    limits: Object.fromEntries(
      limitNames.map(name => [name, read(limitVariable(name), setting('', defaultLimits[name], positive))]),
    ) as Limits,
  }
}

function refuseUnknown(environment: Readonly<Record<string, string | undefined>>): void {
  const known = new Set([...Object.keys(settingsTable), ...limitNames.map(limitVariable)])
  const unknown = Object.keys(environment).filter(name => name.startsWith('ASSAY_') && !known.has(name))
  if (unknown.length === 0) return
  throw new SettingError(`${unknown.join(', ')}: no such setting. There are ${[...known].join(', ')}.`)
}

const loopback = [parsePrefix('127.0.0.0/8'), parsePrefix('::1/128')]

function isLocal(listen: Listen): boolean {
  return !('host' in listen) || isLoopback(listen.host)
}

function listen(value: string): Listen {
  if (value.startsWith('unix:/')) return { socket: value.slice('unix:'.length) }
  const [, host, port] = /^\[?([^\]]+?)\]?:(\d{1,5})$/.exec(value) ?? []
  if (!host || !findAddress(host) || Number(port) > 65535) {
    throw new RangeError('expected an address and a port such as 127.0.0.1:8080 or [::1]:8080, or unix:/path')
  }
  return { host, port: Number(port) }
}

function line(value: string): string {
  if (/\p{Cc}/u.test(value) || value.length > 60) throw new RangeError('expected at most 60 characters on one line')
  return value
}

/** Letters that stand for themselves in markup, in JSON and in patterns. */
const PATH = /^(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*\/?$/

function publicAddress(value: string): string {
  const url = URL.parse(value)
  if (!url || !/^https?:$/.test(url.protocol) || !PATH.test(url.pathname) || url.search || url.hash || url.username) {
    throw new RangeError('expected an address such as https://assay.example or https://example.com/assay')
  }
  return url.origin + url.pathname.replace(/\/$/, '')
}

function email(value: string): string {
  if (!/^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/.test(value)) throw new RangeError('expected an e-mail address')
  return value
}

function onOff(value: string): boolean {
  if (value !== 'on' && value !== 'off') throw new RangeError('expected on or off')
  return value === 'on'
}

function word(value: string): string {
  if (!/^[\x21-\x7e]{1,500}$/.test(value))
    throw new RangeError('expected the text that the provider gave, without spaces')
  return value
}

/** Plain http is for tests on the same machine only: whoever is on the line could sign in as anybody. */
function provider(value: string): string {
  const url = URL.parse(value)
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))
  if (!url || !isSafe || url.search || url.hash || url.username || url.password)
    throw new RangeError('expected an address such as https://login.example')
  return url.href
}

function isLoopback(host: string): boolean {
  const address = findAddress(host.replace(/^\[|\]$/g, ''))
  return address !== undefined && loopback.some(prefix => contains(prefix, address))
}

function folder(value: string): string {
  if (value.includes('\0')) throw new RangeError('expected the path of a folder')
  return value
}

function database(value: string): string {
  if (!/^postgres(?:ql)?:\/\//.test(value))
    throw new RangeError('expected an address such as postgresql://user@host/name')
  return value
}

function prefixes(value: string): readonly string[] {
  if (value === 'none') return []
  const list = value.split(',').map(prefix => prefix.trim())
  for (const prefix of list) parsePrefix(prefix)
  return list
}

function optedOut(value: string): OptedOut {
  if (value === 'none') return { domains: [], networks: [] }
  const list = value.split(',').map(entry => entry.trim())
  const isNetwork = (entry: string) => entry.includes('/') || findAddress(entry) !== undefined
  return {
    domains: list.filter(entry => !isNetwork(entry)).map(entry => parseDomain(entry).ascii),
    networks: list
      .filter(isNetwork)
      .map(entry =>
        formatPrefix(parsePrefix(entry.includes('/') ? entry : `${entry}/${entry.includes(':') ? 128 : 32}`)),
      ),
  }
}

function positive(value: string): number {
  if (!/^\d{1,12}$/.test(value) || Number(value) === 0) throw new RangeError('expected a whole number above 0')
  return Number(value)
}
