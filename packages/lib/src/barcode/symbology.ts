import { fromUtf8, toLatin1 } from '../bytes.ts'
import { readChecked } from './check-digit.ts'
import { readElements } from './gs1.ts'

/** Bar codes and matrix codes: what each can carry. */
export interface Symbology {
  /** Where it is defined. */
  spec: string
  /** Bars with a text below them, or a matrix without. */
  shape: 'bars' | 'matrix'
  /** Pixels of a module at scale 1. */
  modulePixels: 1 | 2 | 4
  /** Light modules that a reader counts on at either side. */
  quietModules: number
  /** The encoder of bwip-js, and what it is told beyond the text. */
  encoder:
    | 'azteccode'
    | 'code39'
    | 'code128'
    | 'datamatrix'
    | 'ean8'
    | 'ean13'
    | 'gs1_128'
    | 'itf14'
    | 'maxicode'
    | 'pdf417'
    | 'upca'
  options?: Readonly<Record<string, number | boolean>>
  /** What is encoded for a text; RangeError by position when it cannot be. */
  read(text: string): Contents
}

export interface Contents {
  /** The text that a reader gives back. */
  text: string
  /** What the encoder gets, when that is not the same. */
  encoded?: string
  options?: Readonly<Record<string, boolean>>
  check?: 'verified' | 'added'
}

/** Characters of a symbol in bars; longer ones no reader takes in at once. */
export const MAX_BAR_CHARACTERS = 128
/** Height of the bars where the standard leaves it open. */
const BAR_MILLIMETRES = 12

const CODE_39 = /[0-9A-Z. $/+%-]/

const numbered =
  (length: number) =>
  (text: string): Contents => {
    const { digits, check } = readChecked(text, length)
    return { text: digits, check }
  }

export const symbologies = {
  'Code 128': {
    ...{ spec: 'ISO/IEC 15417', shape: 'bars', modulePixels: 1, quietModules: 10, encoder: 'code128' },
    options: { height: BAR_MILLIMETRES },
    read: text => barText(text, /[\0-\x7f]/, 'in ASCII, which is all that Code 128 has'),
  },
  'Code 39': {
    ...{ spec: 'ISO/IEC 16388', shape: 'bars', modulePixels: 1, quietModules: 10, encoder: 'code39' },
    options: { height: BAR_MILLIMETRES },
    read: text => barText(text, CODE_39, 'a capital letter, a digit, a space or one of - . $ / + %'),
  },
  'EAN-13': {
    spec: 'ISO/IEC 15420',
    shape: 'bars',
    modulePixels: 1,
    quietModules: 11,
    encoder: 'ean13',
    read: numbered(13),
  },
  'EAN-8': {
    spec: 'ISO/IEC 15420',
    shape: 'bars',
    modulePixels: 1,
    quietModules: 7,
    encoder: 'ean8',
    read: numbered(8),
  },
  'UPC-A': {
    spec: 'ISO/IEC 15420',
    shape: 'bars',
    modulePixels: 1,
    quietModules: 9,
    encoder: 'upca',
    read: numbered(12),
  },
  'ITF-14': {
    spec: 'ISO/IEC 16390',
    shape: 'bars',
    modulePixels: 1,
    quietModules: 10,
    encoder: 'itf14',
    read: numbered(14),
  },
  'Data Matrix': {
    spec: 'ISO/IEC 16022',
    shape: 'matrix',
    modulePixels: 2,
    quietModules: 1,
    encoder: 'datamatrix',
    read: anyText,
  },
  PDF417: {
    spec: 'ISO/IEC 15438',
    shape: 'matrix',
    modulePixels: 1,
    quietModules: 2,
    encoder: 'pdf417',
    read: anyText,
  },
  Aztec: {
    spec: 'ISO/IEC 24778',
    shape: 'matrix',
    modulePixels: 2,
    quietModules: 1,
    encoder: 'azteccode',
    read: anyText,
  },
  'GS1-128': {
    ...{
      spec: 'GS1 General Specifications §5.4',
      shape: 'bars',
      modulePixels: 1,
      quietModules: 10,
      encoder: 'gs1_128',
    },
    options: { height: BAR_MILLIMETRES },
    read: (text): Contents => ({ text: readElements(text) }),
  },
  MaxiCode: {
    spec: 'ISO/IEC 16023',
    shape: 'matrix',
    modulePixels: 4,
    quietModules: 1,
    encoder: 'maxicode',
    read: anyText,
  },
} as const satisfies Record<string, Symbology>

export type SymbologyName = keyof typeof symbologies
export const symbologyNames = Object.keys(symbologies) as SymbologyName[]

function refuseNothing(text: string): void {
  if (text === '') throw new RangeError('expected something to put into the code')
}

function barText(text: string, allowed: RegExp, what: string): Contents {
  refuseNothing(text)
  const characters = [...text]
  const wrong = characters.findIndex(character => !allowed.test(character))
  if (wrong >= 0) throw new RangeError(`character ${wrong + 1} is not ${what}`)
  if (characters.length > MAX_BAR_CHARACTERS) {
    throw new RangeError(`expected at most ${MAX_BAR_CHARACTERS} characters, got ${characters.length}`)
  }
  return { text }
}

/**
 * Any text. Beyond ASCII it goes as UTF-8 with the mark that says so, ECI 000026 (AIM ITS/04-023); without one a reader
 * has to guess.
 */
function anyText(text: string): Contents {
  refuseNothing(text)
  const utf8 = toLatin1(fromUtf8(text))
  if (utf8 === text) return { text, options: { binarytext: true } }
  // A circumflex begins such a mark, so it is doubled where it stands for itself.
  return { text, encoded: `^ECI000026${utf8.replaceAll('^', '^^')}`, options: { binarytext: true, parsefnc: true } }
}
