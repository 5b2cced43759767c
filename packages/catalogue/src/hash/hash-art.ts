import { explain, field, mono, type Panel, Problem, panel, type Terminal, tool } from '@assay/kit'
import { drawBlockies } from '@assay/lib/art/blockies'
import { writeEmoji } from '@assay/lib/art/emoji'
import { type Fingerprint, parseFingerprint } from '@assay/lib/art/fingerprint'
import { type Mosaic, pngOfMosaic, svgOfMosaic } from '@assay/lib/art/mosaic'
import { drawBoard, drawColourBars, drawIdenticon } from '@assay/lib/art/pictures'
import { drawRandomart } from '@assay/lib/art/randomart'
import { type Bytes, toBase64, toHex } from '@assay/lib/bytes'
import { digest } from '@assay/lib/hash/digest'

const styles = ['randomart', 'identicon', 'blockies', 'colour-bars', 'emoji'] as const
type Style = (typeof styles)[number]

/** Pixels across, about. */
const PICTURE_PIXELS = 360
const EMOJI_A_ROW = 8
const EMOJI_PIXELS = 44
/** What fits into the frame, brackets left out. */
const MAX_TITLE_CHARACTERS = 14

const rules: Record<Style, string> = {
  randomart:
    'The walk of a bishop over 17 by 9 squares, two bits a move, as ssh-keygen -lv draws it. S is the start, E the end; the other signs count visits.',
  identicon:
    'The first fifteen hexadecimal digits fill the squares of the middle column, then of those beside it, where they are even; the last two bytes choose the hue.',
  blockies:
    'The picture that Ethereum wallets show for an address: of the hexadecimal digits in small letters, after 0x.',
  'colour-bars': 'A bar for each byte: the first hexadecimal digit chooses the hue, the second the lightness.',
  emoji: 'Six bits choose one of 64 emoji, from the first bit to the last.',
}

/** Hashes as pictures, for eyes that compare. */
export const hashArt = tool({
  id: 'hash-art',
  path: 'hash-art',
  title: 'Hash Art: Randomart, Identicon and Blockies',
  category: 'hash-generators-and-checksum',
  summary: 'A hash or a fingerprint as a picture that eyes compare more easily than digits.',
  keywords: [
    'ssh randomart',
    'drunken bishop',
    'identicon',
    'blockies',
    'visual hash',
    'fingerprint',
    'emoji',
    'avatar',
  ],
  specs: ['The drunken bishop', 'Ethereum blockies'],
  runs: 'anywhere',
  fields: {
    hash_value: field.text('Hash or fingerprint', {
      optional: true,
      maxLength: 1000,
      placeholder: 'SHA256:ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0',
      help: 'In hexadecimal or Base64, or as ssh-keygen prints it; an Ethereum address is one too.',
    }),
    input_text: field.bytes('Or a text', { optional: true, line: true, help: 'Its SHA-256 is drawn.' }),
    style: field.choice('Style', styles),
    frame_title: field.text('Title of the frame', {
      optional: true,
      maxLength: MAX_TITLE_CHARACTERS,
      placeholder: 'ED25519 256',
      dependsOn: { field: 'style', values: ['randomart'] },
    }),
  },
  async run({ hash_value, input_text, style, frame_title }) {
    const { bytes, name } = await fingerprintOf(hash_value, input_text)
    const about = { style, hash: toHex(bytes), bits: bytes.length * 8, ...(name && { name }) }
    if (style === 'emoji') {
      const emoji = writeEmoji(bytes)
      const rows = Array.from({ length: Math.ceil(emoji.length / EMOJI_A_ROW) }, (_, i) =>
        emoji.slice(i * EMOJI_A_ROW, (i + 1) * EMOJI_A_ROW).map(({ symbol }) => symbol),
      )
      return {
        ...about,
        text: rows.map(row => row.join(' ')).join('\n'),
        names: emoji.map(entry => entry.name),
        ...svgOfEmoji(rows),
      }
    }
    const title = (frame_title ?? '').replace(/\p{C}/gu, '')
    return {
      ...about,
      ...(style === 'randomart' && { text: drawRandomart(bytes, title, name ?? '') }),
      ...(await picture(mosaicOf(style, bytes))),
    }
  },
  show: result => [
    ...('text' in result && result.style === 'randomart' ? [panel.code(result.text)] : []),
    panel.image({
      source: result.svg,
      alt: altOf(result),
      name: `${result.style}.svg`,
      width: result.width,
      height: result.height,
    }),
    ...('png' in result
      ? [panel.file({ name: `${result.style}.png`, mediaType: 'image/png', base64: result.png })]
      : [emojiPanel(result.text, result.names)]),
    panel.facts([
      ['Hash', mono(result.hash)],
      ['Length', `${result.bits} bits${'name' in result ? `, as ${result.name} has` : ''}`],
      ['Drawn', rules[result.style]],
    ]),
  ],
  terminal: ({ style }): Terminal | undefined =>
    style === 'randomart' ? { command: 'ssh-keygen -lv -f key.pub' } : undefined,
  examples: [
    {
      from: 'D. Loss, T. Limmer, A. von Gernler, "The drunken bishop", 2009: its example',
      title: 'The fingerprint of a key',
      input: { hash_value: 'fc:94:b0:c1:e5:b0:98:7c:58:43:99:76:97:ee:9f:b7' },
      result: { bits: 128, name: 'MD5' },
    },
    {
      from: 'github.com/ethereum/blockies, ethereum-address-sample.html',
      title: 'An Ethereum address',
      input: { hash_value: '0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359', style: 'blockies' },
      result: { hash: 'fb6916095ca1df60bb79ce92ce3ea74c37c5d359', style: 'blockies' },
    },
    {
      from: 'FIPS 180-2 §B.1: the SHA-256 of "abc"',
      title: 'A text as emoji',
      input: { input_text: 'abc', style: 'emoji' },
      result: { hash: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad', bits: 256 },
    },
  ],
})

async function fingerprintOf(hash: string | undefined, text: Bytes | undefined): Promise<Fingerprint> {
  if (hash?.trim() && text) {
    throw new Problem('invalid-input', 'Text: expected a hash or a text, not both.', { field: 'input_text' })
  }
  if (hash?.trim()) return explain('hash_value', 'Hash', () => parseFingerprint(hash))
  if (!text) throw new Problem('invalid-input', 'Hash: expected a hash, or a text below.', { field: 'hash_value' })
  return { bytes: await digest('SHA-256', text), name: 'SHA256' }
}

function mosaicOf(style: Exclude<Style, 'emoji'>, bytes: Bytes): Mosaic {
  switch (style) {
    case 'randomart':
      return drawBoard(bytes)
    case 'identicon':
      return drawIdenticon(bytes)
    case 'blockies':
      return drawBlockies(`0x${toHex(bytes)}`)
    case 'colour-bars':
      return drawColourBars(bytes)
  }
}

async function picture(mosaic: Mosaic) {
  const { columns, rows } = mosaic
  const pixels = Math.max(1, Math.round(PICTURE_PIXELS / columns))
  return {
    svg: svgOfMosaic(mosaic, pixels),
    png: toBase64(await pngOfMosaic(mosaic, pixels)),
    width: columns * pixels,
    height: rows * pixels,
  }
}

function svgOfEmoji(rows: readonly (readonly string[])[]) {
  const [width, height] = [(EMOJI_A_ROW + 0.5) * EMOJI_PIXELS, (rows.length + 0.5) * EMOJI_PIXELS]
  const symbols = rows.flatMap((row, y) =>
    row.map((symbol, x) => `<text x="${(x + 0.75) * EMOJI_PIXELS}" y="${(y + 1) * EMOJI_PIXELS}">${symbol}</text>`),
  )
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ` +
    `font-size="${EMOJI_PIXELS * 0.75}" text-anchor="middle">${symbols.join('')}</svg>`
  return { svg, width, height }
}

const emojiPanel = (text: string, names: readonly string[]): Panel =>
  panel.section('As text', [panel.code(text), panel.facts([['In words', names.join(', ')]])])

function altOf({ style, hash }: { style: Style; hash: string }): string {
  const start = `${hash.slice(0, 16)}${hash.length > 16 ? '…' : ''}`
  return `${style.charAt(0).toUpperCase()}${style.slice(1).replace('-', ' ')} of the hash ${start}`
}
