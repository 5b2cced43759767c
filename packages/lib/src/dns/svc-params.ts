/**
 * The parameters of SVCB and HTTPS records (RFC 9460 §2.1, §2.2, §7, appendix A), by declaration: each key is a part.
 * The value is an object with the keys in wire order, which is ascending; keys without a meaning here are `keyNNN`.
 */
import { fromBase64, fromLatin1, fromUtf8, toBase64, toLatin1, toUtf8 } from '../bytes.ts'
import { parseIpv4, parseIpv6, printIpv4, printIpv6 } from './address.ts'
import type { Part } from './record.ts'
import { escapeText, unescapeText } from './tokens.ts'
import type { Reader, Writer } from './wire.ts'

export interface SvcParams {
  /** Keys that a client must understand to use the record. */
  mandatory?: string[]
  alpn?: string[]
  'no-default-alpn'?: true
  port?: number
  ipv4hint?: string[]
  ech?: Uint8Array
  ipv6hint?: string[]
  /** The path template of DNS over HTTPS (RFC 9461 §5). */
  dohpath?: string
  [key: `key${number}`]: Uint8Array
}

/** How the value of one key is read, written and printed. The text is that behind the equals sign, unescaped. */
interface Param<T> {
  code: number
  read(reader: Reader): T
  write(writer: Writer, value: T): void
  print(value: T): string
  parse(text: string): T
}

type Params = { [Key in Exclude<keyof SvcParams, `key${number}`>]-?: Param<NonNullable<SvcParams[Key]>> }

const addressList = (
  code: number,
  length: number,
  print: (bytes: Uint8Array) => string,
  parse: (text: string) => Uint8Array,
): Param<string[]> => ({
  code,
  read: reader => many(reader, () => print(reader.bytes(length))),
  write(writer, value) {
    for (const address of value) writer.bytes(parse(address))
  },
  print: value => value.join(','),
  parse: text => text.split(',').map(address => print(parse(address))),
})

const PARAMS: Params = {
  mandatory: {
    code: 0,
    read: reader => ascending(many(reader, () => reader.u16())).map(keyName),
    write(writer, value) {
      for (const code of ascending(value.map(keyCode).sort((a, b) => a - b))) writer.u16(code)
    },
    print: value => value.join(','),
    parse: text =>
      ascending(
        text
          .split(',')
          .map(keyCode)
          .sort((a, b) => a - b),
      ).map(keyName),
  },
  alpn: {
    code: 1,
    read: reader => many(reader, () => notEmpty(reader.latin1(reader.u8()))),
    write(writer, value) {
      for (const id of value) {
        writer.u8(notEmpty(id).length)
        writer.bytes(fromLatin1(id))
      }
    },
    // Appendix A.1: commas and backslashes are escaped once for the list, and the whole again as a text.
    print: value => `"${escapeText(value.map(id => id.replace(/[\\,]/g, '\\$&')).join(','))}"`,
    parse: text => splitList(text).map(notEmpty),
  },
  'no-default-alpn': {
    code: 2,
    read(reader) {
      reader.finish()
      return true
    },
    write() {},
    print: () => '',
    parse(text) {
      if (text !== '') throw new RangeError('no-default-alpn takes no value')
      return true
    },
  },
  port: {
    code: 3,
    read: reader => reader.u16(),
    write: (writer, value) => writer.u16(value),
    print: String,
    parse(text) {
      if (!/^\d{1,5}$/.test(text) || Number(text) > 0xffff) throw new RangeError(`"${text}" is not a port`)
      return Number(text)
    },
  },
  ipv4hint: addressList(4, 4, printIpv4, parseIpv4),
  ech: {
    code: 5,
    read: reader => reader.rest(),
    write: (writer, value) => writer.bytes(value),
    print: toBase64,
    parse: fromBase64,
  },
  ipv6hint: addressList(6, 16, printIpv6, parseIpv6),
  dohpath: {
    code: 7,
    read: reader => toUtf8(reader.rest()),
    write: (writer, value) => writer.bytes(fromUtf8(value)),
    print: value => `"${escapeText(toLatin1(fromUtf8(value)))}"`,
    parse: text => toUtf8(fromLatin1(text)),
  },
}

const unknown = (code: number): Param<Uint8Array> => ({
  code,
  read: reader => reader.rest(),
  write: (writer, value) => writer.bytes(value),
  print: value => (value.length === 0 ? '' : `"${escapeText(toLatin1(value))}"`),
  parse: fromLatin1,
})

const NAMES = new Map(Object.entries(PARAMS).map(([name, param]) => [param.code, name]))
const KEYS = new Map<string, Param<unknown>>(Object.entries(PARAMS))

const keyName = (code: number): string => NAMES.get(code) ?? `key${code}`

function keyCode(name: string): number {
  const known = KEYS.get(name)
  if (known) return known.code
  const code = /^key(\d{1,5})$/.test(name) ? Number(name.slice(3)) : Number.NaN
  if (!(code <= 0xffff)) throw new RangeError(`"${name}" is not a key of service parameters`)
  return code
}

const paramOf = (code: number): Param<unknown> => KEYS.get(keyName(code)) ?? unknown(code)

export const svcParams: Part<SvcParams> = {
  read(reader) {
    const params: Record<string, unknown> = {}
    let last = -1
    while (reader.remaining > 0) {
      reader.spend(16)
      const code = reader.u16()
      if (code <= last) reader.fail(`key ${code} stands behind key ${last}`)
      last = code
      const value = reader.slice(reader.u16())
      try {
        params[keyName(code)] = paramOf(code).read(value)
      } catch (cause) {
        reader.fail(`the value of ${keyName(code)} is wrong: ${cause instanceof Error ? cause.message : cause}`)
      }
      value.finish()
    }
    const problem = inconsistency(params)
    if (problem) reader.fail(problem)
    // Every key was read by its own param, which is what SvcParams says.
    return params as SvcParams
  },

  write(writer, params) {
    for (const [name, value] of inWireOrder(params)) {
      const code = keyCode(name)
      writer.u16(code)
      writer.counted(() => paramOf(code).write(writer, value))
    }
  },

  print: params =>
    inWireOrder(params)
      .map(([name, value]) => {
        const text = paramOf(keyCode(name)).print(value)
        return text === '' ? name : `${name}=${text}`
      })
      .join(' '),

  parse(tokens) {
    const params: Record<string, unknown> = {}
    for (const token of tokens.rest()) {
      const [, key = '', quoted, bare = ''] = /^([^=]*)(?:="(.*)"|=(.*))?$/s.exec(token.text) ?? []
      const code = keyCode(key)
      if (Object.hasOwn(params, keyName(code))) throw new RangeError(`${key} is given twice`)
      params[keyName(code)] = paramOf(code).parse(unescapeText(quoted ?? bare))
    }
    const problem = inconsistency(params)
    if (problem) throw new RangeError(problem)
    // Every key was parsed by its own param, which is what SvcParams says.
    return Object.fromEntries(inWireOrder(params)) as SvcParams
  },
}

function inWireOrder(params: object): [string, unknown][] {
  return Object.entries(params).sort(([a], [b]) => keyCode(a) - keyCode(b))
}

function many<T>(reader: Reader, read: () => T): T[] {
  const values: T[] = [read()]
  while (reader.remaining > 0) values.push(read())
  return values
}

function notEmpty(id: string): string {
  if (id === '') throw new RangeError('an ALPN id is not empty')
  return id
}

function ascending(codes: number[]): number[] {
  if (!codes.every((code, i) => i === 0 || code > (codes[i - 1] ?? 0))) throw new RangeError('keys must ascend')
  return codes
}

/** Appendix A.1: values between commas; a backslash takes the next character as it is. */
function splitList(text: string): string[] {
  const items = ['']
  for (let i = 0; i < text.length; i++) {
    const character = text.charAt(i)
    if (character === ',') items.push('')
    else items.push((items.pop() ?? '') + (character === '\\' ? text.charAt(++i) : character))
  }
  return items
}

/** §8: mandatory keys are there and are not `mandatory` itself. §7.1.1: no-default-alpn needs alpn. */
function inconsistency(params: Record<string, unknown>): string | undefined {
  const mandatory = Array.isArray(params.mandatory) ? params.mandatory : []
  if (mandatory.includes('mandatory')) return 'mandatory does not name itself'
  const missing = mandatory.find(key => !Object.hasOwn(params, key))
  if (missing !== undefined) return `${missing} is mandatory but missing`
  return params['no-default-alpn'] && !params.alpn ? 'no-default-alpn stands without alpn' : undefined
}
