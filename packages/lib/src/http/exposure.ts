/**
 * Files and pages that should not be open, each with what proves that it is the real thing. A status of 200 proves
 * nothing: many sites answer so for every path.
 */

import { type Answer, textOf, valuesOf } from './response.ts'

export interface Exposure {
  path: string
  description: string
  /** The piece of the answer that proves it, or undefined. */
  proof(answer: Answer): string | undefined
}

const SHOWN_CHARACTERS = 80

/** The first match of a pattern in the text. */
const says =
  (pattern: RegExp) =>
  (answer: Answer): string | undefined =>
    pattern.exec(textOf(answer))?.[0].trim().slice(0, SHOWN_CHARACTERS)

const startsWith =
  (bytes: readonly number[], words: string) =>
  ({ body }: Answer): string | undefined =>
    bytes.every((byte, i) => body[i] === byte) ? words : undefined

/** The values of a settings file are secrets: of each line only the name is told. */
function settingNames(answer: Answer): string | undefined {
  const text = textOf(answer)
  if (/^\s*</.test(text)) return undefined
  const names = [...text.matchAll(/^(?:export )?([A-Z][A-Z0-9_]{2,})=/gm)].map(([, name]) => name)
  return names.length ? `${names.slice(0, 3).join(', ')} …`.slice(0, SHOWN_CHARACTERS) : undefined
}

/** Spring Boot Reference, "Endpoints": links in the format of HAL. */
function actuatorLinks(answer: Answer): string | undefined {
  const links = fieldOf(answer, '_links')
  return typeof links === 'object' && links !== null && 'self' in links ? '_links.self' : undefined
}

function fieldOf(answer: Answer, name: string): unknown {
  try {
    const value: unknown = JSON.parse(textOf(answer))
    return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
      ? Object.entries(value).find(([key]) => key === name)?.[1]
      : undefined
  } catch {
    // What is no JSON is no answer of that program.
    return undefined
  }
}

/** The titles that Apache, nginx, lighttpd, Python's http.server and IIS give to listings. */
const listing = says(
  /<title>\s*(?:Index of \/|Directory listing for \/)[^<]*<\/title>|<pre><A HREF="[^"]*">\[To Parent Directory\]/i,
)

const phpInfo = says(/<title>(?:PHP [\d.]+ - )?phpinfo\(\)<\/title>/)

/** What is asked for, harmless to everybody. */
export const exposures: readonly Exposure[] = [
  {
    path: '/.git/HEAD',
    description: 'The Git repository is open: the whole source and its history can be downloaded',
    proof: says(/^ref: refs\/[\x21-\x7e]+\s*$/),
  },
  {
    path: '/.env',
    description: 'The settings file is open, usually with passwords and keys',
    proof: settingNames,
  },
  {
    path: '/.svn/wc.db',
    description: 'The Subversion working copy is open: the source can be downloaded',
    proof: startsWith(
      [...'SQLite format 3\0'].map(character => character.charCodeAt(0)),
      'SQLite format 3',
    ),
  },
  {
    path: '/.htpasswd',
    description: 'The password file is open',
    proof: answer => (/^[^\s:<]+:(?:\$(?:apr1|2[aby]|[156])\$|\{SHA\})/.test(textOf(answer)) ? 'user:hash' : undefined),
  },
  {
    path: '/.DS_Store',
    description: "A folder's .DS_Store is open and lists the names of files",
    proof: startsWith([0, 0, 0, 1, 0x42, 0x75, 0x64, 0x31], 'Bud1'),
  },
  {
    path: '/backup.sql',
    description: 'A dump of the database is open',
    proof: says(/^-- (?:MySQL|MariaDB) dump[^\n]*|^--\s+-- PostgreSQL database dump/m),
  },
  {
    path: '/server-status',
    description: 'The status page of the web server is open and shows requests of others',
    proof: says(/Apache Server Status|^Active connections: \d+/m),
  },
  { path: '/phpinfo.php', description: 'phpinfo() is open and shows the configuration of PHP', proof: phpInfo },
  { path: '/info.php', description: 'phpinfo() is open and shows the configuration of PHP', proof: phpInfo },
  {
    path: '/actuator',
    description: 'The management pages of a Spring application are open',
    proof: actuatorLinks,
  },
  {
    path: '/actuator/env',
    description: 'The environment of a Spring application is open',
    proof: answer => (Array.isArray(fieldOf(answer, 'propertySources')) ? 'propertySources' : undefined),
  },
  { path: '/backup/', description: 'The folder lists its files', proof: listing },
  { path: '/uploads/', description: 'The folder lists its files', proof: listing },
  { path: '/files/', description: 'The folder lists its files', proof: listing },
]

/** The listing of the start page itself, which needs no request of its own. */
export const openRoot: Exposure = {
  path: '/',
  description: 'The start page lists the files of the site',
  proof: listing,
}

/** What proves that the path is open; nothing when an invented path gets the same, or a login answers instead. */
export function provenExposure({ proof }: Exposure, answer: Answer, invented: Answer | undefined): string | undefined {
  if (answer.status !== 200) return undefined
  if (invented?.status === 200 && proof(invented) !== undefined) return undefined
  return proof(answer)
}

/**
 * RFC 9110 §9.3.8: TRACE sends back the request as received. The token is a header that only an echo can contain; a
 * page that happens to show headers is no echo, so the media type must be message/http.
 */
export function echoes(answer: Answer, token: string): boolean {
  const [type = ''] = valuesOf(answer, 'content-type')
  return answer.status === 200 && /^message\/http\b/i.test(type.trim()) && textOf(answer).includes(token)
}
