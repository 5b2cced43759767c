import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { test } from 'node:test'
import { type Bytes, fromHex, toHex } from '../bytes.ts'
import type { BlockCipher } from './block-cipher.ts'
import { type BlockMode, blockModes, decryptBlocks, encryptBlocks, isPadded, ivBytesOf } from './block-mode.ts'
import { type Padding, paddings } from './block-padding.ts'
import { blowfish } from './blowfish.ts'
import { cast128 } from './cast128.ts'
import { des, tripleDes } from './des.ts'

const random = (length: number): Bytes => Uint8Array.from(randomBytes(length))
const pick = <T>(values: readonly T[], i: number): T => values[i % values.length] as T

interface Cipher {
  setUp(key: Bytes): BlockCipher
  /** Lengths that LibTomCrypt takes, and those that openssl enc takes. */
  keyBytes: readonly number[]
  opensslKeyBytes: readonly number[]
  cryptX: string
  openssl(key: Bytes): string
}
const ciphers: Record<string, Cipher> = {
  DES: { setUp: des, keyBytes: [8], opensslKeyBytes: [8], cryptX: 'DES', openssl: () => 'des' },
  'Triple DES': {
    setUp: tripleDes,
    keyBytes: [24],
    opensslKeyBytes: [16, 24],
    cryptX: 'DES_EDE',
    openssl: key => (key.length === 16 ? 'des-ede' : 'des-ede3'),
  },
  Blowfish: {
    setUp: blowfish,
    keyBytes: [8, 9, 15, 16, 17, 31, 32, 48, 55, 56],
    opensslKeyBytes: [16],
    cryptX: 'Blowfish',
    openssl: () => 'bf',
  },
  'CAST-128': {
    setUp: cast128,
    keyBytes: [5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
    opensslKeyBytes: [16],
    cryptX: 'CAST5',
    openssl: () => 'cast5',
  },
}

interface Case {
  mode: BlockMode
  key: Bytes
  iv: Bytes
  padding: Padding
  text: Bytes
}
/** Every mode with every padding, lengths from 0 to 64. */
function cases(keyBytes: readonly number[], count: number, modes: readonly BlockMode[], padded: readonly Padding[]) {
  return Array.from({ length: count }, (_, i): Case => {
    const mode = pick(modes, i)
    const padding = pick(padded, Math.floor(i / modes.length))
    const whole = isPadded(mode) && padding === 'None'
    const length = whole ? 8 * randomInt(1, 9) : randomInt(0, 65)
    const key = random(pick(keyBytes, Math.floor(i / 7)))
    return { mode, key, iv: random(ivBytesOf(mode, 8)), padding, text: random(length) }
  })
}

const encrypted = ({ setUp }: Cipher, { key, text, ...job }: Case) =>
  encryptBlocks({ cipher: setUp(key), ...job }, text, random)
const decrypted = ({ setUp }: Cipher, { key, ...job }: Case, text: Bytes) =>
  decryptBlocks({ cipher: setUp(key), ...job }, text)

/** The numbers of CryptX for its paddings. */
const cryptXPaddings: Partial<Record<Padding, number>> = { None: 0, PKCS7: 1, 'ISO7816-4': 2 }
const hasCryptX = spawnSync('perl', ['-MCrypt::Mode::CTR', '-MCrypt::Mode::CBC', '-e', '1']).status === 0
const CRYPTX = `
  while (<STDIN>) {
    chomp;
    my ($mode, $cipher, $padding, $key, $iv, $text) = map { $_ // "" } split /,/, $_, -1;
    my $class = "Crypt::Mode::$mode";
    eval "require $class" or die $@;
    my $padded = $mode eq "CBC" || $mode eq "ECB";
    my $m = $padded ? $class->new($cipher, $padding) : $mode eq "CTR" ? $class->new($cipher, 1) : $class->new($cipher);
    my @more = $mode eq "ECB" ? () : (pack("H*", $iv));
    print unpack("H*", $m->encrypt(pack("H*", $text), pack("H*", $key), @more)), "\\n";
  }`

for (const [name, cipher] of Object.entries(ciphers)) {
  test(`NIST SP 800-38A: 300 random cases of ${name} equal LibTomCrypt`, { skip: !hasCryptX }, () => {
    const padded = paddings.filter(padding => padding in cryptXPaddings)
    const all = cases(cipher.keyBytes, 300, blockModes, padded)
    const input = all.map(({ mode, padding, key, iv, text }) =>
      [mode, cipher.cryptX, cryptXPaddings[padding], toHex(key), toHex(iv), toHex(text)].join(','),
    )
    const printed = execFileSync('perl', ['-e', CRYPTX], { input: input.join('\n'), encoding: 'utf8' }).trimEnd()
    all.forEach((one, i) => {
      const made = encrypted(cipher, one)
      assert.equal(toHex(made), printed.split('\n')[i], input[i])
      assert.equal(toHex(decrypted(cipher, one, made)), toHex(one.text), input[i])
    })
  })

  test(`NIST SP 800-38A: 60 random cases of ${name} equal OpenSSL`, () => {
    const all = cases(cipher.opensslKeyBytes, 60, ['CBC', 'ECB', 'CFB', 'OFB'], ['PKCS7', 'None'])
    const script = all.map(({ mode, key, iv, padding, text }) => {
      const bytes = [...text].map(byte => `\\${byte.toString(8).padStart(3, '0')}`).join('')
      const options = [
        `-${cipher.openssl(key)}-${mode.toLowerCase()} -K ${toHex(key)}`,
        iv.length ? `-iv ${toHex(iv)}` : '',
        isPadded(mode) && padding === 'None' ? '-nopad' : '',
      ]
      return `printf '${bytes}' | openssl enc -provider legacy -provider default ${options.join(' ')} | xxd -p -c 256; echo .`
    })
    const printed = execFileSync('sh', ['-c', script.join('\n')], { encoding: 'utf8', maxBuffer: 2 ** 22 })
    assert.deepEqual(
      all.map(one => toHex(encrypted(cipher, one))),
      printed.replace(/\s/g, '').split('.').slice(0, -1),
    )
  })

  test(`${name}: every padding there and back at every length from 0 to 64`, () => {
    const key = random(cipher.keyBytes[0] ?? 8)
    for (const padding of paddings.filter(padding => padding !== 'None' && padding !== 'Zero')) {
      for (let length = 0; length <= 64; length++) {
        const one: Case = { mode: 'CBC', key, iv: random(8), padding, text: random(length) }
        const made = encrypted(cipher, one)
        assert.equal(made.length, 8 * Math.floor(length / 8) + 8)
        assert.deepEqual(decrypted(cipher, one, made), one.text)
      }
    }
  })
}

test('NIST SP 800-38A §B.1: the counter runs over from all ones to zero', () => {
  const cipher = des(fromHex('0123456789abcdef'))
  const job = { cipher, mode: 'CTR', iv: fromHex('ffffffffffffffff'), padding: 'None' } as const
  const blocks = (...hex: string[]) => {
    const bytes = fromHex(hex.join(''))
    for (let i = 0; i < bytes.length; i += 8) cipher.encrypt(bytes, i)
    return toHex(bytes)
  }
  const stream = toHex(encryptBlocks(job, new Uint8Array(24), random))
  assert.equal(stream, blocks('ffffffffffffffff', '0000000000000000', '0000000000000001'))
})

test('what cannot be a ciphertext or an IV is refused', () => {
  const cipher = des(random(8))
  for (const mode of blockModes) {
    for (const length of mode === 'ECB' ? [1, 8] : [0, 7, 9, 16]) {
      const job = { cipher, mode, iv: random(length), padding: 'PKCS7' } as const
      assert.throws(() => encryptBlocks(job, random(8), random), /^RangeError: expected [08] bytes, got/)
      assert.throws(() => decryptBlocks(job, random(8)), /^RangeError: expected [08] bytes, got/)
    }
  }
  for (const length of [0, 1, 7, 9, 63]) {
    assert.throws(
      () => decryptBlocks({ cipher, mode: 'CBC', iv: random(8), padding: 'PKCS7' }, random(length)),
      /^RangeError: expected whole blocks of 8 bytes/,
    )
  }
  const none = { cipher, mode: 'ECB', iv: random(0), padding: 'None' } as const
  assert.throws(() => encryptBlocks(none, random(7), random), /expected whole blocks of 8 bytes, got 7 bytes/)
  assert.equal(decryptBlocks(none, random(0)).length, 0)
})

test('neither encryption nor decryption changes what it is given', () => {
  const cipher = des(random(8))
  for (const mode of blockModes) {
    const iv = random(ivBytesOf(mode, 8))
    const text = random(24)
    const before = [iv.slice(), text.slice()]
    const job = { cipher, mode, iv, padding: 'None' } as const
    decryptBlocks(job, encryptBlocks(job, text, random))
    decryptBlocks(job, text)
    assert.deepEqual([iv, text], before)
  }
})
