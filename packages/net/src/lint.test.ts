import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const biome = fileURLToPath(new URL('../../../node_modules/.bin/biome', import.meta.url))
const bansNothing = !readFileSync(new URL('../../../biome.json', import.meta.url), 'utf8').includes(
  'noRestrictedImports',
)

/** What the project's lint says about a text, were it this file. */
function lint(file: string, text: string): string {
  const { stdout, stderr } = spawnSync(biome, ['lint', `--stdin-file-path=${file}`], {
    cwd: root,
    input: text,
    encoding: 'utf8',
    timeout: 30_000,
  })
  return stdout + stderr
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
