import { type Example, field, mono, panel, printf, type Terminal, tool } from '@assay/kit'
import { type CrcParameters, crc, crc16Rows, crc32Rows, posixCksum } from '@assay/lib/hash/crc'
import { byteCount, MAX_COMMAND_BYTES } from './command.ts'

interface CrcTool<Name extends string> {
  id: string
  title: string
  summary: string
  keywords: readonly string[]
  specs: readonly string[]
  caution: string
  rows: Readonly<Record<Name, CrcParameters>>
  /** What else a row is called, by the same catalogue. */
  aliases: Partial<Record<Name, string>>
  /** What a program that takes other bytes as well prints, under its own label. */
  also?: Partial<Record<Name, { label: string; value(message: Uint8Array): number }>>
  /** A program that reads standard input, and what of the result it prints. */
  programs?: Partial<Record<Name, { command: string; prints(result: CrcResult): string }>>
  examples: readonly Example[]
}

interface CrcResult {
  checksum: string
  decimal: string
  algorithm: string
  input_bytes: number
  /** The number of a program that counts more than the message, such as `cksum` with its length. */
  also?: number
}

/** A tool for the CRCs of one width, each of which is a row of parameters. */
export function crcTool<Name extends string>({
  rows,
  aliases,
  also = {},
  programs = {},
  examples,
  ...head
}: CrcTool<Name>) {
  return tool({
    ...head,
    path: head.id,
    category: 'hash-generators-and-checksum',
    runs: 'anywhere',
    fields: {
      input_text: field.bytes('Text', { placeholder: 'Text to check' }),
      algorithm: field.choice('Algorithm', Object.keys(rows) as Name[]),
    },
    run({ input_text, algorithm }): CrcResult {
      const parameters = rows[algorithm]
      const value = crc(parameters, input_text)
      const extra = also[algorithm]?.value(input_text)
      return {
        checksum: paddedHex(value, parameters.width),
        decimal: String(value),
        algorithm,
        input_bytes: input_text.length,
        ...(extra !== undefined && { also: extra }),
      }
    },
    show({ checksum, decimal, input_bytes, also: extra }, { algorithm }) {
      const { width, poly, init, refin, refout, xorout, check } = rows[algorithm]
      const hex = (value: bigint) => mono(`0x${paddedHex(value, width)}`)
      const label = also[algorithm]?.label
      const alias = aliases[algorithm]
      return [
        panel.facts([
          ['Checksum', mono(checksum)],
          ['As a number', mono(decimal)],
          ...(label && extra !== undefined ? [[label, mono(extra)] as const] : []),
          ['Input', byteCount(input_bytes)],
        ]),
        panel.facts(
          [
            ['Width', `${width} bits`],
            ['Polynomial', hex(poly)],
            ['Initial value', hex(init)],
            ['Input reflected', refin ? 'yes' : 'no'],
            ['Output reflected', refout ? 'yes' : 'no'],
            ['Final XOR', hex(xorout)],
            ['Check of "123456789"', hex(check)],
            ...(alias ? [['Also called', alias] as const] : []),
          ],
          algorithm,
        ),
      ]
    },
    terminal({ input_text, algorithm }, result): Terminal | undefined {
      const program = programs[algorithm]
      if (!program || input_text.length > MAX_COMMAND_BYTES) return undefined
      return { command: `${printf(input_text)} | ${program.command}`, prints: program.prints(result) }
    },
    examples,
  })
}

const paddedHex = (value: bigint, width: number) => value.toString(16).padStart(Math.ceil(width / 4), '0')

/** Seven checks of 32 bits, by the parameters of the CRC RevEng catalogue. */
export const crc32 = crcTool({
  id: 'crc32',
  title: 'CRC-32 Checksum',
  summary: 'The CRC-32 of a text or of bytes, as in ZIP, PNG and Ethernet, and six relatives.',
  keywords: [
    'crc',
    'cyclic redundancy check',
    'checksum',
    'zip',
    'png',
    'ethernet',
    'castagnoli',
    'cksum',
    'iscsi',
    'crc-32/xz',
    'pkzip',
  ],
  specs: ['CRC RevEng catalogue', 'RFC 1952', 'RFC 3720', 'POSIX.1-2017 cksum'],
  caution:
    'A CRC finds accidents and not attacks: anyone can alter a message and keep its CRC, so use HMAC or SHA-256 there.',
  rows: {
    'CRC-32/ISO-HDLC': crc32Rows['CRC-32/ISO-HDLC'],
    'CRC-32C': crc32Rows['CRC-32/ISCSI'],
    'CRC-32/BZIP2': crc32Rows['CRC-32/BZIP2'],
    'CRC-32/MPEG-2': crc32Rows['CRC-32/MPEG-2'],
    'CRC-32/POSIX': crc32Rows['CRC-32/CKSUM'],
    'CRC-32/JAMCRC': crc32Rows['CRC-32/JAMCRC'],
    'CRC-32/XFER': crc32Rows['CRC-32/XFER'],
  },
  aliases: {
    'CRC-32/ISO-HDLC': 'CRC-32, CRC-32/ADCCP, CRC-32/V-42, CRC-32/XZ, PKZIP',
    'CRC-32C': 'CRC-32/ISCSI, CRC-32/BASE91-C, CRC-32/CASTAGNOLI, CRC-32/INTERLAKEN, CRC-32/NVME',
    'CRC-32/BZIP2': 'CRC-32/AAL5, CRC-32/DECT-B, B-CRC-32',
    'CRC-32/POSIX': 'CRC-32/CKSUM',
  },
  also: { 'CRC-32/POSIX': { label: 'With its length, as cksum prints it', value: posixCksum } },
  programs: {
    // A gzip stream ends with the CRC and the length, four bytes each, lowest first (RFC 1952 §2.3).
    'CRC-32/ISO-HDLC': {
      command: 'gzip -c | tail -c8 | od -An -N4 --endian=little -tx4',
      prints: ({ checksum }) => checksum,
    },
    'CRC-32/POSIX': { command: 'cksum', prints: ({ also, input_bytes }) => `${also} ${input_bytes}` },
  },
  examples: [
    {
      from: 'CRC RevEng catalogue, CRC-32/ISO-HDLC',
      input: { input_text: '123456789' },
      result: { checksum: 'cbf43926', decimal: '3421780262' },
    },
    {
      from: 'RFC 3720 §B.4',
      title: '32 bytes of zeros',
      input: { input_text: '00'.repeat(32), input_format: 'Hex', algorithm: 'CRC-32C' },
      result: { checksum: '8a9136aa' },
    },
    {
      from: 'CRC RevEng catalogue, CRC-32/CKSUM',
      input: { input_text: '123456789', algorithm: 'CRC-32/POSIX' },
      result: { checksum: '765e7680' },
    },
    {
      from: 'CRC RevEng catalogue, CRC-32/XFER',
      input: { input_text: '123456789', algorithm: 'CRC-32/XFER' },
      result: { checksum: 'bd0be338' },
    },
  ],
})

/** The checks of 16 bits in the CRC RevEng catalogue: the eight that are met most, then the others. */
export const crc16 = crcTool({
  id: 'crc16',
  title: 'CRC-16 Checksum',
  summary: 'The CRC-16 of a text or of bytes by any of 31 conventions, from Modbus and USB to XMODEM and X.25.',
  keywords: [
    'crc',
    'crc-16',
    'modbus',
    'ccitt',
    'xmodem',
    'kermit',
    'x.25',
    'usb',
    'dnp3',
    'checksum',
    'crc16-ibm',
    'ccitt-false',
    'aug-ccitt',
    'zmodem',
    'bluetooth',
    'buypass',
    'epc',
  ],
  specs: ['CRC RevEng catalogue', 'ITU-T V.41', 'ITU-T X.25', 'Modbus over serial line'],
  caution:
    'A CRC finds accidents and not attacks: anyone can alter a message and keep its CRC, so use HMAC or SHA-256 there.',
  rows: crc16Rows,
  aliases: {
    'CRC-16/ARC': 'CRC-16, CRC-16/LHA, CRC-IBM',
    'CRC-16/DECT-R': 'R-CRC-16',
    'CRC-16/DECT-X': 'X-CRC-16',
    'CRC-16/GENIBUS': 'CRC-16/DARC, CRC-16/EPC, CRC-16/EPC-C1G2, CRC-16/I-CODE',
    'CRC-16/IBM-3740': 'CRC-16/AUTOSAR, CRC-16/CCITT-FALSE',
    'CRC-16/ISO-IEC-14443-3-A': 'CRC-A',
    'CRC-16/KERMIT': 'CRC-16/BLUETOOTH, CRC-16/CCITT, CRC-16/CCITT-TRUE, CRC-16/V-41-LSB, CRC-CCITT',
    'CRC-16/MAXIM-DOW': 'CRC-16/MAXIM',
    'CRC-16/PROFIBUS': 'CRC-16/IEC-61158-2',
    'CRC-16/SPI-FUJITSU': 'CRC-16/AUG-CCITT',
    'CRC-16/UMTS': 'CRC-16/BUYPASS, CRC-16/VERIFONE',
    'CRC-16/X-25': 'CRC-16/IBM-SDLC, CRC-16/ISO-HDLC, CRC-16/ISO-IEC-14443-3-B, CRC-B',
    'CRC-16/XMODEM': 'CRC-16/ACORN, CRC-16/LTE, CRC-16/V-41-MSB, ZMODEM',
  },
  programs: {
    'CRC-16/XMODEM': hqx(0),
    'CRC-16/IBM-3740': hqx(0xffff),
    'CRC-16/SPI-FUJITSU': hqx(0x1d0f),
  },
  examples: [
    {
      from: 'CRC RevEng catalogue, CRC-16/ARC',
      input: { input_text: '123456789' },
      result: { checksum: 'bb3d', decimal: '47933' },
    },
    {
      from: 'CRC RevEng catalogue, CRC-16/XMODEM',
      input: { input_text: '123456789', algorithm: 'CRC-16/XMODEM' },
      result: { checksum: '31c3' },
    },
    {
      from: 'CRC RevEng catalogue, CRC-16/MODBUS',
      input: { input_text: '123456789', algorithm: 'CRC-16/MODBUS' },
      result: { checksum: '4b37' },
    },
    {
      from: 'CRC RevEng catalogue, CRC-16/IBM-3740',
      title: 'What is often called CRC-CCITT',
      input: { input_text: '123456789', algorithm: 'CRC-16/IBM-3740' },
      result: { checksum: '29b1' },
    },
  ],
})

/** Python's CRC of BinHex, whose register starts where it is told. */
function hqx(init: number) {
  const program = `import sys, binascii; print("%04x" % binascii.crc_hqx(sys.stdin.buffer.read(), ${init}))`
  return { command: `python3 -c '${program}'`, prints: ({ checksum }: CrcResult) => checksum }
}
