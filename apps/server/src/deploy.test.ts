import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { defaultLimits, type LimitName, limitNames, limitVariable } from './limits.ts'
import { readSettings, settingsTable } from './settings.ts'

const repository = new URL('../../../', import.meta.url)
const text = readFileSync(new URL('docs/deploy.md', repository), 'utf8')

/** The rows below a heading: variable and default. */
function rowsBelow(heading: string): Map<string, string> {
  const [, section = ''] = new RegExp(`\\n## ${heading}\\n([\\s\\S]*?)(?=\\n## |$)`).exec(text) ?? []
  return new Map([...section.matchAll(/^\| `(\w+)` \| (.+?) \|/gm)].map(([, name = '', value = '']) => [name, value]))
}

test('the table of settings has a row for each, and none for another', () => {
  assert.deepEqual([...rowsBelow('Settings').keys()].sort(), Object.keys(settingsTable).sort())
})

test('limits stand there under their variables, with their defaults', () => {
  const rows = rowsBelow('Limits')
  const names = new Map(limitNames.map((name): [string, LimitName] => [limitVariable(name), name]))
  assert.ok(rows.size > 10)
  for (const [variable, value] of rows) {
    const name = names.get(variable)
    assert.ok(name, variable)
    // This one depends on the machine.
    if (name !== 'workChildren') assert.equal(value, String(defaultLimits[name]), variable)
  }
})

test('whatever is named like a setting is one, in the documents and in the files for Docker', () => {
  const known = new Set([...Object.keys(settingsTable), ...limitNames.map(limitVariable)])
  for (const file of ['docs/deploy.md', 'docs/nginx.conf', 'README.md', 'compose.yaml', 'Dockerfile']) {
    const named = readFileSync(new URL(file, repository), 'utf8').match(/\bASSAY_[A-Z_]+[A-Z]\b/g) ?? []
    for (const name of named) assert.ok(known.has(name), `${file}: ${name}`)
  }
})

test('figures of an alarm are figures that the server gives', () => {
  const sources = readFileSync(new URL('metrics.ts', import.meta.url), 'utf8')
  const named = new Set(text.match(/\bassay_[a-z_]+/g))
  assert.ok(named.size > 6)
  for (const name of named) assert.ok(sources.includes(`'${name}'`), name)
})

test('the environment of compose.yaml is one that the server starts with', () => {
  const compose = readFileSync(new URL('compose.yaml', repository), 'utf8')
  const [, block = ''] = /\n {2}environment: &environment\n([\s\S]*?)\n {2}\w/.exec(compose) ?? []
  const environment = Object.fromEntries(
    [...block.matchAll(/^ {4}(\w+): (.*)$/gm)].map(([, name = '', value = '']) => [
      name,
      value.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1').replaceAll(/\$\{\w+:\?[^}]*\}/g, 'secret'),
    ]),
  )
  assert.ok(Object.keys(environment).length >= 6)
  const settings = readSettings({ ...environment, NODE_ENV: 'production', ASSAY_LISTEN: '0.0.0.0:8080' })
  assert.deepEqual(settings.trustedProxies, ['172.30.0.10/32'])
  assert.equal(settings.database, 'postgresql://assay:secret@postgres/assay')
})
