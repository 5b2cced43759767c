import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { fromUtf8 } from '../bytes.ts'
import { cidBytes, DAG_PB, formatCid, multibases, parseCid, RAW, SHA2_256, varint } from './cid.ts'
import { addFile, CHUNK_BYTES, MAX_LINKS, type UnixfsOptions } from './unixfs.ts'

async function add(bytes: Uint8Array, options: UnixfsOptions, piece = 100_003) {
  async function* pieces() {
    for (let i = 0; i < bytes.length; i += piece) yield bytes.subarray(i, i + piece)
  }
  const run = addFile(pieces(), options)
  for (;;) {
    const { done, value } = await run.next()
    if (done) return value
  }
}
const text = async (bytes: Uint8Array, options: UnixfsOptions) => formatCid((await add(bytes, options)).cid, 'base32')

const V0: UnixfsOptions = { version: 0, rawLeaves: false }
const V1: UnixfsOptions = { version: 1, rawLeaves: true }
const V1_NODES: UnixfsOptions = { version: 1, rawLeaves: false }

test('kubo README: hello world with a line break', async () =>
  assert.equal(await text(fromUtf8('hello world\n'), V0), 'QmT78zSuBmuS4z925WZfrqQ1qHaJ56DQaTfyMUF7F8ff5o'))
test('kubo, ipfs add: hello world', async () =>
  assert.equal(await text(fromUtf8('hello world'), V0), 'Qmf412jQZiuVUtdgnB36FXFX7xg5V6KEbSJ4dpQuhkLyfD'))
test('kubo, ipfs add: an empty file', async () =>
  assert.equal(await text(new Uint8Array(), V0), 'QmbFMke1KXqnYyBBWxB74N4c5SBnJMVAiMNRcGu6x1AwQH'))

const counted = (size: number) => Uint8Array.from({ length: size }, (_, i) => (i * 7 + (i >> 8)) & 255)
for (const [size, options, expected] of [
  [262_145, V0, 'QmYqRWLJRcKBePAeZWU2V9NQzKBFTzL9sEgnDg9W2wyyVY'],
  [262_145, V1, 'bafybeielov4zxeb3kwwrtgpluv2mh72hsf7vjypbok654v7i2ox5ylnlje'],
  [262_145, V1_NODES, 'bafybeief4v3nrkwsvhjmz2kujf2yunvnvwrjxtai5gtjctwr7dofyrri3m'],
  [1_000_000, V0, 'QmXCYeDMJtt3yVofYvPyc2wjhizzHS1DBAHWZ8KiM2piCM'],
  [1_000_000, V1, 'bafybeibuixlb7tz4oxx3iimql5l5erxezzx7d6u4m6dsj5thakltodmici'],
  [1_000_000, V1_NODES, 'bafybeihzumvy3tvflkmvubx5ic5uu5o53yqj4cunm5kt7weydtmu3av7se'],
  [CHUNK_BYTES * (MAX_LINKS + 1), V0, 'QmPm49HWrowsuMB39KZkqAEfZ7jFogZ3qeDrisNdfD6wY2'],
  [CHUNK_BYTES * (MAX_LINKS + 1), V1, 'bafybeiee3tdsyco5hplxna2wvpb7pp2zopzftzdnyjh3z2fbo7rovy3wzy'],
] as const) {
  const raw = options.rawLeaves ? 'raw leaves' : 'nodes'
  test(`ipfs-only-hash 4.0.0: ${size} bytes, version ${options.version}, ${raw}`, async () =>
    assert.equal(await text(counted(size), options), expected))
}

test('how the stream is cut makes no difference', async () => {
  const bytes = randomBytes(600_000)
  const whole = formatCid((await add(bytes, V1, 600_000)).cid, 'base32')
  for (const piece of [1009, 262_144, 262_145, 524_289]) {
    assert.equal(formatCid((await add(bytes, V1, piece)).cid, 'base32'), whole)
  }
})

test('a file of 175 pieces has two nodes below its root', async () => {
  const { leaves, depth, blocks, bytes, totalBytes } = await add(new Uint8Array(CHUNK_BYTES * 175), V1)
  assert.deepEqual([leaves, depth, blocks, bytes], [175, 2, 178, CHUNK_BYTES * 175])
  assert.ok(totalBytes > bytes)
})

test('CID specification: the examples read back in each base', () => {
  for (const [given, base, version, codec] of [
    ['QmT78zSuBmuS4z925WZfrqQ1qHaJ56DQaTfyMUF7F8ff5o', 'base58btc', 0, DAG_PB],
    ['bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi', 'base32', 1, DAG_PB],
    ['bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku', 'base32', 1, RAW],
    ['zb2rhk6GMPQF3hfzwXTaNYFLKomMeC6UXdUt6jZKPpeVirLtV', 'base58btc', 1, RAW],
  ] as const) {
    const read = parseCid(given)
    assert.deepEqual([read.base, read.cid.version, read.cid.codec, read.cid.hash], [base, version, codec, SHA2_256])
    assert.equal(formatCid(read.cid, base), given)
  }
})

test('200 random identifiers read back in each base', () => {
  for (let i = 0; i < 200; i++) {
    const cid = {
      version: 1,
      codec: i % 2 ? RAW : DAG_PB,
      hash: SHA2_256,
      digest: Uint8Array.from(randomBytes(32)),
    } as const
    for (const base of multibases) assert.deepEqual(parseCid(formatCid(cid, base)), { cid, base })
    assert.deepEqual(parseCid(`f${Buffer.from(cidBytes(cid)).toString('hex')}`).cid, cid)
    assert.deepEqual(parseCid(`ipfs://${formatCid(cid, 'base36')}`).cid, cid)
  }
})

test('unsigned-varint specification: its examples', () => {
  for (const [value, bytes] of [
    [1, [0x01]],
    [127, [0x7f]],
    [128, [0x80, 0x01]],
    [255, [0xff, 0x01]],
    [300, [0xac, 0x02]],
    [16384, [0x80, 0x80, 0x01]],
  ] as const) {
    assert.deepEqual([...varint(value)], [...bytes])
  }
})

test('what is no CID is refused', () => {
  const good = 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku'
  for (const wrong of [
    '',
    'b',
    'hello',
    'QmT78zSuBmuS4z925WZfrqQ1qHaJ56DQaTfyMUF7F8ff5',
    good.slice(0, -1),
    `${good}a`,
    good.toUpperCase().replace('B', 'b'),
    'f00',
    'f0155122000',
    'zzzz0',
    'k!!',
    'f01551e80808080808080',
    'b'.repeat(600),
  ]) {
    assert.throws(() => parseCid(wrong), RangeError, wrong)
  }
})
