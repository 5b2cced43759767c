import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Fields, field } from './field.ts'
import { fileOf, readInput } from './read.ts'

const refused = (fields: Fields, raw: Record<string, unknown>, message: RegExp, at?: string) =>
  assert.rejects(readInput(fields, raw), (error: { name: string; code: string; message: string; field?: string }) => {
    assert.equal(error.name, 'Problem')
    assert.equal(error.code, 'invalid-input')
    assert.match(error.message, message)
    assert.equal(error.field, at)
    return true
  })

test('bytes are read in the format that stands beside them', async () => {
  const fields = { input_text: field.bytes('Text'), key: field.bytes('Key', { format: 'Hex' }) }
  assert.deepEqual(await readInput(fields, { input_text: 'é', key: '00ff' }), {
    input_text: Uint8Array.of(0xc3, 0xa9),
    key: Uint8Array.of(0, 255),
  })
  assert.deepEqual(
    await readInput(fields, { input_text: 'AP8=', input_format: 'base64', key: 'é', key_format: 'Latin-1' }),
    {
      input_text: Uint8Array.of(0, 255),
      key: Uint8Array.of(0xe9),
    },
  )
  assert.deepEqual(await readInput(fields, {}), { input_text: new Uint8Array(), key: new Uint8Array() })
  await refused(fields, { key: 'xyz' }, /^Key: character 1 is not a hexadecimal digit\.$/, 'key')
  await refused(fields, { input_format: 'EBCDIC' }, /^Text: the format must be one of UTF-8, Hex/, 'input_format')
})

test('[OPEN-099] text is never trimmed', async () => {
  assert.deepEqual(await readInput({ text: field.area('Text') }, { text: ' a \n' }), { text: ' a \n' })
})

test('half of a surrogate pair is no text: it could not be sent or saved', async () => {
  await refused({ text: field.area('Text') }, { text: 'a\udc00' }, /^Text: expected text without half/, 'text')
})

test('optional fields left empty are absent', async () => {
  const fields = { a: field.text('A', { optional: true }), b: field.bytes('B', { optional: true }) }
  assert.deepEqual(await readInput(fields, { a: '', b: '' }), { a: undefined, b: undefined })
})

test('choices: default, case, and what is not on offer', async () => {
  const fields = { mode: field.choice('Mode', ['GCM', 'CBC']) }
  assert.deepEqual(await readInput(fields, {}), { mode: 'GCM' })
  assert.deepEqual(await readInput(fields, { mode: 'cbc' }), { mode: 'CBC' })
  await refused(fields, { mode: 'XTS' }, /^Mode: expected one of GCM, CBC\.$/, 'mode')
  await refused(fields, { mode: '' }, /^Mode: expected one of/, 'mode')
})

test('flags are yes and no, true and false', async () => {
  const fields = { strict: field.flag('Strict') }
  for (const [value, read] of [
    ['yes', true],
    ['no', false],
    [true, true],
    [false, false],
    ['TRUE', true],
  ] as const) {
    assert.deepEqual(await readInput(fields, { strict: value }), { strict: read })
  }
  await refused(fields, { strict: 'maybe' }, /yes, no/, 'strict')
})

test('numbers are whole, bounded and said so', async () => {
  const fields = { shift: field.number('Shift', { min: 0, max: 25, default: 3 }) }
  assert.deepEqual(await readInput(fields, {}), { shift: 3 })
  assert.deepEqual(await readInput(fields, { shift: '7' }), { shift: 7 })
  assert.deepEqual(await readInput(fields, { shift: 0 }), { shift: 0 })
  for (const bad of [
    '',
    ' ',
    'x',
    '1.5',
    '1e1',
    '0x1',
    26,
    -1,
    2 ** 31,
    Number.POSITIVE_INFINITY,
    Number.NaN,
    '1e309',
  ]) {
    await refused(fields, { shift: bad }, /^Shift: expected a whole number from 0 to 25\.$/, 'shift')
  }
})

test('too long, lists, objects and unknown names are refused', async () => {
  const fields = { text: field.text('Text', { maxLength: 4 }) }
  await refused(fields, { text: '12345' }, /^Text: expected at most 4 characters, got 5\.$/, 'text')
  await refused(fields, { text: ['a'] }, /^Text: expected one value/, 'text')
  await refused(fields, { text: {} }, /^Text: expected one value/, 'text')
  await refused(fields, { txet: 'a' }, /^Unknown field: this tool takes text\.$/)
  await refused({}, { a: 1 }, /takes none/)
})

test('a door may take less text than a page', async () => {
  const fields = { text: field.area('Text') }
  assert.deepEqual(await readInput(fields, { text: '12345' }), { text: '12345' })
  await assert.rejects(readInput(fields, { text: '12345' }, { textLength: 4 }), {
    message: 'Text: expected at most 4 characters, got 5.',
  })
})

test('[OPEN-075] a field whose condition does not hold is not read', async () => {
  const fields = {
    mode: field.choice('Mode', ['GCM', 'ECB']),
    iv: field.bytes('IV', { optional: true, format: 'Hex', dependsOn: { field: 'mode', values: ['GCM'] } }),
  }
  assert.deepEqual(await readInput(fields, { mode: 'ECB', iv: 'not hex' }), { mode: 'ECB', iv: undefined })
  await refused(fields, { iv: 'not hex' }, /^IV: character 1/, 'iv')
})

test('files are streams; text will do for one', async () => {
  const fields = { file: field.file('File') }
  const { file } = await readInput(fields, { file: fileOf('abc') })
  const chunks: Uint8Array[] = []
  for await (const chunk of (file as ReturnType<typeof fileOf>).stream()) chunks.push(chunk)
  assert.equal(Buffer.concat(chunks).toString(), 'abc')
  await refused(fields, {}, /^File: choose a file\.$/, 'file')
  await refused(fields, { file: 3 }, /multipart/, 'file')
})

test('[OPEN-021] names and addresses are refused in the fixed words, with the reason beside', async () => {
  await refused({ domain: field.domain('Domain') }, { domain: 'exa mple' }, /^Invalid domain$/, 'domain')
  await refused({ ip: field.ip('Address') }, { ip: '999.1.1.1' }, /^Invalid IP$/, 'ip')
  await refused(
    { domain: field.domain('Domain') },
    {},
    /^Domain: please enter a value such as example\.com\.$/,
    'domain',
  )
  assert.deepEqual(await readInput({ domain: field.domain('Domain') }, { domain: ' Bücher.Example. ' }), {
    domain: 'xn--bcher-kva.example',
  })
  assert.deepEqual(await readInput({ ip: field.ip('Address') }, { ip: '2001:4860:4860::8888' }), {
    ip: '2001:4860:4860::8888',
  })
})

test('[OPEN-039] a web address without a scheme is read as https, or stays without where both are tried', async () => {
  const read = (typed: string, schemeOptional: boolean) =>
    readInput({ url: field.url('Web address', { schemeOptional }) }, { url: typed })
  assert.deepEqual(await read('Example.com/a', false), { url: 'https://example.com/a' })
  assert.deepEqual(await read('Example.com/a', true), { url: 'example.com/a' })
  for (const typed of ['http://example.com/', 'https://example.com/']) {
    assert.deepEqual(await read(typed, true), { url: typed })
  }
})
