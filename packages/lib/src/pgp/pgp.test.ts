import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Bytes, fromHex, fromUtf8, toBase64, toHex, toUtf8 } from '../bytes.ts'
import { blocksIn, toArmor } from './armor.ts'
import { createKey, describeKey, keyTypes, readAnyKeys, readPrivateKeys, readPublicKeys } from './keys.ts'
import { decryptMessage, encryptMessage, readMessage, signatureStyles, signMessage, verifyMessage } from './message.ts'
import { listPackets } from './packets.ts'
import {
  gnupgSymmetric,
  sampleCertificate,
  sampleClearSigned,
  sampleEncrypted,
  sampleInlineSigned,
  sampleKey,
} from './samples.ts'

const NOW = new Date('2026-06-01T00:00:00Z')
const FINGERPRINT = 'CB186C4F0609A697E4D52DFA6C722B0C1F1E27C18A56708F6525EC27BAD9ACC9'
const bytesIn = (text: string): Bytes => blocksIn(text)[0]?.bytes ?? new Uint8Array()

test('RFC 9580 §A.3: the certificate, its fingerprint, its subkey and what they are for', async () => {
  const [key] = await readPublicKeys(sampleCertificate)
  assert.ok(key)
  assert.partialDeepStrictEqual(await describeKey(key, NOW), {
    fingerprint: FINGERPRINT,
    version: 6,
    algorithm: 'Ed25519',
    created: '2022-11-30T16:08:03.000Z',
    expires: null,
    status: 'valid',
    private: false,
    uses: ['certify', 'sign'],
    subkeys: [
      {
        fingerprint: '12C83F1E706F6308FE151A417743A1F033790E93E9978488D1DB378DA9930885',
        algorithm: 'X25519',
        uses: ['encrypt messages', 'encrypt storage'],
        status: 'valid',
      },
    ],
  })
})

test('RFC 9580 §A.6 and §A.7: the signed messages are valid, and not after a change', async () => {
  const verifiers = await readPublicKeys(sampleCertificate)
  for (const [sample, style] of [
    [sampleClearSigned, 'Clear-signed'],
    [sampleInlineSigned, 'Inline'],
  ] as const) {
    const found = await verifyMessage({
      message: fromUtf8(sample),
      text: sample,
      signature: undefined,
      verifiers,
      now: NOW,
    })
    assert.equal(found.style, style)
    assert.match(toUtf8(found.data), /^What we need from the grocery store:\n\n- tofu\n- vegetables\n- noodles\n?$/)
    assert.partialDeepStrictEqual(found.signatures, [
      { status: 'valid', fingerprint: FINGERPRINT, hash: 'SHA-512', key_status: 'valid' },
    ])
  }
  const changed = sampleClearSigned.replace('tofu', 'beef')
  const forged = await verifyMessage({
    message: fromUtf8(changed),
    text: changed,
    signature: undefined,
    verifiers,
    now: NOW,
  })
  assert.equal(forged.signatures[0]?.status, 'invalid')
})

test('RFC 9580 §A.8: the message for X25519 with OCB', async () => {
  const keys = await readPrivateKeys(sampleKey, undefined)
  const message = await readMessage(sampleEncrypted)
  const { data, recipients } = await decryptMessage({ message, keys, passwords: [], verifiers: [], now: NOW })
  assert.equal(toUtf8(data), 'Hello, world!')
  assert.deepEqual(recipients, ['12C83F1E706F6308'])
})

test('RFC 9580: keys of all kinds in both forms encrypt, decrypt, sign and verify', async () => {
  for (const profile of ['RFC 4880 (GnuPG)', 'RFC 9580'] as const) {
    for (const keyType of keyTypes) {
      const { key, revocation } = await createKey({
        name: 'Ä',
        email: 'a@example.com',
        passphrase: undefined,
        keyType,
        rsaBits: 2048,
        expiresSeconds: 86_400,
        profile,
        now: NOW,
      })
      const report = await describeKey(key, NOW)
      assert.deepEqual(
        [report.version, report.status, report.expires],
        [profile === 'RFC 9580' ? 6 : 4, 'valid', '2026-06-02T00:00:00.000Z'],
      )
      assert.equal((await describeKey(key, new Date('2026-06-03'))).status, 'expired')
      assert.match(revocation, /BEGIN PGP PUBLIC KEY BLOCK/)
      const content = Uint8Array.of(0, 255, 10, 13)
      const { bytes } = await encryptMessage({
        message: content,
        recipients: [key.toPublic()],
        passwords: ['p'],
        signers: [key],
        profile,
        now: NOW,
      })
      for (const [keys, passwords] of [
        [[key], []],
        [[], ['p']],
      ] as const) {
        const opened = await decryptMessage({
          message: await readMessage(toBase64(bytes)),
          keys,
          passwords,
          verifiers: [key.toPublic()],
          now: NOW,
        })
        assert.deepEqual(opened.data, content)
        assert.equal(opened.signatures[0]?.status, 'valid')
      }
      for (const style of signatureStyles) {
        const message = fromUtf8('Text')
        const signed = await signMessage({ message, text: 'Text', style, signers: [key], profile, now: NOW })
        const text = 'text' in signed ? signed.text : toHex(signed.bytes)
        const detached = style === 'Detached'
        const found = await verifyMessage({
          message,
          text: detached ? '' : text,
          signature: detached ? text : undefined,
          verifiers: [key.toPublic()],
          now: NOW,
        })
        assert.deepEqual([found.style, found.signatures[0]?.status], [style, 'valid'])
      }
    }
  }
})

test('RFC 9580 §6.1: armor with and without a checksum, with any line ends, and several blocks', () => {
  const bytes = bytesIn(sampleCertificate)
  for (const profile of ['RFC 4880 (GnuPG)', 'RFC 9580'] as const) {
    const armored = toArmor('PUBLIC KEY BLOCK', bytes, profile)
    assert.equal(/^=/m.test(armored), profile === 'RFC 4880 (GnuPG)')
    for (const text of [
      armored,
      armored.replaceAll('\n', '\r\n'),
      `> mail\n${armored}\nbye`,
      armored.replace('\n\n', '\nComment: x\n\n'),
    ]) {
      assert.deepEqual(bytesIn(text), bytes)
    }
    assert.equal(blocksIn(armored + armored).length, 2)
  }
  assert.deepEqual([bytesIn(toHex(bytes)), bytesIn(toBase64(bytes))], [bytes, bytes])
})

const damaged = toArmor('MESSAGE', fromHex('cb0162'), 'RFC 4880 (GnuPG)')
for (const [name, text, words] of [
  ['nothing', ' ', /nothing in it/],
  ['no armor and no Base64', 'hello, world', /ASCII armor/],
  ['a block without an end', damaged.replace(/-----END.*/, ''), /no line that ends it/],
  ['a label of another kind', damaged.replaceAll('MESSAGE', 'POEM'), /label/],
  ['a wrong checksum', damaged.replace(/^=..../m, '=AAAA'), /checksum/],
  ['damaged Base64', damaged.replace('ywFi', 'yw!i'), /damaged/],
  ['an empty block', '-----BEGIN PGP MESSAGE-----\n\n-----END PGP MESSAGE-----', /empty/],
  ['PEM of another kind', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----', /BEGIN PGP/],
] as const) {
  test(`refused: ${name}`, () =>
    assert.throws(
      () => blocksIn(text),
      (error: Error) => error instanceof RangeError && words.test(error.message),
    ))
}

test('what is missing is named before anything is tried', async () => {
  const message = await readMessage(sampleEncrypted)
  const rest = { passwords: [], verifiers: [], now: NOW }
  await assert.rejects(decryptMessage({ ...rest, message, keys: [] }), { kind: 'key', message: /12C83F1E706F6308/ })
  const { key } = await createKey({
    name: 'x',
    email: '',
    passphrase: undefined,
    keyType: 'Curve25519',
    rsaBits: 2048,
    expiresSeconds: 0,
    profile: 'RFC 9580',
    now: NOW,
  })
  await assert.rejects(decryptMessage({ ...rest, message, keys: [key] }), { kind: 'key', message: /for another key/ })
  const locked = await readMessage(gnupgSymmetric)
  await assert.rejects(decryptMessage({ ...rest, message: locked, keys: [] }), { kind: 'password' })
  await assert.rejects(decryptMessage({ ...rest, message: locked, keys: [], passwords: ['wrong'] }), {
    kind: 'password',
    message: /does not open/,
  })
  await assert.rejects(readMessage(sampleClearSigned), /signed and not encrypted/)
  await assert.rejects(readMessage(sampleCertificate), /a PGP MESSAGE/)
  await assert.rejects(
    decryptMessage({ ...rest, message: await readMessage(sampleInlineSigned), keys: [], passwords: ['x'] }),
    /not encrypted/,
  )
  await assert.rejects(readPrivateKeys(sampleCertificate, undefined), /PGP PRIVATE KEY BLOCK/)
  await assert.rejects(readPrivateKeys(toBase64(bytesIn(sampleCertificate)), undefined), /public key/)
  await assert.rejects(readPublicKeys(sampleEncrypted), /PGP PUBLIC KEY BLOCK/)
})

test('RFC 9580 §5.13.2: no change anywhere gives another text, only a refusal in words of ours', async () => {
  const keys = await readPrivateKeys(sampleKey, undefined)
  const bytes = bytesIn(sampleEncrypted)
  let refused = 0
  for (let at = 0; at < bytes.length; at += 3) {
    const changed = Uint8Array.from(bytes, (octet, index) => (index === at ? octet ^ 0x10 : octet))
    try {
      const message = await readMessage(toHex(changed))
      const { data } = await decryptMessage({ message, keys, passwords: [], verifiers: [], now: NOW })
      // The end of the fingerprint of the recipient is looked at by nobody.
      assert.equal(toUtf8(data), 'Hello, world!', `byte ${at}`)
    } catch (error) {
      assert.ok(error instanceof RangeError, `byte ${at}: ${error}`)
      refused++
    }
  }
  assert.ok(refused > (0.8 * bytes.length) / 3)
})

test('packets: whatever arrives gives a list or a refusal', () => {
  const sample = bytesIn(sampleCertificate)
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(sample.length - 1), fc.nat(255), (noise, at, octet) => {
      const changed = Uint8Array.from(sample)
      changed[at] = octet
      for (const bytes of [Uint8Array.from(noise), changed, sample.slice(0, at + 1)]) {
        try {
          for (const { fields } of listPackets(bytes))
            assert.ok(fields.every(([label, value]) => label && typeof value === 'string'))
        } catch (error) {
          assert.ok(error instanceof RangeError, String(error))
        }
      }
    }),
    { numRuns: 500 },
  )
})

test('RFC 9580 §4.2.1.4: a packet in parts is one packet, and what is missing is told', () => {
  const literal = fromHex(`620000000000${'61'.repeat(700)}`)
  const parts = fromHex(
    `cbe9${toHex(literal.slice(0, 512))}c0${(literal.length - 512 - 192).toString(16).padStart(2, '0')}${toHex(literal.slice(512))}`,
  )
  assert.deepEqual(
    listPackets(parts).map(({ tag, bytes, fault }) => [tag, bytes, fault]),
    [[11, literal.length, undefined]],
  )
  assert.equal(listPackets(parts.slice(0, 100))[0]?.fault, '414 bytes of it are missing')
  assert.throws(() => listPackets(fromHex('41')), /no packets/)
})

test('keys of a kind that is not known are no keys, and still packets', async () => {
  const bytes = Uint8Array.from(bytesIn(sampleCertificate))
  bytes[7] = 99
  assert.deepEqual(await readAnyKeys(toHex(bytes)), [])
  assert.equal(listPackets(bytes)[0]?.name, 'Public Key')
})
