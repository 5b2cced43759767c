import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { type FileInput, perform, performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { fileChecksum } from './file-checksum.ts'

const [action] = fileChecksum.actions
assert.ok(action)

const fileOf = (name: string, content: Uint8Array, chunk = 65_536): FileInput => ({
  name,
  size: content.length,
  async *stream() {
    for (let start = 0; start < content.length; start += chunk) yield content.subarray(start, start + chunk)
  },
})
const run = async (raw: Record<string, unknown>) =>
  (await performed(action, raw, replay())).result as Record<string, unknown>

const CONTENT = randomBytes(1_234_567)
const FILE = fileOf('debian-13.iso', CONTENT)
const of = (name: string) => createHash(name).update(CONTENT).digest('hex')

test('[CTL-004] [CTL-157] the checksum equals sha256sum and md5sum of the file', async () => {
  for (const [algorithm, program] of Object.entries({ 'SHA-256': 'sha256sum', MD5: 'md5sum', BLAKE2b: 'b2sum' })) {
    const printed = execFileSync(program, { input: CONTENT, encoding: 'utf8' }).split(' ')[0]
    assert.equal((await run({ file: FILE, algorithm })).checksum, printed)
  }
})

test('one pass gives every checksum, and reads the file once', async () => {
  let opened = 0
  const file: FileInput = {
    ...FILE,
    stream() {
      opened++
      return FILE.stream()
    },
  }
  const { checksums } = await run({ file, algorithm: 'All of them' })
  assert.equal(opened, 1)
  const found = Object.fromEntries(
    (checksums as { algorithm: string; checksum: string }[]).map(({ algorithm, checksum }) => [algorithm, checksum]),
  )
  assert.equal(Object.keys(found).length, 9)
  assert.equal(found['SHA-1'], of('sha1'))
  assert.equal(found['SHA-512'], of('sha512'))
  assert.equal(found['SHA3-256'], of('sha3-256'))
})

test('an empty file has a checksum too', async () => {
  const { checksum, file_bytes } = await run({ file: fileOf('empty', new Uint8Array()) })
  assert.equal(checksum, 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  assert.equal(file_bytes, 0)
})

test('every published form is recognised, whatever algorithm is chosen', async () => {
  const sha512 = of('sha512')
  for (const [expected, algorithm] of [
    [of('sha256'), 'SHA-256'],
    [of('sha256').toUpperCase(), 'SHA-256'],
    [Buffer.from(of('sha256'), 'hex').toString('base64'), 'SHA-256'],
    [of('md5'), 'MD5'],
    [of('sha384'), 'SHA-384'],
    [of('sha3-256'), 'SHA3-256'],
    [of('blake2b512'), 'BLAKE2b'],
    [`${sha512}  debian-13.iso`, 'SHA-512'],
    [`${sha512} *./images/debian-13.iso`, 'SHA-512'],
    [`SHA256 (debian-13.iso) = ${of('sha256')}`, 'SHA-256'],
    [`sha256:${of('sha256')}`, 'SHA-256'],
    [`sha512-${Buffer.from(sha512, 'hex').toString('base64')}`, 'SHA-512'],
    [`${of('md5')}  other.iso\n${sha512}  debian-13.iso\n${of('md5').replaceAll('a', 'b')}  third.iso`, 'SHA-512'],
    [`${sha512}  renamed-since.iso`, 'SHA-512'],
  ] as const) {
    const { verdict, compared } = await run({ file: FILE, algorithm: 'CRC32', expected })
    assert.equal(verdict, 'match', expected)
    assert.partialDeepStrictEqual(compared, [{ algorithms: [algorithm] }], expected)
  }
})

test('a checksum that differs, is of another file, of another kind or under a wrong name never matches', async () => {
  const other = createHash('sha256').update('other').digest('hex')
  for (const [expected, verdict] of [
    [other, 'mismatch'],
    [`${other}  debian-13.iso`, 'mismatch'],
    [`SHA3-256 (debian-13.iso) = ${of('sha256')}`, 'mismatch'],
    [`${other}  debian-13.iso\n${of('sha512')}  debian-13.iso`, 'mismatch'],
    [`${of('sha256')}  a.iso\n${other}  b.iso`, 'not-listed'],
    [`WHIRLPOOL (debian-13.iso) = ${of('sha512')}`, 'unsupported'],
    [of('sha1').slice(0, 30), 'unsupported'],
  ] as const) {
    assert.equal((await run({ file: FILE, expected })).verdict, verdict, expected)
  }
})

test('what is no checksum is a problem of its field, and so is no file', async () => {
  await assert.rejects(run({ file: FILE, expected: 'it was fine yesterday' }), { name: 'Problem', field: 'expected' })
  await assert.rejects(run({}), { name: 'Problem', field: 'file' })
  await assert.rejects(run({ file: FILE, algorithm: 'SHA-257' }), { field: 'algorithm' })
})

test('progress is told with the rate, and a run that is stopped reads no further', async () => {
  let read = 0
  const endless: FileInput = {
    name: 'endless',
    size: 10 ** 12,
    async *stream() {
      for (;;) {
        read++
        yield CONTENT
      }
    },
  }
  const times = Array.from({ length: 100 }, (_, i) => i * 100).values()
  const stop = new AbortController()
  const context = { ...replay({}, stop.signal), now: () => new Date(times.next().value ?? 0) }
  const updates = perform(action, { file: endless }, context)
  const labels: unknown[] = []
  await assert.rejects(
    async () => {
      for await (const { label } of updates) {
        labels.push(label)
        if (labels.length === 3) stop.abort()
      }
    },
    { name: 'AbortError' },
  )
  assert.match(String(labels[0]), /^9 of 1000000 MB, \d+ MB\/s$/)
  assert.ok(read < 40, `${read} chunks read`)
})
