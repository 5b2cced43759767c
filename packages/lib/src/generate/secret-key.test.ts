import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { fromHex } from '../bytes.ts'
import { judgeKeyLength, keyFormats, writeKey } from './secret-key.ts'

test('RFC 4648 §10 and the ways of C and env', () => {
  const foobar = fromHex('666f6f626172')
  assert.deepEqual(
    keyFormats.map(format => writeKey(foobar, format, 'AES_KEY')),
    [
      ...['666f6f626172', 'Zm9vYmFy', 'Zm9vYmFy', 'MZXW6YTBOI======'],
      'static const unsigned char aes_key[6] = {\n    0x66, 0x6f, 0x6f, 0x62, 0x61, 0x72,\n};',
      'AES_KEY=666f6f626172',
    ],
  )
})

test('python3 reads every format back, 200 keys of every length', () => {
  const keys = Array.from({ length: 200 }, (_, i) => new Uint8Array(randomBytes([16, 24, 32, 48, 64][i % 5] ?? 16)))
  const lines = keys.map(key => keyFormats.map(format => writeKey(key, format, 'KEY').replace(/\n/g, ' ')).join('\t'))
  const program = `
import base64, re, sys
for line in sys.stdin:
    hexa, b64, url, b32, c, env = line.rstrip('\\n').split('\\t')
    size, body = re.fullmatch(r'static const unsigned char key\\[(\\d+)\\] = \\{(.*)\\};', c).groups()
    numbers = bytes(int(x, 16) for x in re.findall(r'0x[0-9a-f]{2}', body))
    assert len(numbers) == int(size) and re.fullmatch(r'[A-Za-z0-9_-]+', url)
    same = {bytes.fromhex(hexa), base64.b64decode(b64, validate=True), numbers, base64.b32decode(b32),
            base64.urlsafe_b64decode(url + '=' * (-len(url) % 4)), bytes.fromhex(env.removeprefix('KEY='))}
    assert len(same) == 1
    print(same.pop().hex())
`
  const read = execFileSync('python3', ['-c', program], { input: `${lines.join('\n')}\n`, encoding: 'utf8' })
  assert.deepEqual(
    read.trim().split('\n'),
    keys.map(key => Buffer.from(key).toString('hex')),
  )
})

test('what the standards say of lengths', () => {
  for (const [purpose, bits, fits, because] of [
    ['AES key', 128, 'yes', /FIPS 197 §5/],
    ['AES key', 192, 'yes', /AES-192/],
    ['AES key', 384, 'sometimes', /AES-SIV \(RFC 5297\) take it as two keys of 192/],
    ['AES key', 512, 'sometimes', /XTS \(NIST SP 800-38E\).*two keys of 256/],
    ['HMAC key', 128, 'sometimes', /RFC 2104 §3/],
    ['HMAC key', 512, 'yes', /HMAC-SHA-512/],
    ['IV', 96, 'yes', /AES-GCM/],
    ['IV', 128, 'yes', /CBC/],
    ['IV', 192, 'yes', /XChaCha20/],
    ['IV', 256, 'no', /No common mode/],
    ['salt', 128, 'yes', /NIST SP 800-132 §5.1/],
    ['JWT secret', 192, 'no', /RFC 7518 §3.2/],
    ['JWT secret', 256, 'yes', /for HS256\.$/],
    ['JWT secret', 384, 'yes', /HS256 and HS384/],
    ['JWT secret', 512, 'yes', /HS512/],
    ['API token', 128, 'yes', /beyond guessing/],
  ] as const) {
    const judged = judgeKeyLength(purpose, bits)
    assert.equal(judged.fits, fits, `${purpose} ${bits}`)
    assert.match(judged.because, because)
  }
})
