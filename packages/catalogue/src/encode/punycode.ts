import { action, explain, field, mono, type Panel, panel, printf, sh, type Terminal, tool } from '@assay/kit'
import { fromUtf8 } from '@assay/lib/bytes'
import type { Idn } from '@assay/lib/domain/idn'
import { decodePunycode, encodePunycode, MAX_PUNYCODE_CHARACTERS } from '@assay/lib/domain/punycode'

/** A long list of names; each takes up to a twentieth of a second. */
const MAX_LENGTH = 100_000
/** More labels are not drawn one by one. */
const MAX_SHOWN_LABELS = 200

const modes = ['IDN domain (UTS 46)', 'raw label'] as const
type Mode = (typeof modes)[number]

const mode = field.choice('Mode', modes, {
  help: `A raw label is Punycode alone: no prefix, no mapping, at most ${MAX_PUNYCODE_CHARACTERS} characters.`,
})

interface Conversion {
  lines: string[]
  names: Idn[]
  remarks: string[]
}

/** Every line by itself, so that a list of names goes in and comes out; a refusal names the line when there are more. */
async function convert(text: string, label: string, one: (line: string) => string): Promise<string[]> {
  const lines = text.split(/\r?\n/)
  return lines.map((line, i) =>
    explain('input_text', lines.length > 1 ? `${label}, line ${i + 1}` : label, () => (line ? one(line) : '')),
  )
}

/**
 * What stands before and after the host of a web address (RFC 3986 §3) or a mail address (RFC 5321 §4.1.2); a bare name
 * has neither. Only the host is a domain name.
 */
const AROUND_HOST = /^([a-z][a-z\d+.-]*:\/\/(?:[^/?#@]*@)?|[^/?#@\s]+@)?([^/?#:@]*)([/?#:@].*)?$/is

async function convertNames(text: string, label: string, form: 'ascii' | 'unicode'): Promise<Conversion> {
  // The mapping tables of UTS 46 are not wanted for a raw label.
  const { readIdn } = await import('@assay/lib/domain/idn')
  const names: Idn[] = []
  const lines = await convert(text, label, line => {
    const [, before = '', host = '', after = ''] = AROUND_HOST.exec(line.trim()) ?? []
    const name = readIdn(host)
    names.push(name)
    return before + name[form] + after
  })
  return { lines, names, remarks: [] }
}

async function convertLabels(text: string, label: string, one: (line: string) => string): Promise<Conversion> {
  const lines = await convert(text, label, one)
  const prefixed = /^xn--/im.test(text)
  return {
    lines,
    names: [],
    remarks: prefixed ? ['xn-- is the prefix of domain names and no part of Punycode; a raw label has none.'] : [],
  }
}

const labelsOf = (names: readonly Idn[]) =>
  names.flatMap(({ labels }) => labels).map(({ typed = '', unicode, ascii }) => ({ typed, unicode, ascii }))

function panelsOf(
  text: string,
  title: string,
  labels: ReturnType<typeof labelsOf>,
  remarks: readonly string[],
): Panel[] {
  return [
    ...remarks.map(remark => panel.note('warn', remark)),
    panel.code(text, { title }),
    ...(labels.length
      ? [
          panel.table(
            ['Typed', 'Unicode', 'ASCII', 'Code points'],
            labels
              .slice(0, MAX_SHOWN_LABELS)
              .map(({ typed, unicode, ascii }) => [typed, unicode, mono(ascii), mono(pointsOf(unicode))]),
            { title: 'Labels', cards: true, scroll: labels.length > 20 },
          ),
        ]
      : []),
  ]
}

const pointsOf = (text: string) =>
  Array.from(text, character => (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')).join(' ')

const cost = ({ input_text }: { input_text: string }) => ({ milliseconds: 30 + input_text.length / 40, megabytes: 20 })

const python = (text: string, mode: Mode, call: string): Terminal | undefined =>
  mode === 'raw label' && !/[\r\n]/.test(text)
    ? { command: `${printf(fromUtf8(text))} | ${sh`python3 -c ${`import sys; print(${call})`}`}` }
    : undefined

/** Punycode and the domain names made of it. RFC 3492, UTS 46. */
export const punycode = tool({
  id: 'punycode',
  path: 'punycode',
  title: 'Punycode and IDN Encode / Decode',
  category: 'encoding-and-decoding',
  summary: 'Turn domain names with letters beyond ASCII into the form that DNS carries, and back.',
  keywords: [
    'idn',
    'internationalized domain name',
    'xn--',
    'uts 46',
    'idna',
    'ace',
    'a-label',
    'u-label',
    'unicode domain',
  ],
  specs: ['RFC 3492', 'UTS 46'],
  runs: 'anywhere',
  actions: {
    encode: action({
      title: 'Punycode Encode',
      swap: { to: 'decode', from: 'encoded', into: 'input_text' },
      fields: {
        input_text: field.area('Names', {
          placeholder: 'münchen.example',
          maxLength: MAX_LENGTH,
          help: 'One in each line. Of a web or mail address the host is converted.',
        }),
        mode,
      },
      async run({ input_text, mode }) {
        const { lines, names, remarks } =
          mode === 'raw label'
            ? await convertLabels(input_text, 'Names', encodePunycode)
            : await convertNames(input_text, 'Names', 'ascii')
        return { encoded: lines.join('\n'), labels: labelsOf(names), remarks }
      },
      show: ({ encoded, labels, remarks }) => panelsOf(encoded, 'ASCII', labels, remarks),
      terminal({ input_text, mode }, { encoded }) {
        const terminal = python(input_text, mode, "sys.stdin.buffer.read().decode().encode('punycode').decode()")
        return terminal && { ...terminal, prints: encoded }
      },
      cost,
      examples: [
        {
          from: 'Unicode Technical Standard 46 §7',
          title: 'A letter that the older rules wrote as ss',
          input: { input_text: 'faß.de' },
          result: { encoded: 'xn--fa-hia.de' },
        },
        {
          from: 'The URL class of browsers, as URL Standard §3.5 defines it',
          title: 'In a web address only the host is a name',
          input: { input_text: 'https://münchen.example:8443/größe?q=ä' },
          result: { encoded: 'https://xn--mnchen-3ya.example:8443/größe?q=ä' },
        },
        {
          from: 'RFC 3492 §7.1 (L)',
          input: { input_text: '3年B組金八先生', mode: 'raw label' },
          result: { encoded: '3B-ww4c5e180e575a65lsy2b' },
        },
        {
          from: 'RFC 3492 §7.1 (S)',
          title: 'Text that is ASCII already gets a hyphen',
          input: { input_text: '-> $1.00 <-', mode: 'raw label' },
          result: { encoded: '-> $1.00 <--' },
        },
      ],
    }),
    decode: action({
      title: 'Punycode Decode',
      swap: { to: 'encode', from: 'decoded', into: 'input_text' },
      fields: {
        input_text: field.area('Names', {
          placeholder: 'xn--mnchen-3ya.example',
          maxLength: MAX_LENGTH,
          help: 'One in each line. Of a web or mail address the host is converted.',
        }),
        mode,
      },
      async run({ input_text, mode }) {
        const { lines, names, remarks } =
          mode === 'raw label'
            ? await convertLabels(input_text, 'Names', decodePunycode)
            : await convertNames(input_text, 'Names', 'unicode')
        return { decoded: lines.join('\n'), labels: labelsOf(names), remarks }
      },
      show: ({ decoded, labels, remarks }) => panelsOf(decoded, 'Unicode', labels, remarks),
      terminal({ input_text, mode }, { decoded }) {
        const terminal = python(input_text, mode, "sys.stdin.buffer.read().decode('punycode')")
        return terminal && { ...terminal, prints: decoded }
      },
      cost,
      examples: [
        {
          from: 'Unicode Technical Standard 46 §7',
          input: { input_text: 'xn--nxasmm1c.com' },
          result: { decoded: 'βόλος.com' },
        },
        {
          from: 'RFC 3492 §7.1 (M)',
          input: { input_text: '-with-SUPER-MONKEYS-pc58ag80a8qai00g7n9n', mode: 'raw label' },
          result: { decoded: '安室奈美恵-with-SUPER-MONKEYS' },
        },
      ],
    }),
  },
})
