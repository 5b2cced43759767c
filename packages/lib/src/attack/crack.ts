import { type Bytes, equalBytes, fromHex, toUtf8 } from '../bytes.ts'
import { type RunningHash, runningHash, type StreamHashName } from '../hash/stream.ts'
import { type Candidates, MAX_CANDIDATE_BYTES } from './candidates.ts'
import { inSlices } from './slices.ts'

/** Finding the password behind a hash by trying: what such a hash is worth, shown. */

interface Kind {
  hash: StreamHashName
  bytes: number
  /** Passwords go in as UTF-16 with the low byte first instead of UTF-8. */
  utf16?: true
  /** The hash is hashed once more. */
  twice?: true
}

const kinds = {
  MD5: { hash: 'MD5', bytes: 16 },
  SHA1: { hash: 'SHA-1', bytes: 20 },
  SHA256: { hash: 'SHA-256', bytes: 32 },
  SHA512: { hash: 'SHA-512', bytes: 64 },
  /** MD4 of the password in UTF-16LE. MS-NLMP §3.3.1, NTOWFv1. */
  NTLM: { hash: 'MD4', bytes: 16, utf16: true },
  /** An asterisk and SHA1(SHA1(password)), as `mysql_native_password` keeps it since MySQL 4.1. */
  MySQL: { hash: 'SHA-1', bytes: 20, twice: true },
} as const satisfies Record<string, Kind>

export type HashKind = keyof typeof kinds
export const hashKinds = Object.keys(kinds) as HashKind[]

/** One hash to be cracked and the kinds it can be of. */
export interface Target {
  /** As it was given. */
  text: string
  hash: Bytes
  kinds: HashKind[]
}

export const MAX_TARGETS = 1000

/**
 * Hashes, one a line, in hexadecimal; MySQL's with their asterisk. Without a kind the length decides, and where two
 * kinds are as long both are tried. RangeError that names the line.
 */
export function parseTargets(text: string, kind?: HashKind): Target[] {
  const lines = text.split(/\r\n|\n|\r/).map((line, index) => ({ line: line.trim(), number: index + 1 }))
  const filled = lines.filter(({ line }) => line !== '')
  if (filled.length === 0) throw new RangeError('expected at least one hash in hexadecimal')
  if (filled.length > MAX_TARGETS) throw new RangeError(`expected at most ${MAX_TARGETS} hashes, got ${filled.length}`)
  const targets = new Map<string, Target>()
  for (const { line, number } of filled) {
    const target = parseTarget(line, kind)
    if (!target) throw new RangeError(`line ${number} is no ${kind ?? 'MD5, SHA1, SHA256, SHA512, NTLM or MySQL'} hash`)
    targets.set(target.text.toLowerCase(), target)
  }
  return [...targets.values()]
}

function parseTarget(line: string, kind: HashKind | undefined): Target | undefined {
  const [, star, digits] = /^(\*?)((?:[0-9a-f]{2})+)$/i.exec(line) ?? []
  if (digits === undefined) return undefined
  const hash = fromHex(digits)
  const fitting = (kind ? [kind] : hashKinds).filter(name => {
    if (kinds[name].bytes !== hash.length) return false
    return name === 'MySQL' ? Boolean(star) || kind === 'MySQL' : !star
  })
  return fitting.length > 0 ? { text: line, hash, kinds: fitting } : undefined
}

/** Computes one kind for a candidate in UTF-8. */
export type Hasher = (message: Uint8Array) => Uint8Array

/** The function behind a kind, for many short messages. */
export async function hasherOf(kind: HashKind): Promise<Hasher> {
  const { hash, utf16, twice }: Kind = kinds[kind]
  const running = await runningHash(hash)
  const once = (message: Uint8Array) => hashOnce(running, message)
  if (utf16) return message => once(toUtf16(message))
  return twice ? message => once(once(message)) : once
}

const hashOnce = (running: RunningHash, message: Uint8Array) => running.init().update(message).digest('binary')

const utf16 = new Uint8Array(2 * MAX_CANDIDATE_BYTES)

function toUtf16(message: Uint8Array): Uint8Array {
  let length = 0
  for (const byte of message) {
    if (byte > 127) return utf16Of(toUtf8(message))
    utf16[length] = byte
    utf16[length + 1] = 0
    length += 2
  }
  return utf16.subarray(0, length)
}

function utf16Of(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 2)
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    bytes[2 * i] = unit & 255
    bytes[2 * i + 1] = unit >> 8
  }
  return bytes
}

export interface Cracked {
  target: Target
  kind: HashKind
  password: string
  how: string
  /** Hashes computed until then. */
  tried: number
}

export interface CrackProgress {
  /** Hashes computed: a candidate tried as two kinds counts twice. */
  tried: number
  /** From 0 to 1 of what will be tried at most. */
  progress: number
  found: Cracked[]
  /** Every candidate was tried. */
  exhausted: boolean
}

/** What is hashed along with every password. */
export interface Salt {
  bytes: Uint8Array
  position: 'before' | 'after'
}

/** The hash of a salted candidate, with the salt in its place once for all. */
function salted(hasher: Hasher, { bytes, position }: Salt): Hasher {
  const buffer = new Uint8Array(bytes.length + MAX_CANDIDATE_BYTES)
  if (position === 'before') buffer.set(bytes)
  return message => {
    buffer.set(message, position === 'before' ? bytes.length : 0)
    if (position === 'after') buffer.set(bytes, message.length)
    return hasher(buffer.subarray(0, bytes.length + message.length))
  }
}

/**
 * Tries candidates until every target is found, none is left, or `maxTrials` hashes are computed. Yields after each
 * slice; what it yields is its own object, to be read before the next step.
 */
export async function* crack(
  targets: readonly Target[],
  candidates: Candidates,
  { maxTrials, salt, now }: { maxTrials: number; salt?: Salt | undefined; now: () => number },
): AsyncGenerator<CrackProgress, CrackProgress, void> {
  const open = await Promise.all(
    [...new Set(targets.flatMap(target => target.kinds))].map(kind => search(kind, targets, salt)),
  )
  const left = new Set(targets)
  const buffer = new Uint8Array(MAX_CANDIDATE_BYTES)
  const found: Cracked[] = []
  let tried = 0
  let exhausted = false
  const state = (): CrackProgress => ({
    tried,
    progress: Math.min(1, Math.max(candidates.position() / candidates.total, tried / maxTrials)),
    found: [...found],
    exhausted,
  })
  const trial = (): boolean => {
    const length = candidates.next(buffer)
    exhausted = length < 0
    if (exhausted) return false
    const message = buffer.subarray(0, length)
    for (const { kind, hasher, byStart } of open) {
      if (tried === maxTrials) break
      tried++
      const hash = hasher(message)
      for (const target of byStart.get(start(hash)) ?? []) {
        if (!left.has(target) || !equalBytes(target.hash, hash)) continue
        found.push({ target, kind, password: toUtf8(message), how: candidates.how(), tried })
        left.delete(target)
      }
    }
    return left.size > 0 && tried < maxTrials
  }
  for await (const _ of inSlices(trial, now)) yield state()
  return state()
}

/** The targets of a kind by the first four bytes of their hash. */
async function search(kind: HashKind, targets: readonly Target[], salt: Salt | undefined) {
  const mine = targets.filter(target => target.kinds.includes(kind))
  const hasher = await hasherOf(kind)
  return { kind, hasher: salt ? salted(hasher, salt) : hasher, byStart: Map.groupBy(mine, ({ hash }) => start(hash)) }
}

const start = (hash: Uint8Array) =>
  ((hash[0] ?? 0) << 24) | ((hash[1] ?? 0) << 16) | ((hash[2] ?? 0) << 8) | (hash[3] ?? 0)
