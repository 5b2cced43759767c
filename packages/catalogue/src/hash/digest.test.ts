import assert from 'node:assert/strict'
import { test } from 'node:test'
import { performed, type Tool } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { crc16, crc32 } from './crc.ts'
import { md5 } from './md5.ts'
import { sha } from './sha.ts'
import { sha3Blake } from './sha3-blake.ts'

async function run({ actions: [action] }: Tool, raw: Record<string, unknown>) {
  assert.ok(action)
  return (await performed(action, raw, replay())).result as Record<string, unknown>
}

test('[CTL-001] RFC 1321 §A.5: md5 of the digits, as text, hex and Base64', async () => {
  const digits = '1234567890'.repeat(8)
  for (const [input_format, input_text] of [
    ['UTF-8', digits],
    ['Hex', Buffer.from(digits).toString('hex')],
    ['Base64', Buffer.from(digits).toString('base64')],
    ['Latin-1', digits],
  ]) {
    const { hash } = await run(md5, { input_text, input_format })
    assert.equal(hash, '57edf4a22be3c955ac49da2e2107b67a')
  }
})

test('[CTL-002] FIPS 180-2 §B.1: sha presets SHA-256', async () => {
  const { hash, algorithm } = await run(sha, { input_text: 'abc' })
  assert.equal(hash, 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  assert.equal(algorithm, 'SHA-256')
})

test('[CTL-012] FIPS 202: every function of sha3-blake gives as many bits as it names', async () => {
  const lengths: Record<string, unknown> = {}
  for (const algorithm of sha3Blake.actions[0]?.fields.algorithm?.options ?? []) {
    lengths[algorithm] = (await run(sha3Blake, { input_text: 'abc', algorithm })).bits
  }
  assert.deepEqual(lengths, {
    'SHA3-224': 224,
    'SHA3-256': 256,
    'SHA3-384': 384,
    'SHA3-512': 512,
    'BLAKE2b-512': 512,
    'BLAKE2s-256': 256,
    BLAKE3: 256,
    'BLAKE-256': 256,
    'BLAKE-512': 512,
  })
})

test('[CTL-015] CRC RevEng catalogue: crc32 gives the check value of every algorithm', async () => {
  const found: Record<string, unknown> = {}
  for (const algorithm of crc32.actions[0]?.fields.algorithm?.options ?? []) {
    found[algorithm] = (await run(crc32, { input_text: '123456789', algorithm })).checksum
  }
  assert.deepEqual(found, {
    'CRC-32/ISO-HDLC': 'cbf43926',
    'CRC-32C': 'e3069283',
    'CRC-32/BZIP2': 'fc891918',
    'CRC-32/MPEG-2': '0376e6e7',
    'CRC-32/POSIX': '765e7680',
    'CRC-32/JAMCRC': '340bc6d9',
    'CRC-32/XFER': 'bd0be338',
  })
})

test('CRC RevEng catalogue: the other names of an algorithm are told', async () => {
  for (const [tool, algorithm, alias] of [
    [crc16, 'CRC-16/IBM-3740', 'CRC-16/CCITT-FALSE'],
    [crc16, 'CRC-16/SPI-FUJITSU', 'CRC-16/AUG-CCITT'],
    [crc32, 'CRC-32C', 'CRC-32/CASTAGNOLI'],
  ] as const) {
    const [action] = tool.actions
    assert.ok(action)
    const { result, input } = await performed(action, { input_text: '123456789', algorithm }, replay())
    assert.match(JSON.stringify(action.show?.(result, input)), new RegExp(`"Also called","[^"]*${alias}`))
  }
})

test('[OPEN-099] a space before or after the text is data', async () => {
  for (const tool of [md5, sha, sha3Blake]) {
    const hashes = await Promise.all(['a', ' a', 'a ', ' a '].map(input_text => run(tool, { input_text })))
    assert.equal(new Set(hashes.map(({ hash }) => hash)).size, 4)
  }
})

test('SHA-1 carries its warning, SHA-256 does not', async () => {
  const kinds = (algorithm: string) =>
    sha.actions[0]?.show?.({ hash: '', algorithm, bits: 0, input_bytes: 0 }, { algorithm }).map(({ kind }) => kind)
  assert.deepEqual(kinds('SHA-1'), ['facts', 'note'])
  assert.deepEqual(kinds('SHA-256'), ['facts'])
})

test('what cannot be hashed is a problem of its field', async () => {
  for (const tool of [md5, sha, sha3Blake, crc32]) {
    await assert.rejects(run(tool, { input_text: 'abc', input_format: 'Hex' }), {
      name: 'Problem',
      field: 'input_text',
    })
    await assert.rejects(run(tool, { input_text: 'ab=c', input_format: 'Base64' }), { field: 'input_text' })
    await assert.rejects(run(tool, { input_text: 'Ł', input_format: 'Latin-1' }), { field: 'input_text' })
    await assert.rejects(run(tool, { input_text: '\ud800' }), { field: 'input_text' })
    await assert.rejects(run(tool, { input_text: 'abc', input_format: 'EBCDIC' }), { field: 'input_format' })
    await assert.rejects(run(tool, { input_text: 'abc', salt: 'x' }), /Unknown field/)
  }
  await assert.rejects(run(sha, { input_text: 'abc', algorithm: 'SHA-3' }), { field: 'algorithm' })
})
