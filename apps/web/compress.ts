import { readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

const isText = (name: string) => /\.(?:html|js|css|json|svg|xml|txt|webmanifest)$/.test(name)
/** Below this the frame of a compressed file outweighs what it saves. */
const SMALLEST = 256

/** Puts a .br and a .gz beside every text file that gets smaller by it. */
export async function compressAll(folder: string): Promise<void> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    entry => entry.isFile() && isText(entry.name) && !entry.parentPath.includes('.vite'),
  )
  for (let i = 0; i < files.length; i += 8) {
    await Promise.all(files.slice(i, i + 8).map(({ parentPath, name }) => compressFile(`${parentPath}/${name}`)))
  }
}

async function compressFile(path: string): Promise<void> {
  const text = await readFile(path)
  if (text.length < SMALLEST) return
  const params = { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_SIZE_HINT]: text.length }
  await writeFile(`${path}.br`, await toBrotli(text, { params }))
  await writeFile(`${path}.gz`, await toGzip(text, { level: 9 }))
}
