import { type Bytes, fromBase64, fromUtf8, textOrHex, toBase64 } from '../bytes.ts'
import { decodeHtml } from './html.ts'
import { readCodeList, readJsString, replaceCharCodes, writeBase64Eval, writeCharCodes } from './js-string.ts'
import { readEncodedCommand, writeEncodedCommand } from './powershell.ts'
import {
  escapeJs,
  escapeUnits,
  fromUnits,
  mapUnits,
  readAnsiC,
  unescapeJs,
  unescapeNumbers,
  writeAnsiC,
} from './string-literal.ts'

/** Ways to hide a text in code, and to read it again. Nothing is ever run. */
export const obfuscations = [
  'JS hex escape',
  'JS fromCharCode',
  'unicode escape',
  'reverse',
  'base64-eval',
  'PowerShell -enc',
  'shell ANSI-C',
  'HTML entities',
  'leet',
] as const
export type Obfuscation = (typeof obfuscations)[number]

export interface Deobfuscated {
  text: string
  /** Hexadecimal where the bytes are no text. */
  format: 'UTF-8' | 'Hex'
  remarks: string[]
}

const plain = (text: string, ...remarks: string[]): Deobfuscated => ({ text, format: 'UTF-8', remarks })
const ofBytes = (bytes: Bytes): Deobfuscated => ({ ...textOrHex(bytes), remarks: [] })

const methods: Record<Obfuscation, { write(text: string): string; read(text: string): Deobfuscated }> = {
  'JS hex escape': { write: escapeJs, read: readJs },
  'JS fromCharCode': {
    write: text => writeCharCodes(mapUnits(text, unit => String(unit), ',')),
    read: readCharCodes,
  },
  'unicode escape': { write: escapeUnits, read: text => plain(unescapeNumbers(text)) },
  reverse: { write: reversed, read: text => plain(reversed(text)) },
  'base64-eval': { write: text => writeBase64Eval(text, toBase64(fromUtf8(text))), read: readBase64Eval },
  'PowerShell -enc': { write: writeEncodedCommand, read: text => plain(readEncodedCommand(text)) },
  'shell ANSI-C': { write: writeAnsiC, read: text => ofBytes(readAnsiC(text)) },
  'HTML entities': {
    write: writeReferences,
    read(text) {
      const read = decodeHtml(text, { attribute: false, strict: false })
      return plain(read.text, ...read.remarks)
    },
  },
  leet: {
    write: text => text.replace(/[aeiost]/gi, letter => toLeet[letter.toLowerCase()] ?? letter),
    read: text => plain(text.replace(/[431057@$]/g, digit => fromLeet[digit] ?? digit)),
  },
}

export const obfuscate = (method: Obfuscation, text: string): string => methods[method].write(text)

/** RangeError where the text is not of the method. */
export const deobfuscate = (method: Obfuscation, text: string): Deobfuscated => methods[method].read(text)

/** The table of CyberChef, whose letters keep no case; two signs more are read. */
const toLeet: Readonly<Record<string, string>> = { a: '4', e: '3', i: '1', o: '0', s: '5', t: '7' }
const fromLeet: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(toLeet).map(([letter, digit]) => [digit, letter])),
  '@': 'a',
  $: 's',
}

/** By code points, so that no character outside the first plane is torn. */
function reversed(text: string): string {
  const units = new Uint16Array(text.length)
  for (let i = text.length - 1, at = 0; i >= 0; i--) {
    const unit = text.charCodeAt(i)
    if ((unit & 0xfc00) === 0xdc00 && (text.charCodeAt(i - 1) & 0xfc00) === 0xd800) units[at++] = text.charCodeAt(--i)
    units[at++] = unit
  }
  return fromUnits(units)
}

/** HTML §13.2.5.80: numbers from 80 to 9F are read as Windows-1252, so these characters stay. */
function writeReferences(text: string): string {
  const nul = text.indexOf('\0')
  if (nul >= 0) throw new RangeError(`character ${nul + 1} is NUL, which HTML has no reference to`)
  const write = (unit: number, i: number) => {
    if ((unit & 0xfc00) === 0xdc00) return ''
    const point = text.codePointAt(i) ?? unit
    return point >= 0x80 && point <= 0x9f ? String.fromCharCode(point) : `&#x${point.toString(16)};`
  }
  return mapUnits(text, write)
}

const runRemark = (runs: readonly string[]): string[] =>
  runs.length ? [`The code would run this by ${runs.join(' and ')}; here it was only read.`] : []

/** An expression, or escapes anywhere in a text. */
function readJs(text: string): Deobfuscated {
  const expression = readJsString(text)
  return expression ? plain(expression.text, ...runRemark(expression.runs)) : plain(unescapeJs(text))
}

function readCharCodes(text: string): Deobfuscated {
  const expression = readJsString(text)
  if (expression) return plain(expression.text, ...runRemark(expression.runs))
  const list = readCodeList(text)
  if (list !== undefined) return plain(list)
  const replaced = replaceCharCodes(text)
  if (!replaced.count) throw new RangeError('expected a call of String.fromCharCode or its numbers')
  const calls = replaced.count === 1 ? 'One call was' : `${replaced.count} calls were`
  return plain(replaced.text, `${calls} replaced by the string; the code around is as it was.`)
}

/** Functions that take Base64, in JavaScript, PHP, Python, Ruby and .NET. */
const CALL =
  /(?:base64_decode|b64decode|decode64|atob|FromBase64String|Buffer\s*\.\s*from|Base64\s*\.\s*decode\w*)\s*\(\s*b?(["'`])([A-Za-z0-9+/=_\s-]*)\1/i
/** echo ... | base64 -d, and base64 -d <<< ... */
const PIPE =
  /(?:echo|printf)\s+(?:-\w+\s+|%s\s+)?(["']?)([A-Za-z0-9+/=]+)\1\s*\|\s*(?:openssl\s+)?base64\s+(?:-d|-D|--decode)/
const HERE = /base64\s+(?:-d|-D|--decode)\s*<<<\s*(["']?)([A-Za-z0-9+/=]+)\1/
const DATA_URL = /data:[\w.+/;=-]*;base64,()([A-Za-z0-9+/=_-]+)/i

function readBase64Eval(text: string): Deobfuscated {
  const expression = readJsString(text)
  if (expression?.runs.length || (expression && /^\s*\(*\s*(?:window\s*\.\s*)?atob/.test(text))) {
    return plain(expression.text, ...runRemark(expression.runs))
  }
  // What is left of a quoted string is Base64 too.
  const source = expression?.text ?? text
  const base64 = [CALL, PIPE, HERE, DATA_URL]
    .map(pattern => pattern.exec(source)?.[2])
    .find(found => found !== undefined)
  return ofBytes(fromBase64(base64 ?? source))
}
