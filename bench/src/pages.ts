import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Row } from './table.ts'

const dist = new URL('../../apps/web/dist/', import.meta.url).pathname
const KB = 1000
const JAVASCRIPT_BUDGET = 80 * KB
const HTML_BUDGET = 15 * KB

/** One page of each kind: what it weighs when opened, compressed with gzip. */
const kinds: Record<string, string> = {
  home: 'index.html',
  category: 'hash-generators-and-checksum/index.html',
  'tool in the browser': 'hash-generators-and-checksum/sha/index.html',
  'tool with actions': 'encryption-and-decryption/aes/encrypt/index.html',
  'tool on the server': 'dns-tools/dns-lookup/index.html',
  'record type': 'dns-tools/dns-records/mx/index.html',
  'not found': '404.html',
}

export async function measurePages(): Promise<Row[]> {
  if (!existsSync(join(dist, 'index.html'))) throw new Error('the pages are not built: run npm run build')
  return Object.entries(kinds).flatMap(([kind, file]) => {
    const html = compressedSize(file)
    const scripts = scriptsOf(readFileSync(join(dist, file), 'utf8'))
    const javascript = scripts.reduce((sum, script) => sum + compressedSize(script), 0)
    return [row(`${kind}: JavaScript`, javascript, JAVASCRIPT_BUDGET), row(`${kind}: HTML`, html, HTML_BUDGET)]
  })
}

const row = (what: string, bytes: number, budget: number): Row => ({
  what,
  ours: `${(bytes / KB).toFixed(1)} KB`,
  against: 'budget',
  theirs: `${budget / KB} KB`,
  ratio: bytes / budget,
  goal: 'at most 1',
  holds: bytes <= budget,
})

const compressedSize = (file: string) => readFileSync(join(dist, `${file}.gz`)).length

/** The scripts that opening the page loads: module scripts, what they preload, and what they import statically. */
function scriptsOf(html: string): string[] {
  const entries = [...html.matchAll(/<(?:script[^>]+src|link[^>]+rel="modulepreload"[^>]+href)="\/?([^"]+\.js)"/g)]
  const seen = new Set<string>()
  const visit = (file: string) => {
    if (seen.has(file)) return
    seen.add(file)
    const code = readFileSync(join(dist, file), 'utf8')
    for (const [, target] of code.matchAll(/(?:^|[;}\s])import(?:[^'"()]*?from)?\s*["'](\.[^"']+)["']/g)) {
      visit(join(file, '..', target ?? ''))
    }
  }
  for (const [, file] of entries) visit(file ?? '')
  return [...seen]
}
