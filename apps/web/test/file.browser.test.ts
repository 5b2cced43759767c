import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, open, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openSite, type Site } from './browser.ts'

const CHECKSUM = '/hash-generators-and-checksum/file-checksum/'
/** Past the 32 bits in which sizes are counted by those who do not think of large files. */
const LARGE_BYTES = 2 ** 31 + 4_097

let site: Site
let folder: string

/** A file without content that takes no room on the disk, but for a mark at its end. */
async function sparse(path: string, bytes: number): Promise<void> {
  await writeFile(path, '')
  await truncate(path, bytes - 3)
  const file = await open(path, 'a')
  await file.write('end')
  await file.close()
}

async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

async function choose(page: Page, path: string): Promise<void> {
  await page.setInputFiles('input[type=file]', path)
  await page.getByRole('button', { name: 'Run Tool' }).click()
}

describe('files in a browser', () => {
  before(async () => {
    site = await openSite()
    folder = await mkdtemp(join(tmpdir(), 'assay-files-'))
  })
  after(async () => {
    await site.close()
    await rm(folder, { recursive: true })
  })

  test('a file of no bytes has the checksum of nothing', async () => {
    const path = join(folder, 'empty.bin')
    await writeFile(path, '')
    const { page, close } = await site.open(CHECKSUM)
    await choose(page, path)
    await page
      .getByText(await sha256(path))
      .first()
      .waitFor()
    await close()
  })

  test('no file chosen: the field says what is wanted', async () => {
    const { page, close } = await site.open(CHECKSUM)
    await page.getByRole('button', { name: 'Run Tool' }).click()
    await page.getByText(/file/i).and(page.locator('[role=alert], .field-error')).first().waitFor()
    await close()
  })

  test('a file of more than 2 GiB is read to its end', async () => {
    const path = join(folder, 'large.bin')
    await sparse(path, LARGE_BYTES)
    const expected = await sha256(path)
    const { page, close } = await site.open(CHECKSUM)
    await choose(page, path)
    await page.getByText(expected).first().waitFor({ timeout: 120_000 })
    await close()
  })

  test('Cancel ends the work on a large file, and the file is still chosen', async () => {
    const path = join(folder, 'cancelled.bin')
    await sparse(path, LARGE_BYTES)
    const { page, close } = await site.open(CHECKSUM)
    await choose(page, path)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Run Tool' }).waitFor()
    assert.match(await page.locator('input[type=file]').inputValue(), /cancelled\.bin$/)
    await page.setInputFiles('input[type=file]', { name: 'abc', mimeType: 'text/plain', buffer: Buffer.from('abc') })
    await page.getByRole('button', { name: 'Run Tool' }).click()
    await page.getByText('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad').first().waitFor()
    await close()
  })
})
