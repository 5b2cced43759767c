import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { fromHex, toHex } from '../bytes.ts'
import { readAgreementPrivateKey, readAgreementPublicKey } from './agreement.ts'
import { barePoint, bareScalar } from './bare.ts'
import { curveOf } from './curves.ts'

/** RFC 6979 §A.2.5. */
const d = 'c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721'
const x = '60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6'
const y = '7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299'
const notations = [
  (hex: string) => hex,
  (hex: string) => `0x${hex}`,
  (hex: string) => hex.toUpperCase().replace(/..(?=.)/g, '$& '),
  (hex: string) => hex.replace(/..(?=.)/g, '$&:'),
  (hex: string) => hex.replace(/../g, '0x$&, '),
]

test('RFC 6979 §A.2.5: a private key in hexadecimal, with the zero of a big integer too', () => {
  for (const write of notations) {
    assert.deepEqual(bareScalar(write(d), 'P-256'), fromHex(d))
    assert.deepEqual(bareScalar(write(`00${d}`), 'P-256'), fromHex(d))
    for (const other of [`01${d}`, `0000${d}`, d.slice(2)]) assert.equal(bareScalar(write(other), 'P-256'), undefined)
  }
  assert.equal(bareScalar(d, 'P-384'), undefined)
  assert.equal(bareScalar('AAAA', 'P-256'), undefined)
  assert.equal(bareScalar('not a key', 'P-256'), undefined)
  assert.throws(() => bareScalar(d.slice(1), 'P-256'), /odd/)
})

test('RFC 6979 §A.2.5: a public key in hexadecimal, compressed or not, and its coordinates alone', async () => {
  for (const write of notations) {
    for (const point of [`04${x}${y}`, `${x}${y}`, `03${x}`]) {
      const { key } = await readAgreementPublicKey(write(point), 'P-256')
      assert.ok(key.type === 'EC')
      assert.equal(toHex(key.point), `04${x}${y}`)
    }
    for (const other of [`05${x}${y}`, x]) assert.equal(barePoint(write(other), 'P-256'), undefined)
  }
  for (const wrong of [`${y}${x}`, `04${y}${x}`]) {
    await assert.rejects(readAgreementPublicKey(wrong, 'P-256'), /not a point on the curve P-256/)
  }
})

test('openssl ec -text: both keys as it prints them, on every curve', async () => {
  for (const [curve, name] of [
    ['P-256', 'prime256v1'],
    ['P-384', 'secp384r1'],
    ['P-521', 'secp521r1'],
    ['secp256k1', 'secp256k1'],
    ['brainpoolP256r1', 'brainpoolP256r1'],
    ['brainpoolP512r1', 'brainpoolP512r1'],
  ] as const) {
    const pem = execFileSync('openssl', ['ecparam', '-name', name, '-genkey', '-noout'], { stdio: 'pipe' })
    const text = execFileSync('openssl', ['ec', '-text', '-noout'], { input: pem, stdio: 'pipe' }).toString()
    const [, privateText = '', publicText = ''] = /priv:([\s0-9a-f:]+)pub:([\s0-9a-f:]+)ASN1/.exec(text) ?? []
    const key = await readAgreementPrivateKey(privateText, curve)
    assert.deepEqual(await readAgreementPublicKey(publicText, curve), { key: key.publicKey })
    assert.ok(key.type === 'EC')
    assert.equal(key.d.length, curveOf(curve).bytes)
  }
})
