/** International Morse code. Recommendation ITU-R M.1677-1. */

/** §1: letters, figures, punctuation marks and miscellaneous signs. */
const international: Readonly<Record<string, string>> = {
  ...rows('A .- B -... C -.-. D -.. E . F ..-. G --. H .... I .. J .--- K -.- L .-.. M -- N -. O --- P .--. Q --.-'),
  ...rows('R .-. S ... T - U ..- V ...- W .-- X -..- Y -.-- Z --.. É ..-..'),
  ...rows('1 .---- 2 ..--- 3 ...-- 4 ....- 5 ..... 6 -.... 7 --... 8 ---.. 9 ----. 0 -----'),
  ...rows(
    `. .-.-.- , --..-- : ---... ? ..--.. ' .----. - -....- / -..-. ( -.--. ) -.--.- " .-..-. = -...- + .-.-. @ .--.-.`,
  ),
}

/** Signs that operators use and the Recommendation does not have, where no other sign has the signal. */
const customary = rows('! -.-.-- ; -.-.-. _ ..--.- $ ...-..- Ä .-.- Ö ---. Ü ..-- Ñ --.--')

/** §1: signals that stand for no character, by the letters they are written with, and the distress signal. */
const prosigns = rows(
  'SN ...-. VE ...-. HH ........ AS .-... SK ...-.- VA ...-.- KA -.-.- CT -.-.- AR .-.-. BT -...- KN -.--. K -.- SOS ...---...',
)

/** §3 and typography: what is sent in place of a sign that has no signal of its own. */
const replacements: Readonly<Record<string, string>> = {
  '×': 'X',
  '%': '0/0',
  '‰': '0/00',
  '÷': ':',
  '⁄': '/',
  '′': "'",
  '″': "''",
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '…': '...',
  '«': '"',
  '»': '"',
  '‐': '-',
  '‑': '-',
  '–': '-',
  '—': '-',
  '−': '-',
}
/** Replacements that a reader cannot undo. */
const MARKED = '×%‰'

function rows(text: string): Record<string, string> {
  const words = text.split(' ')
  return Object.fromEntries(words.flatMap((word, i) => (i % 2 ? [] : [[word, words[i + 1] ?? '']])))
}

/** What a signal stands for; the first in the tables wins. */
const meanings = new Map<string, string>()
for (const [table, write] of [
  [international, (name: string) => name],
  [customary, (name: string) => name],
  [prosigns, (name: string) => `<${name}>`],
] as const) {
  for (const [name, signal] of Object.entries(table)) if (!meanings.has(signal)) meanings.set(signal, write(name))
}

export interface Morse {
  /** Dots and dashes, a space between letters, a slash between words, lines as in the text. */
  code: string
  remarks: string[]
}

/**
 * A text in Morse code. Prosigns are written in angle brackets, such as <SK>. A character without a signal is refused
 * with its place.
 */
export function encodeMorse(text: string): Morse {
  const lines: string[][][] = [[[]]]
  const unofficial = new Set<string>()
  const replaced = new Set<string>()
  for (const { 0: token, index } of text.matchAll(/<[A-Za-z]+>|\r\n|\s|[^\s]/gu)) {
    if (/^\s/.test(token)) {
      if (token.endsWith('\n')) lines.push([[]])
      else if (lines.at(-1)?.at(-1)?.length) lines.at(-1)?.push([])
      continue
    }
    const signals = signalsOf(token, /\d/.test(text.charAt(index - 1)))
    if (!signals) throw new RangeError(`character ${index + 1} has no Morse code`)
    lines
      .at(-1)
      ?.at(-1)
      ?.push(...signals)
    if (token.toUpperCase() in customary) unofficial.add(token.toUpperCase())
    if (MARKED.includes(token)) replaced.add(token)
  }
  const written = lines.map(words => words.filter(word => word.length).map(word => word.join(' ')))
  return {
    code: written.map(words => words.join(' / ')).join('\n'),
    remarks: [
      ...(unofficial.size ? [`Customary, but not in ITU-R M.1677-1: ${[...unofficial].join(' ')}`] : []),
      ...[...replaced].map(sign => `${sign} is sent as ${replacements[sign]}, as ITU-R M.1677-1 §3 has it.`),
    ],
  }
}

function signalsOf(token: string, afterFigure: boolean): string[] | undefined {
  const capital = token.toUpperCase()
  if (capital.length > 2 && capital.startsWith('<')) {
    const signal = prosigns[capital.slice(1, -1)]
    return signal === undefined ? undefined : [signal]
  }
  const replacement = replacements[token]
  // §3.3: a hyphen joins a number and its percent sign.
  const sent = replacement === undefined ? capital : afterFigure && /[%‰]/.test(token) ? `-${replacement}` : replacement
  const signals = [...sent].map(character => international[character] ?? customary[character])
  return signals.every(signal => signal !== undefined) ? signals : undefined
}

/** How dots and dashes are written. */
export interface Marks {
  dot: string
  dash: string
}

/** Marks that cannot be told apart, or from the gaps, are refused. */
export function checkMarks({ dot, dash }: Marks): void {
  for (const mark of [dot, dash]) {
    if (!mark || /[\s/|]/.test(mark)) throw new RangeError('expected a mark without spaces, slashes and bars')
  }
  if (dot.startsWith(dash) || dash.startsWith(dot))
    throw new RangeError('expected two marks, neither beginning the other')
}

/** Dots and dashes written with other marks. */
export const writeMarks = (code: string, { dot, dash }: Marks): string =>
  code.replace(/[.-]/g, sign => (sign === '.' ? dot : dash))

/** Typographic dots and dashes, understood where the plain ones are. */
const lookalikes = new Map([
  ['.', ['.', '·', '•', '∙', '․']],
  ['-', ['-', '−', '–', '—', '‐', '‑', '_']],
])

/**
 * Reads Morse code. Letters are divided by a space, words by a slash, a bar or at least two spaces. A signal that
 * stands for nothing, and any other character, is refused with its place.
 */
export function decodeMorse(text: string, { dot, dash }: Marks): { text: string; code: string } {
  const marks = [
    ...(lookalikes.get(dot) ?? [dot]).map(mark => ['.', mark] as const),
    ...(lookalikes.get(dash) ?? [dash]).map(mark => ['-', mark] as const),
    // What word processors and telephones make of three dots.
    ...(dot === '.' ? [['...', '\u2026'] as const] : []),
  ]
  const lines: string[][][] = [[[]]]
  let [signal, start] = ['', 0]
  const endSignal = () => {
    if (signal && !meanings.has(signal)) throw new RangeError(`the signal at character ${start + 1} stands for nothing`)
    if (signal) lines.at(-1)?.at(-1)?.push(signal)
    signal = ''
  }
  for (let at = 0; at < text.length; ) {
    const [sign, mark] = marks.find(([, mark]) => text.startsWith(mark, at)) ?? []
    if (sign && mark) {
      if (!signal) start = at
      signal += sign
      at += mark.length
      continue
    }
    const [gap] = /^(?:\s+|[/|])/.exec(text.slice(at, at + 100)) ?? []
    if (!gap) throw new RangeError(`character ${at + 1} is no dot, no dash and no space`)
    endSignal()
    if (gap.includes('\n')) lines.push([[]])
    else if (gap !== ' ') lines.at(-1)?.push([])
    at += gap.length
  }
  endSignal()
  const words = lines.map(line => line.filter(word => word.length))
  return {
    text: words.map(line => line.map(word => word.map(signal => meanings.get(signal)).join('')).join(' ')).join('\n'),
    code: words.map(line => line.map(word => word.join(' ')).join(' / ')).join('\n'),
  }
}
