import { asFieldProblem, explain, field, mono, panel, sh, type Terminal, tool } from '@assay/kit'
import { type SymbologyName, symbologies, symbologyNames } from '@assay/lib/barcode/symbology'
import { toBase64 } from '@assay/lib/bytes'

/** More than any of the symbologies holds. */
const MAX_CHARACTERS = 4000
/** On one core of 2.5 GHz: encoding by Aztec, the slowest, and the pixels of Code 128, the widest, at scale 1. */
const MILLISECONDS_PER_CHARACTER = { encoding: 1.1, drawing: 0.013 }

/** The names of the symbologies in zint. */
const zintNames: Record<SymbologyName, string> = {
  'Code 128': 'CODE128',
  'Code 39': 'CODE39',
  'EAN-13': 'EANX',
  'EAN-8': 'EANX',
  'UPC-A': 'UPCA',
  'ITF-14': 'ITF14',
  'Data Matrix': 'DATAMATRIX',
  PDF417: 'PDF417',
  Aztec: 'AZTEC',
  'GS1-128': 'GS1_128',
  MaxiCode: 'MAXICODE',
}

/** Bar codes and matrix codes. */
export const barcode = tool({
  id: 'barcode',
  path: 'barcode',
  title: 'Barcode Generator',
  category: 'generators-and-randomness',
  summary: 'Bar codes for goods, parcels and papers, with their check digits, as SVG or PNG.',
  keywords: ['code 128', 'code 39', 'ean', 'upc', 'gtin', 'isbn', 'itf-14', 'data matrix', 'pdf417', 'aztec', 'gs1'],
  specs: [...new Set(Object.values(symbologies).map(({ spec }) => spec))],
  runs: 'anywhere',
  fields: {
    text: field.text('Contents', {
      maxLength: MAX_CHARACTERS,
      placeholder: '9780306406157',
      help: 'The check digit of EAN, UPC and ITF-14 may be left out. GS1-128: (01)09521234543213(10)ABC123',
    }),
    symbology: field.choice('Symbology', symbologyNames),
    format: field.choice('Format', ['SVG', 'PNG']),
    include_text: field.flag('Text below the bars', { default: true }),
    scale: field.number('Scale', {
      min: 1,
      max: 10,
      default: 3,
      help: 'Pixels of the narrowest bar. Modules of Data Matrix and Aztec have twice as many, of MaxiCode four times.',
    }),
  },
  async run({ text, symbology, format, include_text: includeText, scale }) {
    const contents = explain('text', 'Contents', () => symbologies[symbology].read(text))
    const { drawSymbol, svgOf } = await import('@assay/lib/barcode/picture')
    const picture = await drawSymbol(symbology, contents, { scale, includeText }).catch(error => {
      throw asFieldProblem('text', 'Contents', error)
    })
    const { width, height } = picture
    const about = {
      symbology,
      text: contents.text,
      ...(contents.check && { check_digit: contents.text.slice(-1), check: contents.check }),
      ...{ format, width, height },
    }
    if (format === 'SVG') return { ...about, svg: svgOf(picture) }
    const { pngOf } = await import('@assay/lib/barcode/raster')
    return { ...about, png: toBase64(await pngOf(picture)) }
  },
  show: result => [
    panel.image({
      source: 'svg' in result ? result.svg : `data:image/png;base64,${result.png}`,
      alt: `${result.symbology} of ${result.text.slice(0, 100)}`,
      name: 'svg' in result ? 'barcode.svg' : 'barcode.png',
      width: result.width,
      height: result.height,
    }),
    panel.facts([
      ['Says', mono(result.text)],
      ...('check_digit' in result ? ([['Check digit', `${result.check_digit}, ${result.check}`]] as const) : []),
      ['Symbology', `${result.symbology}, ${symbologies[result.symbology].spec}`],
      ['Size', `${result.width} × ${result.height} pixels with the light margin that readers need`],
    ]),
  ],
  terminal: ({ symbology, format, scale }, { text }): Terminal => ({
    command: sh`zint --barcode=${zintNames[symbology]} --scale=${scale / 2} --quietzones -o ${`barcode.${format.toLowerCase()}`} -d ${text}`,
  }),
  cost({ text, scale }) {
    const { encoding, drawing } = MILLISECONDS_PER_CHARACTER
    return { milliseconds: 20 + text.length * (encoding + scale * scale * drawing), megabytes: 160 }
  },
  examples: [
    {
      from: 'Wikipedia, ISBN: the check digit of 978-0-306-40615',
      title: 'A book',
      input: { text: '978-0-306-40615', symbology: 'EAN-13' },
      result: { text: '9780306406157', check_digit: '7', check: 'added' },
    },
    {
      from: 'GS1 General Specifications: numbers of the prefix for examples',
      title: 'A carton with its batch',
      input: { text: '(01)09521234543213(10)ABC123', symbology: 'GS1-128' },
      result: { text: '(01)09521234543213(10)ABC123', format: 'SVG' },
    },
    {
      from: 'ISO/IEC 16022, symbol attributes: 10 × 10 modules hold six digits',
      title: 'The smallest Data Matrix',
      input: { text: '123456', symbology: 'Data Matrix', format: 'PNG', scale: 1 },
      result: { width: 24, height: 24 },
    },
  ],
})
