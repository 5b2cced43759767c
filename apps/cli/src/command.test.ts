import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { actions } from '@assay/catalogue/catalogue'
import { replay } from '@assay/kit/replay'
import { assay, DONE, USAGE, type World } from './command.ts'
import { exampleOf } from './help.ts'
import { optionName, optionsOf, outputOption, sameName, switches } from './words.ts'

interface Told {
  status: number
  out: string
  notes: string
  saved: [string, Uint8Array][]
}

async function* textStream(text: string | Uint8Array): AsyncGenerator<Uint8Array> {
  yield typeof text === 'string' ? new TextEncoder().encode(text) : text
}

async function run(
  words: readonly string[],
  world: Partial<World> = {},
  stdin: string | Uint8Array = '',
): Promise<Told> {
  const told = { out: '', notes: '', saved: [] as [string, Uint8Array][] }
  const status = await assay(words, {
    screen: { columns: 100, colour: false },
    out: text => {
      told.out += text
    },
    note: text => {
      told.notes += `${text}\n`
    },
    save: async (path, bytes) => void told.saved.push([path, bytes]),
    job: () => ({ context: replay(), dispose() {} }),
    stdin: () => textStream(stdin),
    file: path => textStream(`content of ${path}`),
    ...world,
  })
  return { status, ...told }
}

test('a value, fields as options, and the result as panels or JSON', async () => {
  const shown = await run(['md5', 'abc'])
  assert.equal(shown.status, DONE)
  assert.match(shown.out, /^Hash\s+900150983cd24fb0d6963f7d28e17f72\n/)
  assert.match(shown.out, /In a terminal: printf 'abc' \|/)
  const json = await run(['md5', '--input-text', '616263', '--input_format=Hex', '--json'])
  assert.equal(JSON.parse(json.out).hash, '900150983cd24fb0d6963f7d28e17f72')
})

test('standard input and files are bytes as they are', async () => {
  const hash = async ([name = '', ...words]: string[], stdin: string | Uint8Array) =>
    JSON.parse((await run([name, '--json', ...words], {}, stdin)).out).hash
  assert.equal(await hash(['md5', '-'], 'abc'), '900150983cd24fb0d6963f7d28e17f72')
  assert.equal(await hash(['md5', '--input-text=@-'], '616263'), await hash(['md5', '616263'], ''))
  assert.equal(await hash(['md5', '-', '--input-format=Hex'], '616263\n'), '900150983cd24fb0d6963f7d28e17f72')
  const bytes = new Uint8Array([255, 254])
  assert.equal(await hash(['md5', '-'], bytes), createHash('md5').update(bytes).digest('hex'))
  assert.equal(await hash(['md5', '@a.txt'], ''), await hash(['md5', 'content of a.txt'], ''))
  assert.equal(await hash(['md5', '@@a.txt'], ''), await hash(['md5', '--', '@a.txt'], ''))
  assert.equal(await hash(['md5', '--', '-'], 'x'), createHash('md5').update('-').digest('hex'))
})

test('what cannot be understood is status 2 and a sentence', async () => {
  const cases: [string[], RegExp][] = [
    [[], /^$/],
    [['no-such-tool'], /There is no such tool/],
    [['md'], /Perhaps\n\s+md5/],
    [['md5', '--colour', 'red'], /There is no such option\. This tool takes --input-text, --input-format/],
    [['md5', 'a', 'b'], /more than one value/],
    [['md5', 'a', '--input-text=b'], /there twice/],
    [['md5', '-x'], /Options have long names/],
    [['md5', '--output-format'], /--output-format needs a value/],
    [['md5', '-', '--input-format=-'], /read once only/],
    [['md5', 'xyz', '--input-format=Hex'], /Text: character 1 is not a hexadecimal digit/],
    [['md5', 'abc', '--output=a.png'], /holds no picture/],
    [['completion', 'fish'], /bash and zsh/],
  ]
  for (const [words, sentence] of cases) {
    const { status, notes } = await run(words)
    assert.equal(status, USAGE, words.join(' '))
    assert.match(notes, sentence)
  }
})

test('problems that are not about the input are status 1, and what they say cannot harm the terminal', async () => {
  const { Problem } = await import('@assay/kit')
  const { status, notes } = await run(['md5', '@missing'], {
    file: () => {
      throw new Problem('not-found', 'The file cannot be used.', { detail: 'a\u001b[2J' })
    },
  })
  assert.equal(status, 1)
  assert.equal(notes, 'The file cannot be used.\na\\x1b[2J\n')
})

test('help, lists and tools of several actions', async () => {
  assert.match((await run(['--help'])).out, /md5\s+The 128-bit MD5 hash/)
  const help = await run(['md5', '--help'])
  assert.match(help.out, /^assay md5 \[input_text\]/)
  assert.match(help.out, /--output-format\s+Output format\s+Hex, Base64, Base64URL; default Hex/)
  assert.match(help.out, /assay md5 abc\s+# RFC 1321/)
  assert.equal((await run(['help', 'md5'])).out, help.out)
  assert.match((await run(['list', 'fingerprint'])).out, /md5/)
  assert.equal((await run(['list', 'zzzzzz'])).status, 1)
})

test('every action can be asked for help, completed and found by its address', async () => {
  for (const { action } of actions) {
    const words = action.path.split('/')
    assert.equal((await run([...words, '--help'])).status, DONE, action.path)
    assert.equal((await run([action.path, '--help'])).status, DONE, action.path)
    const { out } = await run(['complete', '--', ...words.slice(0, -1), words.at(-1) ?? ''])
    assert.ok(out.split('\n').includes(words.at(-1) ?? ''), action.path)
  }
})

test('no field has the name of a general option, and no two options of a tool are spelt alike', () => {
  const general = [...Object.keys(switches), outputOption]
  for (const { action } of actions) {
    const names = optionsOf(action).map(({ name }) => name)
    for (const name of names) assert.ok(!general.some(word => sameName(word, name)), `${action.path} ${name}`)
    assert.equal(new Set(names.map(optionName)).size, names.length, action.path)
  }
})

test('options and their values are completed', async () => {
  const complete = async (...words: string[]) => (await run(['complete', '--', ...words])).out.trimEnd().split('\n')
  assert.deepEqual(await complete('md5', '--output-f'), ['--output-format'])
  assert.deepEqual(await complete('md5', '--output-format', 'Base64'), ['Base64', 'Base64URL'])
  assert.ok((await complete('')).includes('md5'))
  for (const shell of ['bash', 'zsh']) assert.match((await run(['completion', shell])).out, /assay complete --/)
})

test('a secret is asked for where there is a terminal, and shown nowhere', async () => {
  const entry = actions.find(({ action }) =>
    Object.values(action.fields).some(data => data.secret && !data.optional && !data.default),
  )
  assert.ok(entry)
  const asked: string[] = []
  const { notes, out } = await run(entry.action.path.split('/'), {
    secret: async label => {
      asked.push(label)
      return 'kanarienvogel'
    },
  })
  assert.ok(asked.length > 0)
  assert.doesNotMatch(notes + out, /kanarienvogel/)
})

test('the examples of the help are command lines that work', async () => {
  const { action } = actions.find(({ action }) => action.path === 'md5') ?? {}
  assert.ok(action)
  assert.equal(
    exampleOf(action, { input_text: "it's", output_format: 'Base64' }),
    `assay md5 'it'\\''s' --output-format=Base64`,
  )
  assert.equal(exampleOf(action, { input_text: '-@' }), `assay md5 --input-text='-@'`)
})

test('the program itself: arguments in, result out, status', async () => {
  const main = fileURLToPath(new URL('main.ts', import.meta.url))
  const child = spawn(process.execPath, [main, 'md5', '-', '--json'], { env: {}, stdio: ['pipe', 'pipe', 'pipe'] })
  let out = ''
  child.stdout.on('data', chunk => {
    out += chunk
  })
  child.stdin.end('abc')
  assert.deepEqual(await once(child, 'close'), [0, null])
  assert.equal(JSON.parse(out).hash, '900150983cd24fb0d6963f7d28e17f72')
  const wrong = spawn(process.execPath, [main, 'md5', '@/no/such/file'], { env: {}, stdio: 'pipe' })
  let errors = ''
  wrong.stderr.on('data', chunk => {
    errors += chunk
  })
  assert.deepEqual(await once(wrong, 'close'), [1, null])
  assert.match(errors, /^The file cannot be used: ENOENT/)
})
