import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import {
  type Action,
  type Example,
  formatFieldOf,
  inputSchema,
  isRequired,
  type Outcome,
  Problem,
  performed,
  readInput,
  specLink,
} from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { actions, catalogue, toolsOf } from './catalogue.ts'

const repository = new URL('../../../', import.meta.url)

/** The house rules, walked over every tool there is. */
test('ids, addresses and titles are unique', () => {
  for (const values of [
    catalogue.map(({ id }) => id),
    actions.map(({ action }) => action.path),
    actions.map(({ tool, action }) => `${tool.category}/${action.title}`),
  ]) {
    assert.deepEqual(values, [...new Set(values)])
  }
})

test('no tool is lost or listed twice, and the DNS page has no other tools than its own', () => {
  const dns = toolsOf('dns-tools').map(({ id }) => id)
  assert.deepEqual(
    catalogue.slice(0, dns.length).map(({ id }) => id),
    dns,
  )
})

test('[OPEN-049] lookups are GET by the name of the tool, but for those that the specification calls otherwise', () => {
  const others = {
    'dns-lookup': 'dns-records/{domain}',
    'dns-records': 'dns-records/{domain}/{type}',
    'subdomain-finder': 'subdomains/{domain}',
    'domain-blacklist-check': 'domain_blacklist_check/{domain}',
    dkim: 'dkim/{domain}/{selector}',
    'check-typosquatting': 'check-typosquatting/{domain}/refresh',
  }
  const tools = catalogue.filter(({ lookups }) => lookups?.length)
  assert.ok(tools.length >= 28)
  for (const [id, path] of Object.entries(others))
    assert.ok(catalogue.find(tool => tool.id === id)?.lookups?.includes(path), id)
  for (const { id, lookups = [] } of tools.filter(({ id }) => !Object.hasOwn(others, id)))
    assert.match(lookups[0] ?? '', new RegExp(`^${id}/\\{\\w+\\}$`))
})

for (const tool of catalogue) {
  test(`${tool.id}: the head is complete`, () => {
    assert.match(tool.id, /^[a-z0-9]+(-[a-z0-9]+)*$/)
    assert.match(tool.path, /^[a-z0-9-]+(\/[a-z0-9-]+)?$/)
    for (const { summary } of tool.actions) {
      assert.match(summary, /^[A-Z0-9].*[^.]\.$/, 'the summary is a sentence')
      assert.doesNotMatch(summary.slice(0, -1), /[.!?] [A-Z]/, 'the summary is one sentence')
    }
    assert.ok(tool.keywords.length > 0, 'keywords to be found by')
    // [CRY-004] Every tool that needs no sockets runs by "Run Tool"; lookups have words of their own.
    assert.equal(Boolean(tool.button), tool.runs === 'server')
    for (const name of tool.specs.filter(spec => /^(RFC|FIPS|NIST SP) /.test(spec))) assert.ok(specLink(name), name)
  })

  test(`${tool.id}: there is prose of its own`, () => {
    const path = new URL(`content/tools/${tool.id}.md`, repository)
    assert.ok(existsSync(path), `content/tools/${tool.id}.md is missing`)
    assert.ok((readFileSync(path, 'utf8').match(/[.!?](\s|$)/g) ?? []).length >= 4, 'at least four sentences')
  })

  for (const action of tool.actions) {
    test(`${action.path}: fields are declared in full`, () => {
      for (const [name, data] of Object.entries(action.fields)) {
        assert.match(name, /^[a-z][A-Za-z0-9_]*$/)
        if (data.kind === 'number') {
          assert.ok(Number.isFinite(data.min) && Number.isFinite(data.max), `${name} has a cap`)
          assert.ok(Number(data.default) >= Number(data.min) && Number(data.default) <= Number(data.max), name)
        }
        if (data.dependsOn) assert.ok(action.fields[data.dependsOn.field], `${name} depends on a field that is there`)
        if (data.kind === 'choice') assert.ok(data.options?.includes(String(data.default)), `${name} has a default`)
      }
      for (const lookup of tool.lookups ?? []) {
        for (const [, name] of lookup.matchAll(/\{(\w+)\}/g)) assert.ok(name && action.fields[name], lookup)
      }
      const schema = inputSchema(action.fields)
      assert.deepEqual(JSON.parse(JSON.stringify(schema)), schema)
    })

    test(`${action.path}: examples name a source and hold`, async () => {
      assert.ok(action.examples.length > 0)
      for (const example of action.examples) {
        assert.ok(example.from.length > 3, 'an example names its source')
        const { result, input } = await run(action, example.input, example.recording)
        assert.partialDeepStrictEqual(result, example.result, `${example.from}: ${JSON.stringify(example.input)}`)
        const panels = action.show?.(result, input) ?? []
        assert.deepEqual(JSON.parse(JSON.stringify(panels)), panels, 'panels are plain data')
        assert.deepEqual(JSON.parse(JSON.stringify(result)), result, 'the result is plain data')
      }
    })

    test(`${action.path}: nothing at all gives a result or a problem that says what to do`, async () => {
      try {
        await run(action, {})
      } catch (error) {
        assert.ok(error instanceof Error && error.name === 'Problem', String(error))
        assert.ok(error.message.length > 10)
      }
      if (Object.values(action.fields).some(isRequired)) await assert.rejects(run(action, {}), { name: 'Problem' })
    })

    test(`${action.path}: whatever is typed gives a result or a problem that names a field`, async t => {
      const [example] = action.examples
      if (!example || (await isHeavy(action, example))) return t.skip('what runs long is tried in its own tests')
      for (const name of rawNames(action)) {
        for (const value of HOSTILE) {
          try {
            const { result } = await run(action, { ...example.input, [name]: value }, example.recording)
            JSON.stringify(result)
          } catch (error) {
            const words = `${name} = ${JSON.stringify(value)}: ${error instanceof Error ? error.stack : error}`
            assert.ok(error instanceof Problem, words)
            assert.match(error.message, /\S.{8,}/, words)
            if (typeof value === 'string' && value.length > 8) {
              assert.ok(!error.message.includes(value), `${words} repeats what was typed`)
            }
          }
        }
      }
    })

    test(`${action.path}: the terminal command prints the same`, { skip: !action.terminal }, async t => {
      if (tool.runs === 'server') return t.skip('runs in the lab')
      for (const example of action.examples) {
        const { result, input } = await run(action, example.input, example.recording)
        const terminal = action.terminal?.(input, result)
        if (!terminal?.prints || !programsOf(terminal.command).every(has)) continue
        const { stdout, stderr, status } = spawnSync('sh', ['-c', terminal.command], {
          encoding: 'utf8',
          timeout: 20_000,
        })
        assert.equal(status, 0, `${terminal.command}\n${stderr}`)
        assert.ok(squeeze(stdout).includes(squeeze(terminal.prints)), `${terminal.command}\nprinted ${stdout}`)
      }
    })
  }
}

const run = (action: Action, input: Record<string, unknown>, recording = {}): Promise<Outcome> =>
  performed(action, input, replay(recording, AbortSignal.timeout(60_000)))

/** Values that break readers: nothing, space, NUL, other scripts, quotes, numbers that are none, and length. */
const HOSTILE: readonly unknown[] = [
  ...[
    '',
    ' ',
    '\0',
    '\ufeff',
    '\u202e\u200b',
    '\ud800',
    'é',
    '漢字',
    '😀'.repeat(50),
    "'",
    '"',
    '\\',
    '%',
    '%zz',
    '=',
    '====',
    '----',
  ],
  ...[
    '-----BEGIN CERTIFICATE-----',
    '<svg/onload=alert(1)>',
    '../../etc/passwd',
    '__proto__',
    'constructor',
    '\r\nX: y',
  ],
  ...[
    '-1',
    '0',
    '1e309',
    'NaN',
    '0x10',
    '1.5',
    '2147483648',
    '9'.repeat(400),
    'A'.repeat(10_000),
    '00'.repeat(5_000),
    '.'.repeat(3_000),
  ],
  ...[0, -1, 1.5, 2 ** 31, Number.NaN, true, null, [], {}, ['a'], { length: 1 }],
]

/** The names a door takes for an action: its fields, and the formats of byte fields. */
const rawNames = ({ fields }: Action) =>
  Object.entries(fields).flatMap(([name, { kind }]) => (kind === 'bytes' ? [name, formatFieldOf(name)] : [name]))

const HEAVY_MS = 40

async function isHeavy({ cost, fields }: Action, { input }: Example): Promise<boolean> {
  return cost !== 'light' && cost(await readInput(fields, input)).milliseconds > HEAVY_MS
}

const squeeze = (text: string) => text.replace(/\s+/g, '')

/** The program of each part of a pipeline. */
const programsOf = (command: string) => command.split(/\s\|\s/).map(part => part.trim().split(/\s/)[0] ?? '')

const known = new Map<string, boolean>()
function has(program: string): boolean {
  const cached = known.get(program)
  if (cached !== undefined) return cached
  let found = true
  try {
    execFileSync('sh', ['-c', `command -v "${program}"`], { stdio: 'ignore' })
  } catch {
    found = false
  }
  known.set(program, found)
  return found
}
