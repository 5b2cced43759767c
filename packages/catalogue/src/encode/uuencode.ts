import { type Example, explain, field, printf, sh, type Tool } from '@assay/kit'
import { fromUtf8 } from '@assay/lib/bytes'
import {
  checkFilename,
  checkMode,
  decodeLines,
  encodeLines,
  type LineCode,
  MAX_FILENAME,
} from '@assay/lib/codec/uuencode'
import { codec } from './codec.ts'

const filename = field.text('File name', {
  default: 'file.txt',
  maxLength: MAX_FILENAME,
  help: 'Written into the first line.',
})

const mode = field.text('Mode', { default: '644', maxLength: 4, help: 'Permissions in octal, as chmod takes them.' })
/** xxencode has no field for it. */
const USUAL_MODE = '644'

interface Row {
  id: LineCode
  name: string
  title: string
  summary: string
  keywords: readonly string[]
  specs: readonly string[]
  withMode: boolean
  encoded: readonly Example[]
  decoded: readonly Example[]
}

/** uuencode and xxencode differ in their alphabet, and in that people ask for the mode of only one. */
function lineCodec({ id, name, withMode, encoded, decoded, ...head }: Row): Tool {
  return codec({
    ...head,
    id,
    name,
    file: true,
    encode: {
      fields: { filename, ...(withMode && { mode }) },
      write(bytes, input) {
        const { filename, mode = USUAL_MODE } = input as { filename: string; mode?: string }
        explain('filename', 'File name', () => checkFilename(filename))
        explain('mode', 'Mode', () => checkMode(mode))
        return encodeLines(bytes, id, { filename, mode })
      },
      terminal(bytes, input) {
        const { filename, mode = USUAL_MODE } = input as { filename: string; mode?: string }
        // The program takes the mode from its umask, and xxencode is in no distribution.
        const name = filename.startsWith('-') ? undefined : filename
        return withMode && name && mode === USUAL_MODE ? `${printf(bytes)} | ${sh`uuencode ${name}`}` : undefined
      },
      examples: encoded,
    },
    decode: {
      fields: {
        strict: field.flag('Strict', {
          help: 'Refuse all that the encoder would not write, such as lines before and after the file.',
        }),
      },
      read(text, { strict }) {
        const { bytes, head, remarks } = decodeLines(text, id, strict)
        return { bytes, remarks, details: { ...head } }
      },
      terminal: text =>
        withMode && /^begin /.test(text) ? `${printf(fromUtf8(text))} | ${sh`uudecode -o /dev/stdout`}` : undefined,
      examples: decoded,
    },
  })
}

const ADDRESS = 'http://www.wikipedia.org\r\n'
const UU_ADDRESS = "begin 644 wikipedia-url.txt\n::'1T<#HO+W=W=RYW:6MI<&5D:6$N;W)G#0H`\n`\nend\n"
const XX_ADDRESS = 'begin 644 wikipedia-url.txt\nOO5FoQ1cj9rRrRmtrOKhdQ4JYOK2iPr7b1Ec+\n+\nend\n'
const details = { filename: 'wikipedia-url.txt', mode: '644' }

/** Files as lines of text. POSIX, uuencode. */
export const uuencode = lineCodec({
  id: 'uuencode',
  name: 'UU',
  title: 'UUencode / UUdecode',
  summary: 'Carry a file with its name through text in lines, as Unix mail and newsgroups did before MIME.',
  keywords: ['uuencoding', 'uudecode', 'unix to unix', 'usenet', 'begin 644', 'begin-base64'],
  specs: ['POSIX uuencode'],
  withMode: true,
  encoded: [
    {
      from: 'uuencode of GNU sharutils',
      input: { input_text: 'Cat', filename: 'cat.txt' },
      result: { encoded: 'begin 644 cat.txt\n#0V%T\n`\nend\n' },
    },
    {
      from: 'Wikipedia, Uuencoding',
      input: { input_text: ADDRESS, filename: 'wikipedia-url.txt' },
      result: { encoded: UU_ADDRESS },
    },
  ],
  decoded: [
    {
      from: 'Wikipedia, Uuencoding',
      input: { input_text: UU_ADDRESS },
      result: { decoded: ADDRESS, details, remarks: [] },
    },
    {
      from: 'uuencode -m of GNU sharutils',
      title: 'The form with Base64',
      input: { input_text: 'begin-base64 644 cat.txt\nQ2F0\n====\n' },
      result: { decoded: 'Cat', details: { filename: 'cat.txt', mode: '644' } },
    },
  ],
})

/** The same in letters and digits, for machines with other character sets. */
export const xxencode = lineCodec({
  id: 'xxencode',
  name: 'XX',
  title: 'XXencode / XXdecode',
  summary: 'Carry a file with its name through text in letters, digits, plus and minus alone.',
  keywords: ['xxencoding', 'xxdecode', 'usenet', 'ebcdic', 'begin 644'],
  specs: [],
  withMode: false,
  encoded: [
    {
      from: 'Wikipedia, Xxencoding',
      input: { input_text: ADDRESS, filename: 'wikipedia-url.txt' },
      result: { encoded: XX_ADDRESS },
    },
  ],
  decoded: [
    {
      from: 'Wikipedia, Xxencoding',
      input: { input_text: XX_ADDRESS },
      result: { decoded: ADDRESS, details, remarks: [] },
    },
  ],
})
