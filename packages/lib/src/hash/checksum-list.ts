import { type Bytes, fromBase64, fromHex } from '../bytes.ts'
import { type StreamHashName, streamHashBytes } from './stream.ts'

/**
 * Checksums as they are published: bare, as the lines of `sha256sum` (GNU coreutils, "cksum output modes"), as the
 * tagged lines of BSD and `sha256sum --tag`, and as the prefixed forms of OCI and of Subresource Integrity.
 */
export interface Checksum {
  hash: Bytes
  form: 'hexadecimal' | 'Base64'
  /** As it was written, such as "SHA256"; undefined where only the length tells. */
  label?: string
  file?: string
}

/** Lists that a distribution publishes stay far below it. */
const MAX_LINES = 100_000

/**
 * Every checksum in a text, one a line. Lines that hold none are passed over, as signed lists have some around them;
 * RangeError when no line holds one.
 */
export function parseChecksums(text: string): Checksum[] {
  const lines = text.split(/\r\n|\n|\r/)
  if (lines.length > MAX_LINES) throw new RangeError(`expected at most ${MAX_LINES} lines, got ${lines.length}`)
  const found = lines.flatMap(line => parseLine(line.trim()) ?? [])
  if (found.length === 0) throw new RangeError('expected a hash in hexadecimal or Base64, or lines as sha256sum prints')
  return found
}

/** `SHA256 (file name) = hash`; the name may hold anything, brackets too. */
const TAGGED = /^(\\?)([A-Za-z][\w/-]*) ?\((.+)\) ?= ?(\S+)$/
/** `hash  name`, with a star before the name of a file read as binary. */
const LISTED = /^(\\?)(\S+)[ \t][ *]?(.+)$/
/** `sha256:hash`, `sha256-hash`, `SHA256=hash`. */
const PREFIXED = /^([A-Za-z][A-Za-z0-9]*(?:[-_/]\d+)?)[:=-](\S+)$/

function parseLine(line: string): Checksum | undefined {
  const [, tagMark, label, tagged, tagHash] = TAGGED.exec(line) ?? []
  if (label !== undefined && tagged !== undefined && tagHash !== undefined) {
    const file = tagMark ? plainName(tagged) : tagged
    return withHash(tagHash, { label, file })
  }
  const bare = parsePrefixed(line)
  if (bare) return bare
  const [, mark, hash, listed] = LISTED.exec(line) ?? []
  if (hash === undefined || listed === undefined) return undefined
  const entry = parsePrefixed(hash)
  return entry && { ...entry, file: mark ? plainName(listed) : listed }
}

function parsePrefixed(word: string): Checksum | undefined {
  const plain = withHash(word, {})
  if (plain) return plain
  const [, label, hash] = PREFIXED.exec(word) ?? []
  return label === undefined || hash === undefined ? undefined : withHash(hash, { label })
}

/** GNU coreutils marks a line whose file name is escaped with a backslash before it. */
const plainName = (name: string) =>
  name.replace(/\\([\\nr])/g, (_, letter: string) => (letter === 'n' ? '\n' : letter === 'r' ? '\r' : '\\'))

/** Bytes of the shortest and the longest checksum there is any use for. */
const [SHORTEST, LONGEST] = [4, 64]

function withHash(word: string, about: Pick<Checksum, 'label' | 'file'>): Checksum | undefined {
  if (/^[0-9a-f]+$/i.test(word) && word.length % 2 === 0) {
    const hash = fromHex(word)
    return fits(hash) ? { hash, form: 'hexadecimal', ...about } : undefined
  }
  // A word is Base64 only if it is as long as a hash of whole 16, 20, 28, 32, 48 or 64 bytes.
  if (!/^[\w+/-]{22,86}={0,2}$/.test(word)) return undefined
  try {
    const hash = fromBase64(word)
    return [16, 20, 28, 32, 48, 64].includes(hash.length) ? { hash, form: 'Base64', ...about } : undefined
  } catch {
    return undefined
  }
}

const fits = ({ length }: Bytes) => length >= SHORTEST && length <= LONGEST

/** The last part of a path of either kind of system. */
export const fileName = (path: string): string => path.replace(/^.*[/\\]/, '')

/** The functions that a checksum can be of: the one it names, else those whose results are as long. */
export function functionsOf({ hash, label }: Checksum): StreamHashName[] {
  const suited = published.filter(name => streamHashBytes[name] === hash.length)
  return label === undefined ? suited : suited.filter(name => spelling(name) === spelling(label))
}

/** What files are published with; MD4 never was. */
const published = (Object.keys(streamHashBytes) as StreamHashName[]).filter(name => name !== 'MD4')

/** SHA256, SHA-256 and sha256 are one; BLAKE2b-512 is the BLAKE2b that b2sum computes. */
const spelling = (name: string) =>
  name
    .toUpperCase()
    .replace(/[-_/]/g, '')
    .replace(/^BLAKE2B512$/, 'BLAKE2B')

/**
 * The checksums of a list that a file has to meet: those under its name, or all that stand without one. A single
 * checksum counts under any name, since a file is often saved under another.
 */
export function checksumsFor(file: string, list: readonly Checksum[]): Checksum[] {
  const named = list.filter(entry => entry.file !== undefined && fileName(entry.file) === fileName(file))
  if (named.length > 0) return named
  return list.length === 1 ? [...list] : list.filter(entry => entry.file === undefined)
}
