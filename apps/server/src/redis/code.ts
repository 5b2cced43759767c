import { createHash } from 'node:crypto'
import { glob, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const packages = fileURLToPath(new URL('../../../../packages/', import.meta.url))

/**
 * What tells the tools of this process from those of another version: their results may have another form, so
 * processes share them only where the code is the same.
 */
export async function fingerprint(): Promise<string> {
  const hash = createHash('sha256')
  const files: string[] = []
  for await (const file of glob('{kit,lib,catalogue}/src/**/*.ts', { cwd: packages })) files.push(file)
  for (const file of files.sort()) {
    if (file.endsWith('.test.ts')) continue
    hash.update(`${file.replaceAll('\\', '/')}\n`).update(await readFile(`${packages}${file}`))
  }
  return hash.digest('base64url')
}
