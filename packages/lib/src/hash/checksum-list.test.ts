import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { toHex } from '../bytes.ts'
import { fileName, parseChecksums } from './checksum-list.ts'

const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
const EMPTY_MD5 = 'd41d8cd98f00b204e9800998ecf8427e'

const shown = (text: string) =>
  parseChecksums(text).map(({ hash, form, label, file }) => ({
    hash: toHex(hash),
    form,
    ...(label && { label }),
    ...(file && { file }),
  }))

test('a bare hash, in hexadecimal of either case or in Base64', () => {
  for (const text of [EMPTY_SHA256, EMPTY_SHA256.toUpperCase(), `\n  ${EMPTY_SHA256}\r\n`]) {
    assert.deepEqual(shown(text), [{ hash: EMPTY_SHA256, form: 'hexadecimal' }])
  }
  for (const text of ['47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=', '47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU']) {
    assert.deepEqual(shown(text), [{ hash: EMPTY_SHA256, form: 'Base64' }])
  }
  assert.deepEqual(shown('cbf43926'), [{ hash: 'cbf43926', form: 'hexadecimal' }])
})

test('Subresource Integrity §3.1 and OCI digests: the name stands before the hash', () => {
  assert.deepEqual(shown('sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='), [
    { hash: EMPTY_SHA256, form: 'Base64', label: 'sha256' },
  ])
  assert.deepEqual(shown(`sha256:${EMPTY_SHA256}`), [{ hash: EMPTY_SHA256, form: 'hexadecimal', label: 'sha256' }])
  assert.deepEqual(shown(`SHA3-256:${EMPTY_SHA256}`), [{ hash: EMPTY_SHA256, form: 'hexadecimal', label: 'SHA3-256' }])
})

/** The real programs over names that need escapes, brackets and spaces. */
test('GNU coreutils: what sha256sum, md5sum, b2sum and cksum print is read back', () => {
  const folder = mkdtempSync(join(tmpdir(), 'checksum-'))
  const files = ['plain.iso', 'two words.iso', 'a (1).iso', 'star*', 'back\\slash', 'line\nbreak', 'SHA256 (x) = y']
  try {
    for (const file of files) writeFileSync(join(folder, file), file)
    for (const [program, ...options] of [
      ['sha256sum'],
      ['sha256sum', '--binary'],
      ['sha256sum', '--tag'],
      ['md5sum', '--tag'],
      ['sha512sum'],
      ['b2sum', '--tag'],
    ]) {
      assert.ok(program)
      const text = execFileSync(program, [...options, '--', ...files], { cwd: folder, encoding: 'utf8' })
      assert.deepEqual(
        parseChecksums(text).map(({ file }) => file),
        files,
        `${program} ${options}`,
      )
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a signed list: what stands around the lines is passed over', () => {
  const text = `-----BEGIN PGP SIGNED MESSAGE-----
Hash: SHA512

# made on a Tuesday
${EMPTY_SHA256} *debian.iso
${EMPTY_MD5}  notes/read me.txt
SHA1 (old.iso) = da39a3ee5e6b4b0d3255bfef95601890afd80709
-----BEGIN PGP SIGNATURE-----

iQIzBAEBCgAdFiEE
-----END PGP SIGNATURE-----`
  assert.deepEqual(shown(text), [
    { hash: EMPTY_SHA256, form: 'hexadecimal', file: 'debian.iso' },
    { hash: EMPTY_MD5, form: 'hexadecimal', file: 'notes/read me.txt' },
    {
      hash: 'da39a3ee5e6b4b0d3255bfef95601890afd80709',
      form: 'hexadecimal',
      label: 'SHA1',
      file: 'old.iso',
    },
  ])
})

test('what is no checksum is refused', () => {
  for (const text of [
    '',
    '   \n',
    'hello',
    'abc',
    EMPTY_MD5.slice(1),
    `${EMPTY_SHA256}zz`,
    'SHA256 (x) = nothing',
    'ab'.repeat(65),
  ]) {
    assert.throws(() => parseChecksums(text), RangeError, text)
  }
  assert.throws(() => parseChecksums('\n'.repeat(200_000)), /at most 100000 lines/)
})

test('a long line without an answer costs no time', () => {
  for (const text of [
    '('.repeat(500_000),
    `SHA256 (${') = '.repeat(200_000)}`,
    ' '.repeat(500_000),
    'a:'.repeat(400_000),
  ]) {
    assert.throws(() => parseChecksums(text), RangeError)
  }
})

test('fileName takes the last part of any path', () => {
  assert.deepEqual(['a/b/c.iso', './c.iso', 'C:\\x\\c.iso', 'c.iso'].map(fileName), [
    'c.iso',
    'c.iso',
    'c.iso',
    'c.iso',
  ])
})
