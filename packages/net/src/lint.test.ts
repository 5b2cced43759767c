import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const path = (name: string) => fileURLToPath(new URL(`../../../${name}`, import.meta.url))
const bansNothing = !readFileSync(path('biome.json'), 'utf8').includes('noRestrictedImports')

/** What the project's lint says about a file with this text; it reports on files only, so there is one for a moment. */
function lint(file: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-'))
  try {
    copyFileSync(path('biome.json'), join(folder, 'biome.json'))
    mkdirSync(join(folder, dirname(file)), { recursive: true })
    writeFileSync(join(folder, file), text)
    const options = { cwd: folder, encoding: 'utf8', timeout: 30_000 } as const
    const { stdout, stderr } = spawnSync(
      path('node_modules/.bin/biome'),
      ['lint', '--max-diagnostics=100', file],
      options,
    )
    return stdout + stderr
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const modules = ['net', 'tls', 'dgram', 'http', 'https', 'http2', 'dns', 'dns/promises', 'child_process']
const imports = [...modules.map(name => `node:${name}`), 'undici']

test('security E6: the lint refuses sockets and processes outside their folders', { skip: bansNothing }, () => {
  const text = [
    ...imports.map((name, i) => `import * as m${i} from '${name}'`),
    `export const all = [${imports.map((_, i) => `m${i}`)}, fetch, WebSocket]`,
    '',
  ].join('\n')
  for (const file of ['packages/catalogue/src/dns/mx.ts', 'packages/kit/src/tool.ts', 'packages/lib/src/dns/wire.ts']) {
    const words = lint(file, text)
    assert.equal(words.match(/lint\/style\/noRestrictedImports/g)?.length, imports.length, `${file}\n${words}`)
    assert.equal(words.match(/lint\/style\/noRestrictedGlobals/g)?.length, 2, `${file}\n${words}`)
  }
  assert.doesNotMatch(lint('packages/net/src/http.ts', text), /noRestricted/)
})
