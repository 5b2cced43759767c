import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { catalogue } from '@assay/catalogue/catalogue'
import { findTopics } from '../bundle.ts'
import { ensureBuilt, read } from './built.ts'

/** Gzipped bytes (product: 80 KB of script to open a tool page, 15 KB of HTML, 60 KB more for a first run). */
const SCRIPT_BYTES = 80 * 1024
const HTML_BYTES = 15 * 1024
const FIRST_RUN_BYTES = 60 * 1024
/** The bar of every page and the form. */
const CONTACT_BYTES = 8 * 1024

const weigh = (path: string) => gzipSync(read(path), { level: 9 }).length
const sum = (paths: Iterable<string>) => [...paths].reduce((total, path) => total + weigh(path), 0)
const scriptsOf = (html: string) =>
  new Set([...html.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, path = '']) => path))

describe('budgets of the built pages', () => {
  before(ensureBuilt)

  test('every page is small, and the script to open it', () => {
    const pages: string[] = JSON.parse(read('pages.json'))
    assert.ok(pages.length > catalogue.length)
    // The page about the API grows with the catalogue and is opened by few.
    for (const page of pages.filter(path => path !== '/api/docs/')) {
      const html = read(`${page}index.html`)
      assert.ok(gzipSync(html, { level: 9 }).length <= HTML_BYTES, `${page} is ${weigh(`${page}index.html`)} bytes`)
      const scripts = sum(scriptsOf(html))
      assert.ok(scripts <= SCRIPT_BYTES, `${page} loads ${scripts} bytes of script`)
    }
  })

  test('the contact form needs no more than a few kilobytes, and none of React', () => {
    const own = scriptsOf(read('/contact-us/index.html'))
    assert.ok(sum(own) <= CONTACT_BYTES, `${sum(own)} bytes`)
  })

  test('opening a page loads no tool code and no part that only a run needs', async () => {
    const manifest: Record<string, { file: string }> = JSON.parse(read('.vite/manifest.json'))
    const topics = Object.keys(manifest).filter(key => key.includes('packages/catalogue/src/'))
    const later = ['src/worker.ts', 'src/engine.ts', 'src/islands/result.tsx', ...topics]
    const forbidden = new Set(later.map(key => `/${manifest[key]?.file}`))
    const pages: string[] = JSON.parse(read('pages.json'))
    for (const page of pages) {
      for (const script of scriptsOf(read(`${page}index.html`))) assert.ok(!forbidden.has(script), `${page} ${script}`)
    }
  })

  test('a first run loads little more: the worker, the tool and what it imports at once', async () => {
    const manifest: Record<string, { file: string; imports?: string[] }> = JSON.parse(read('.vite/manifest.json'))
    const filesOf = (key: string, files = new Set<string>()): Set<string> => {
      const chunk = manifest[key]
      if (!chunk || files.has(chunk.file)) return files
      files.add(chunk.file)
      for (const next of chunk.imports ?? []) filesOf(next, files)
      return files
    }
    const opened = filesOf('src/islands/tool-entry.tsx')
    const run = ['src/worker.ts', 'src/engine.ts', 'src/islands/result.tsx'].flatMap(key => [...filesOf(key)])
    // What runs on the server comes back with its panels; its chunk is loaded to verify it only.
    const topics = await findTopics()
    for (const { id } of catalogue.filter(({ runs }) => runs === 'anywhere')) {
      const path = topics.get(id)?.file.split('/packages/catalogue/')[1] ?? ''
      const topic = `../../packages/catalogue/${path}`
      const files = new Set([...run, ...filesOf(topic)].filter(file => !opened.has(file)))
      assert.ok(sum(files) <= FIRST_RUN_BYTES, `${topic} loads ${sum(files)} bytes`)
    }
  })
})
