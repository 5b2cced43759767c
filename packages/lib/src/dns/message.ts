/** DNS messages (RFC 1035 §4) and the resource records in them, between bytes, plain objects and text. */
import { fromHex, toHex } from '../bytes.ts'
import {
  classCode,
  className,
  type Opcode,
  opcodeCode,
  opcodeName,
  type Rcode,
  rcodeCode,
  rcodeName,
  type TypeName,
  typeCode,
  typeName,
} from './codes.ts'
import { EDNS_UDP_SIZE, type Edns, readOptions, writeOptions } from './edns.ts'
import { equalNames, ROOT } from './name.ts'
import type { DataOf, RecordType } from './record.ts'
import { records } from './records.ts'
import type { Tokens } from './tokens.ts'
import { Reader, WireError, Writer } from './wire.ts'

export interface Question {
  name: string
  type: string
  class: string
}

interface RecordFrame {
  /** The owner, absolute, in presentation form. */
  name: string
  /** `IN`, or `CLASS7` for one without a mnemonic. */
  class: string
  ttl: number
  /** The data as bytes, with every name in it uncompressed. */
  rdata: Uint8Array
}

type Known = typeof records

/** A record of a type that `records.ts` declares; `data` is undefined when the bytes are not what the type wants. */
type KnownRecord = { [Type in keyof Known]: RecordFrame & { type: Type; data: DataOf<Known[Type]> | undefined } }

/** A record of any other type, `TYPE65280` when it has no mnemonic. */
interface OpaqueRecord extends RecordFrame {
  type: Exclude<TypeName, keyof Known>
  data: undefined
}

/** Comparing `type` with a mnemonic narrows `data` to the fields of that type. */
export type ResourceRecord = KnownRecord[keyof Known] | OpaqueRecord

/** The data of one type: `RecordData<'MX'>` is `{ preference: number; exchange: string }`. */
export type RecordData<Type extends keyof Known> = DataOf<Known[Type]>

export interface Message {
  id: number
  qr: boolean
  opcode: Opcode
  aa: boolean
  tc: boolean
  rd: boolean
  ra: boolean
  /** The reserved bit, which has to be zero. */
  z: boolean
  ad: boolean
  cd: boolean
  /** With the upper bits that OPT adds (RFC 6891 §6.1.3). */
  rcode: Rcode
  questions: Question[]
  answers: ResourceRecord[]
  authorities: ResourceRecord[]
  /** Without the OPT record, which is `edns`. */
  additionals: ResourceRecord[]
  edns?: Edns
  /** Bytes behind the last record. */
  trailing?: number
  /** Why it was not read to its end, as a rule because the counts promise more than there is. What comes before stands. */
  cut?: string
}

const HEADER_BYTES = 12
/** Records with bad data that are looked into; a message with more is not worth the effort, and its data stays bytes. */
const MAX_MALFORMED = 64

const FLAG = { qr: 0x8000, aa: 0x400, tc: 0x200, rd: 0x100, ra: 0x80, z: 0x40, ad: 0x20, cd: 0x10 } as const

const BY_CODE = new Map<number, RecordType<unknown>>(Object.values(records).map(type => [type.code, type]))

function formatOf(code: number, recordClass: string): RecordType<unknown> | undefined {
  const format = BY_CODE.get(code)
  return format?.internetOnly && recordClass !== 'IN' ? undefined : format
}

/** Records that the answer to one question may have; a zone transfer has more. */
export const MAX_ANSWER_RECORDS = 500

/** Reads the answer to one question. Of one with more records than that, the first ones are there, and `cut` says it. */
export const decodeAnswer = (bytes: Uint8Array): Message => decodeMessage(bytes, MAX_ANSWER_RECORDS)

/** Reads a message. WireError when not even the header is there; what is wrong further on is told in the result. */
export function decodeMessage(bytes: Uint8Array, most = Number.POSITIVE_INFINITY): Message {
  const reader = Reader.message(bytes)
  if (bytes.length < HEADER_BYTES) reader.fail(`a message has a header of ${HEADER_BYTES} bytes, not ${bytes.length}`)
  const id = reader.u16()
  const flags = reader.u16()
  const counts = [reader.u16(), reader.u16(), reader.u16(), reader.u16()] as const
  const message: Message = {
    id,
    qr: (flags & FLAG.qr) !== 0,
    opcode: opcodeName((flags >> 11) & 15),
    aa: (flags & FLAG.aa) !== 0,
    tc: (flags & FLAG.tc) !== 0,
    rd: (flags & FLAG.rd) !== 0,
    ra: (flags & FLAG.ra) !== 0,
    z: (flags & FLAG.z) !== 0,
    ad: (flags & FLAG.ad) !== 0,
    cd: (flags & FLAG.cd) !== 0,
    rcode: rcodeName(flags & 15),
    questions: [],
    answers: [],
    authorities: [],
    additionals: [],
  }
  const section = new SectionReader(reader, message, flags & 15)
  let left = most
  const readAll = (records: ResourceRecord[], count: number) => {
    for (let i = 0; i < count; i++) {
      if (left-- === 0) reader.fail(`more than ${most} records`)
      section.read(records)
    }
  }
  try {
    for (let i = 0; i < counts[0]; i++) message.questions.push(readQuestion(reader))
    readAll(message.answers, counts[1])
    readAll(message.authorities, counts[2])
    readAll(message.additionals, counts[3])
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    message.cut = error.message
    return message
  }
  if (reader.remaining > 0) message.trailing = reader.remaining
  return message
}

function readQuestion(reader: Reader): Question {
  return { name: reader.name(), type: typeName(reader.u16()), class: className(reader.u16()) }
}

/** Reads records of one message, taking the OPT record apart from the others. */
class SectionReader {
  readonly #reader: Reader
  readonly #message: Message
  readonly #rcodeLow: number
  /** Made when the first data with a compressed name is there, which most messages do not have. */
  #writer: Writer | undefined
  #malformed = 0

  constructor(reader: Reader, message: Message, rcodeLow: number) {
    this.#reader = reader
    this.#message = message
    this.#rcodeLow = rcodeLow
  }

  read(section: ResourceRecord[]): void {
    const reader = this.#reader
    const name = reader.name()
    const code = reader.u16()
    const type = typeName(code)
    const classNumber = reader.u16()
    const ttl = reader.u32()
    const rdata = reader.slice(reader.u16())
    // RFC 6891 §6.1.1: one OPT, owned by the root, among the additional records. Any other is left where it is.
    const isOpt = type === 'OPT' && name === ROOT && section === this.#message.additionals
    if (isOpt && !this.#message.edns) this.#readOpt(classNumber, ttl, rdata)
    else section.push(this.#record(code, { name, type, class: className(classNumber), ttl }, rdata))
  }

  #readOpt(udpSize: number, ttl: number, rdata: Reader): void {
    this.#message.rcode = rcodeName((Math.floor(ttl / 0x1000000) << 4) | this.#rcodeLow)
    this.#message.edns = {
      udpSize,
      version: (ttl >> 16) & 0xff,
      do: (ttl & 0x8000) !== 0,
      z: ttl & 0x7fff,
      ...readOptions(rdata),
    }
  }

  #record(code: number, frame: Omit<RecordFrame, 'rdata'> & { type: TypeName }, rdata: Reader): ResourceRecord {
    const start = rdata.offset
    // RFC 2181 §8: a TTL with its highest bit set is zero.
    if (frame.ttl > 0x7fffffff) frame.ttl = 0
    const format = this.#malformed < MAX_MALFORMED ? formatOf(code, frame.class) : undefined
    let data: unknown
    try {
      data = format?.read(rdata)
      if (format) rdata.finish()
      if (format && rdata.compressed) {
        this.#writer ??= Writer.bytes()
        format.write(this.#writer, data)
        const expanded = this.#writer.finish()
        rdata.spend(expanded.length >> 2)
        return assemble(frame, data, expanded)
      }
    } catch (error) {
      if (!(error instanceof WireError)) throw error
      this.#malformed++
      data = undefined
    }
    rdata.offset = start
    return assemble(frame, data, rdata.rest())
  }
}

function assemble(
  frame: Omit<RecordFrame, 'rdata'> & { type: string },
  data: unknown,
  rdata: Uint8Array,
): ResourceRecord {
  // The data was made by the format of this very type, which is what the union says.
  return { ...frame, data, rdata } as ResourceRecord
}

function rdataOf(format: RecordType<unknown>, data: unknown): Uint8Array {
  const writer = Writer.bytes()
  format.write(writer, data)
  return writer.finish()
}

interface Owner {
  name: string
  ttl: number
  class?: string
}

/** A record of a declared type from its fields. */
export function createRecord<Type extends keyof Known>(
  type: Type,
  { name, ttl, class: recordClass = 'IN' }: Owner,
  data: RecordData<Type>,
): KnownRecord[Type] {
  const rdata = rdataOf(records[type], data)
  // Type and data belong together by the signature.
  return { name, type, class: recordClass, ttl, data, rdata } as KnownRecord[Type]
}

/** A record of any type from the bytes of its data; `data` stays undefined when they are not what the type wants. */
export function recordFromBytes(type: string, { name, ttl, class: recordClass = 'IN' }: Owner, rdata: Uint8Array) {
  const frame = { name, type: typeName(typeCode(type)), class: recordClass, ttl }
  const format = formatOf(typeCode(type), recordClass)
  if (!format) return assemble(frame, undefined, rdata)
  try {
    const reader = Reader.bytes(rdata)
    const data = format.read(reader)
    reader.finish()
    return assemble(frame, data, rdata)
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    return assemble(frame, undefined, rdata)
  }
}

/** A record from the text of its data, in the form of its type or in that of RFC 3597 §5 (`\# 4 c0000201`). */
export function recordFromText(type: string, owner: Owner, tokens: Tokens): ResourceRecord {
  const generic = tokens.peek()?.text === '\\#' && !tokens.peek()?.quoted
  const format = formatOf(typeCode(type), owner.class ?? 'IN')
  if (!generic) {
    if (!format) throw new RangeError(`data of type ${type} has to be written as \\# and hexadecimal digits`)
    const data = format.parse(tokens)
    if (!tokens.done) throw new RangeError(`"${tokens.word('nothing')}" stands behind the end of the record`)
    return recordFromBytes(type, owner, rdataOf(format, data))
  }
  tokens.word('\\#')
  const length = tokens.number('a length', 0xffff)
  const digits = tokens.rest().map(token => token.text)
  const rdata = fromHex(digits.join(''))
  if (rdata.length !== length) throw new RangeError(`${length} bytes announced, ${rdata.length} written`)
  return recordFromBytes(type, owner, rdata)
}

/** The data of a record as dig prints it; data that is not understood in the form of RFC 3597 §5. */
export function presentation(record: ResourceRecord): string {
  if (record.data !== undefined) {
    const format: RecordType<unknown> = records[record.type]
    return format.print(record.data)
  }
  return `\\# ${record.rdata.length} ${toHex(record.rdata).toUpperCase()}`.trimEnd()
}

/** A record as one line of a zone file. */
export function recordLine(record: ResourceRecord): string {
  return `${record.name} ${record.ttl} ${record.class} ${record.type} ${presentation(record)}`
}

/**
 * The data in canonical form (RFC 4034 §6.2 as corrected by RFC 6840 §5.1): uncompressed, with the names of the types
 * listed there in lower case.
 */
export function canonicalRdata(record: ResourceRecord): Uint8Array {
  if (record.data === undefined) return record.rdata
  const format: RecordType<unknown> = records[record.type]
  return format.lower ? rdataOf(format, format.lower(record.data)) : record.rdata
}

/** Writes a message. RangeError when something in it does not fit its field. */
export function encodeMessage(message: Message): Uint8Array<ArrayBuffer> {
  const writer = Writer.message()
  const rcode = rcodeCode(message.rcode)
  if (rcode > 15 && !message.edns) throw new RangeError(`${message.rcode} needs EDNS, which carries its upper bits`)
  writer.u16(message.id)
  let flags = (opcodeCode(message.opcode) << 11) | (rcode & 15)
  for (const [name, bit] of Object.entries(FLAG)) if (message[name as keyof typeof FLAG]) flags |= bit
  writer.u16(flags)
  writer.u16(message.questions.length)
  writer.u16(message.answers.length)
  writer.u16(message.authorities.length)
  writer.u16(message.additionals.length + (message.edns ? 1 : 0))
  for (const question of message.questions) {
    writer.name(question.name, 'compress')
    writer.u16(typeCode(question.type))
    writer.u16(classCode(question.class))
  }
  for (const record of [...message.answers, ...message.authorities, ...message.additionals]) writeRecord(writer, record)
  if (message.edns) writeOpt(writer, message.edns, rcode)
  return writer.finish()
}

function writeRecord(writer: Writer, record: ResourceRecord): void {
  writer.name(record.name, 'compress')
  writer.u16(typeCode(record.type))
  writer.u16(classCode(record.class))
  writer.u32(record.ttl)
  writer.counted(() => {
    const format: RecordType<unknown> | undefined = record.data === undefined ? undefined : records[record.type]
    if (format?.compressible) format.write(writer, record.data)
    else writer.bytes(record.rdata)
  })
}

function writeOpt(writer: Writer, edns: Edns, rcode: number): void {
  writer.name(ROOT)
  writer.u16(typeCode('OPT'))
  writer.u16(edns.udpSize)
  writer.u8(rcode >> 4)
  writer.u8(edns.version)
  writer.u16((edns.do ? 0x8000 : 0) | edns.z)
  writer.counted(() => writeOptions(writer, edns.options))
}

interface QueryOptions {
  id: number
  name: string
  type: string
  class?: string
  rd?: boolean
  edns?: Partial<Edns> | 'none'
}

/** A query with one question and, unless told otherwise, with EDNS. */
export function createQuery({
  id,
  name,
  type,
  class: recordClass = 'IN',
  rd = false,
  edns = {},
}: QueryOptions): Message {
  return {
    ...{ id, qr: false, opcode: 'QUERY', aa: false, tc: false, rd, ra: false, z: false, ad: false, cd: false },
    rcode: 'NOERROR',
    questions: [{ name, type, class: recordClass }],
    answers: [],
    authorities: [],
    additionals: [],
    ...(edns !== 'none' && { edns: { udpSize: EDNS_UDP_SIZE, version: 0, do: false, z: 0, options: [], ...edns } }),
  }
}

/** Whether a question comes back as it was asked. Case does not count, though a server that keeps it (0x20) is better. */
export function sameQuestion(a: Question, b: Question): boolean {
  return equalNames(a.name, b.name) && a.type === b.type && a.class === b.class
}
