import { type Bytes, fromBase64, toBase64 } from '../bytes.ts'

/**
 * Textual encodings of keys and certificates. RFC 7468. Text around the blocks is ignored (§2), white space inside is
 * too, and `\n` written as two characters, as in an environment variable, counts as a line break: none of these can
 * mean anything else. Everything that could is refused with its line.
 */
export interface PemBlock {
  /** What stands between BEGIN and the dashes: CERTIFICATE, PRIVATE KEY. */
  label: string
  bytes: Bytes
  /** The line of its BEGIN, from 1. */
  line: number
  /** Fields before the Base64, which only encrypted keys of RFC 1421 §4.6 have. */
  headers: Readonly<Record<string, string>>
}

const MAX_BLOCKS = 1000

/** Whether a text has the beginning of a block, however broken the rest of it is. */
export const looksLikePem = (text: string): boolean => /--\s?(?:BEGIN|END)\b/.test(text)

/** Every block of a text, in order; RangeError with the line when one of them is broken or there is none. */
export function parsePem(text: string): PemBlock[] {
  const lines = text
    .replaceAll('\\r', '')
    .replaceAll('\\n', '\n')
    .split(/\r\n|\r|\n/)
  const unwrapped = lines.flatMap((line, index) => splitOnBoundaries(line).map(part => ({ part, line: index + 1 })))
  const blocks: PemBlock[] = []
  let open: { label: string; line: number; body: Line[] } | undefined
  for (const { part, line } of unwrapped) {
    const boundary = BOUNDARY.exec(part)
    if (!boundary) {
      if (open) open.body.push({ text: part, line })
      else refuseNearMiss(part, line)
      continue
    }
    const [, kind, label = ''] = boundary
    if (kind === 'BEGIN') {
      if (open) throw new RangeError(missingEnd(open))
      open = { label, line, body: [] }
      continue
    }
    if (!open) throw new RangeError(`line ${line} ends a block of ${label || 'no label'} that no line begins`)
    if (open.label !== label) {
      throw new RangeError(
        `the block on line ${open.line} begins as ${open.label} but ends as ${label} on line ${line}`,
      )
    }
    blocks.push({ label, line: open.line, ...readBody(open) })
    if (blocks.length > MAX_BLOCKS) throw new RangeError(`expected at most ${MAX_BLOCKS} blocks`)
    open = undefined
  }
  if (open) throw new RangeError(missingEnd(open))
  if (!blocks.length) throw new RangeError('there is no line that reads -----BEGIN …-----')
  return blocks
}

interface Line {
  text: string
  line: number
}

/** RFC 7468 §3: the label is printable without hyphens at its ends. */
const BOUNDARY = /^\s*-----(BEGIN|END) ((?:[!-,.-~](?:[- ]?[!-,.-~])*)?)-----\s*$/

/** Boundaries on lines of their own, where a form or a mailer has joined the lines. */
const splitOnBoundaries = (line: string) =>
  line.split(/(-----(?:BEGIN|END) [^-]*(?:-[^-]+)*-----)/).filter((part, index) => index % 2 === 1 || part.trim())

const missingEnd = ({ label, line }: { label: string; line: number }) =>
  `the block that begins on line ${line} has no line that reads -----END ${label}-----`

function refuseNearMiss(text: string, line: number): void {
  if (/[\u2010-\u2015\u2212]\s?BEGIN\b/.test(text)) {
    throw new RangeError(`line ${line} has typographic dashes in place of the five hyphens before BEGIN`)
  }
  if (/-\s?(?:BEGIN|END)\b/.test(text)) {
    throw new RangeError(`line ${line} is not of the form -----BEGIN …-----, with five hyphens on each side`)
  }
}

function readBody({ label, line, body }: { label: string; line: number; body: Line[] }) {
  const headers: Record<string, string> = {}
  let last: string | undefined
  const base64: Line[] = []
  for (const row of body) {
    const header = /^([A-Za-z][A-Za-z0-9-]*):\s*(.*)$/.exec(row.text)
    if (header && !base64.length) {
      last = header[1] ?? ''
      headers[last] = header[2] ?? ''
    } else if (last !== undefined && !base64.length && /^[ \t]+\S/.test(row.text)) {
      headers[last] += row.text.trim()
    } else if (row.text.trim()) base64.push(row)
  }
  for (const row of base64) {
    const wrong = /[^A-Za-z0-9+/=\s]/.exec(row.text)
    if (wrong)
      throw new RangeError(`line ${row.line} has a character that is not Base64, at position ${wrong.index + 1}`)
  }
  if (!base64.length) throw new RangeError(`the block of ${label} on line ${line} is empty`)
  return { bytes: decodeBody(base64.map(row => row.text).join(''), line), headers }
}

function decodeBody(base64: string, line: number): Bytes {
  try {
    return fromBase64(base64)
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    const fault = /padding|left over/.test(cause.message)
      ? 'has the wrong length, as if a part of it were missing'
      : 'does not end on a whole byte, as if a character were missing or changed'
    throw new RangeError(`the Base64 of the block that begins on line ${line} ${fault}`, { cause })
  }
}

/** A block with lines of 64 characters (RFC 7468 §2). */
export function toPem(label: string, bytes: Uint8Array, headers: Readonly<Record<string, string>> = {}): string {
  const body = toBase64(bytes).match(/.{1,64}/g) ?? []
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [
    `-----BEGIN ${label}-----`,
    ...(fields.length ? [...fields, ''] : []),
    ...body,
    `-----END ${label}-----`,
    '',
  ].join('\n')
}
