import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { crc32 as zlibCrc32 } from 'node:zlib'
import { fromUtf8 } from '../bytes.ts'
import { type CrcParameters, crc, crc16Rows, crc32Rows, createCrc, posixCksum, reflect } from './crc.ts'

for (const [name, parameters] of Object.entries({ ...crc16Rows, ...crc32Rows })) {
  test(`CRC RevEng catalogue: ${name} of "123456789" is its check value`, () =>
    assert.equal(crc(parameters, fromUtf8('123456789')), parameters.check))
}

/** Rows of other shapes, so that the engine is held to more than 32 reflected bits. */
const others: Record<string, CrcParameters> = {
  'CRC-3/GSM': { width: 3, poly: 0x3n, init: 0n, refin: false, refout: false, xorout: 0x7n, check: 0x4n },
  'CRC-3/ROHC': { width: 3, poly: 0x3n, init: 0x7n, refin: true, refout: true, xorout: 0n, check: 0x6n },
  'CRC-5/USB': { width: 5, poly: 0x05n, init: 0x1fn, refin: true, refout: true, xorout: 0x1fn, check: 0x19n },
  'CRC-7/MMC': { width: 7, poly: 0x09n, init: 0n, refin: false, refout: false, xorout: 0n, check: 0x75n },
  'CRC-8/SMBUS': { width: 8, poly: 0x07n, init: 0n, refin: false, refout: false, xorout: 0n, check: 0xf4n },
  'CRC-12/UMTS': { width: 12, poly: 0x80fn, init: 0n, refin: false, refout: true, xorout: 0n, check: 0xdafn },
  'CRC-16/ARC': { width: 16, poly: 0x8005n, init: 0n, refin: true, refout: true, xorout: 0n, check: 0xbb3dn },
  'CRC-16/IBM-3740': {
    width: 16,
    poly: 0x1021n,
    init: 0xffffn,
    refin: false,
    refout: false,
    xorout: 0n,
    check: 0x29b1n,
  },
  'CRC-16/XMODEM': { width: 16, poly: 0x1021n, init: 0n, refin: false, refout: false, xorout: 0n, check: 0x31c3n },
  'CRC-24/OPENPGP': {
    width: 24,
    poly: 0x864cfbn,
    init: 0xb704cen,
    refin: false,
    refout: false,
    xorout: 0n,
    check: 0x21cf02n,
  },
  'CRC-64/ECMA-182': {
    width: 64,
    poly: 0x42f0e1eba9ea3693n,
    init: 0n,
    refin: false,
    refout: false,
    xorout: 0n,
    check: 0x6c40df5f0b497347n,
  },
  'CRC-64/XZ': {
    width: 64,
    poly: 0x42f0e1eba9ea3693n,
    init: 0xffffffffffffffffn,
    refin: true,
    refout: true,
    xorout: 0xffffffffffffffffn,
    check: 0x995dc9bbdf1939fan,
  },
  'CRC-82/DARC': {
    width: 82,
    poly: 0x0308c0111011401440411n,
    init: 0n,
    refin: true,
    refout: true,
    xorout: 0n,
    check: 0x09ea83f625023801fd612n,
  },
}
for (const [name, parameters] of Object.entries(others)) {
  test(`CRC RevEng catalogue: ${name} of "123456789" is its check value`, () =>
    assert.equal(crc(parameters, fromUtf8('123456789')), parameters.check))
}

/** Division bit by bit as the model defines it, with neither table nor reflected register. */
function longDivision({ width, poly, init, refin, refout, xorout }: CrcParameters, message: Uint8Array): bigint {
  const top = 1n << BigInt(width)
  let register = init
  for (const byte of message) {
    const bits = refin ? reflect(BigInt(byte), 8) : BigInt(byte)
    for (let bit = 7n; bit >= 0n; bit--) {
      const out = (register >> BigInt(width - 1)) ^ ((bits >> bit) & 1n)
      register = ((register << 1n) & (top - 1n)) ^ (out ? poly : 0n)
    }
  }
  return (refout ? reflect(register, width) : register) ^ xorout
}

test('random parameters of every width equal division bit by bit', () => {
  const below = (limit: bigint) => BigInt(`0x${randomBytes(12).toString('hex')}`) % limit
  for (let width = 1; width <= 82; width++) {
    const limit = 1n << BigInt(width)
    for (const [refin, refout] of [
      [false, false],
      [true, true],
      [false, true],
      [true, false],
    ] as const) {
      const parameters = {
        width,
        poly: below(limit) | 1n,
        init: below(limit),
        xorout: below(limit),
        refin,
        refout,
        check: 0n,
      }
      const message = randomBytes(40)
      assert.equal(crc(parameters, message), longDivision(parameters, message), JSON.stringify(parameters, print))
    }
  }
})
const print = (_: string, value: unknown) => (typeof value === 'bigint' ? `0x${value.toString(16)}` : value)

test('CRC-32/ISO-HDLC equals zlib for 500 random messages, in pieces too', () => {
  for (let length = 0; length < 500; length++) {
    const message = randomBytes(length < 400 ? length : length * 37)
    const expected = BigInt(zlibCrc32(message))
    assert.equal(crc(crc32Rows['CRC-32/ISO-HDLC'], message), expected)
    const cut = length >> 1
    const running = createCrc(crc32Rows['CRC-32/ISO-HDLC']).update(message.subarray(0, cut))
    assert.equal(running.value(), crc(crc32Rows['CRC-32/ISO-HDLC'], message.subarray(0, cut)))
    assert.equal(running.update(message.subarray(cut)).value(), expected)
    assert.equal(crc(crc32Rows['CRC-32/JAMCRC'], message), expected ^ 0xffffffffn)
  }
})

test('CRC-32/ISO-HDLC equals binascii of Python for lengths 0 to 300', () => {
  const message = randomBytes(300)
  const script = 'import binascii,sys\nm=sys.stdin.buffer.read()\nprint([binascii.crc32(m[:i]) for i in range(301)])'
  const theirs: unknown = JSON.parse(execFileSync('python3', ['-c', script], { input: message, encoding: 'utf8' }))
  const ours = Array.from({ length: 301 }, (_, length) =>
    Number(crc(crc32Rows['CRC-32/ISO-HDLC'], message.subarray(0, length))),
  )
  assert.deepEqual(ours, theirs)
})

test('POSIX.1-2017 cksum: the number that the program prints', () => {
  for (const length of [0, 1, 5, 255, 256, 257, 65_535, 65_536, 100_000]) {
    const message = randomBytes(length)
    const { stdout } = spawnSync('cksum', { input: message, encoding: 'utf8' })
    assert.equal(`${posixCksum(message)} ${length}`, stdout.trim())
  }
})

test('RFC 3720 §B.4: CRC-32C of 32 bytes of zeros, of ones, going up and going down', () => {
  const castagnoli = (message: Uint8Array) => crc(crc32Rows['CRC-32/ISCSI'], message)
  assert.equal(castagnoli(new Uint8Array(32)), 0x8a9136aan)
  assert.equal(castagnoli(new Uint8Array(32).fill(0xff)), 0x62a8ab43n)
  assert.equal(castagnoli(Uint8Array.from({ length: 32 }, (_, i) => i)), 0x46dd794en)
  assert.equal(castagnoli(Uint8Array.from({ length: 32 }, (_, i) => 31 - i)), 0x113fdb5cn)
})

test('parameters that do not fit their width are refused', () => {
  const row = crc32Rows['CRC-32/ISO-HDLC']
  for (const width of [0, -1, 83, 1.5, Number.NaN])
    assert.throws(() => crc({ ...row, width }, fromUtf8('a')), RangeError)
  assert.throws(() => createCrc({ ...row, width: 31 }), /poly|init|xorout/)
  assert.throws(() => createCrc({ ...row, poly: 1n << 32n }), /poly to fit in 32 bits/)
  assert.throws(() => createCrc({ ...row, init: -1n }), /init to fit in 32 bits/)
  assert.throws(() => createCrc({ ...row, xorout: 1n << 40n }), /xorout to fit in 32 bits/)
})

/** R. Williams's model bit by bit in Python, without tables or reflected registers. */
const BIT_BY_BIT = `
import sys
def flip(v, n): return int(format(v, '0%db' % n)[::-1], 2)
for line in sys.stdin:
    poly, init, ref, xorout, message = line.rstrip('\\n').split(',')
    poly, reg, xorout = int(poly), int(init), int(xorout)
    for byte in bytes.fromhex(message):
        byte = flip(byte, 8) if ref == 'true' else byte
        for i in range(7, -1, -1):
            top = (reg >> 15) ^ (byte >> i & 1)
            reg = reg << 1 & 0xffff
            if top: reg ^= poly
    print((flip(reg, 16) if ref == 'true' else reg) ^ xorout)
`

test('CRC-16: 250 random messages by each of the 31 rows equal the model bit by bit in Python', () => {
  const cases = Object.values(crc16Rows).flatMap(parameters =>
    Array.from({ length: 250 }, (_, length) => ({ parameters, message: randomBytes(length % 50) })),
  )
  const input = cases.map(({ parameters: { poly, init, refin, xorout }, message }) =>
    [poly, init, refin, xorout, message.toString('hex')].join(),
  )
  const printed = execFileSync('python3', ['-c', BIT_BY_BIT], { input: `${input.join('\n')}\n`, encoding: 'utf8' })
  assert.deepEqual(
    cases.map(({ parameters, message }) => String(crc(parameters, message))),
    printed.trim().split('\n'),
  )
})

test('CRC-16/XMODEM, IBM-3740 and SPI-FUJITSU: 300 random messages each equal binascii.crc_hqx', () => {
  const rows = [crc16Rows['CRC-16/XMODEM'], crc16Rows['CRC-16/IBM-3740'], crc16Rows['CRC-16/SPI-FUJITSU']]
  const cases = rows.flatMap(row => Array.from({ length: 300 }, (_, i) => ({ row, message: randomBytes(i * 3) })))
  const program =
    'import sys,binascii\nfor l in sys.stdin: i,m=l.strip("\\n").split(","); print(binascii.crc_hqx(bytes.fromhex(m),int(i)))'
  const input = cases.map(({ row, message }) => `${row.init},${message.toString('hex')}\n`).join('')
  assert.deepEqual(
    cases.map(({ row, message }) => String(crc(row, message))),
    execFileSync('python3', ['-c', program], { input, encoding: 'utf8' }).trim().split('\n'),
  )
})
