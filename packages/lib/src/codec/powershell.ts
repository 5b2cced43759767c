import { type Bytes, fromBase64, toBase64, toUtf8 } from '../bytes.ts'
import { fromUnits } from './string-literal.ts'

/**
 * The parameter -EncodedCommand of PowerShell: Base64 of UTF-16, lowest byte first. Microsoft, about_PowerShell_exe and
 * about_Pwsh.
 */
export const writeEncodedCommand = (text: string): string => `powershell -EncodedCommand ${toBase64(utf16(text))}`

/** The name may be cut anywhere, with any of the four dashes in front, or a slash. */
const PARAMETER =
  /(?<![A-Za-z0-9+/=])[-/\u2013\u2014\u2015](e[a-z]*)(?:\s*:\s*|\s+)(["']?)([A-Za-z0-9+/]*={0,2})\2(?=["'\s]|$)/gi
const NAMES = ['encodedcommand', 'ec']
/** The same in a script, which says before it what the bytes are. */
const CONVERTED = /FromBase64String\s*\(\s*(["'])([A-Za-z0-9+/=\s]*)\1\s*\)/i

/** The command of a line, of a script that converts it, or of bare Base64. */
export function readEncodedCommand(text: string): string {
  // cmd takes carets out before PowerShell sees the line.
  const line = text.replaceAll('^', '')
  for (const [, name = '', , base64 = ''] of line.matchAll(PARAMETER)) {
    if (NAMES.some(whole => whole.startsWith(name.toLowerCase()))) return fromUtf16(fromBase64(base64))
  }
  const converted = CONVERTED.exec(text)
  if (!converted) {
    if (!/^[A-Za-z0-9+/=\s]*$/.test(line)) {
      throw new RangeError('expected the parameter -EncodedCommand, a call of FromBase64String, or Base64 alone')
    }
    return fromUtf16(fromBase64(line))
  }
  const bytes = fromBase64(converted[2] ?? '')
  return /utf-?8|ascii/i.test(text.slice(0, converted.index)) ? toUtf8(bytes) : fromUtf16(bytes)
}

/** UTF-16, lowest byte first, without a mark. */
export function utf16(text: string): Bytes {
  const bytes = new Uint8Array(2 * text.length)
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    bytes[2 * i] = unit
    bytes[2 * i + 1] = unit >> 8
  }
  return bytes
}

function fromUtf16(bytes: Uint8Array): string {
  if (bytes.length % 2) throw new RangeError(`expected UTF-16, two bytes a unit, got ${bytes.length} bytes`)
  const units = new Uint16Array(bytes.length / 2)
  for (let i = 0; i < units.length; i++) units[i] = (bytes[2 * i] ?? 0) | ((bytes[2 * i + 1] ?? 0) << 8)
  return fromUnits(units)
}
