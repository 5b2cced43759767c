import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A text that nothing but a test writes, and every shape in which it could turn up somewhere. */
export interface Marker {
  text: string
  /** Names of the shapes that a text or the bytes of a file hold. */
  shapesIn(bytes: Buffer | string): string[]
  /** Files below a folder that hold it, each with the shapes. */
  filesIn(folder: string): string[]
}

/** Of small letters and digits, so that it is also a label of a domain. */
export function marker(text: string): Marker {
  const hex = Buffer.from(text).toString('hex')
  const percent = hex.replace(/../g, '%$&')
  const reversed = [...text].reverse().join('')
  // Without the last zero it is in the other order too.
  const wide = Buffer.from(text, 'utf16le').toString('latin1').slice(0, -1)
  const ofAnyCase: Record<string, string> = { plain: text, hex, percent, reversed, 'UTF-16': wide }
  const exact: Record<string, string> = Object.fromEntries(
    [0, 1, 2].map(offset => [`Base64 at ${offset}`, base64At(text, offset)]),
  )
  const shapesIn = (bytes: Buffer | string) => {
    const all = typeof bytes === 'string' ? bytes : bytes.toString('latin1')
    const small = all.toLowerCase()
    return [
      ...Object.keys(ofAnyCase).filter(name => small.includes(ofAnyCase[name] ?? '')),
      ...Object.keys(exact).filter(name => all.includes(exact[name] ?? '')),
    ]
  }
  return {
    text,
    shapesIn,
    filesIn: folder =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter(entry => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name))
        .flatMap(path => {
          const shapes = [...new Set([...shapesIn(path), ...shapesIn(readFileSync(path))])]
          return shapes.length > 0 ? [`${path.slice(folder.length + 1)}: ${shapes.join(', ')}`] : []
        }),
  }
}

/** What is the same in every text that holds it so many bytes past a group of three: the groups that are all its own. */
function base64At(text: string, offset: number): string {
  const encoded = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)]).toString('base64')
  const first = offset === 0 ? 0 : 4
  const whole = Math.floor((offset + text.length) / 3) * 4
  return encoded.slice(first, whole)
}
