import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pinsInText, pinText } from './pin.ts'

/** The pins of RFC 7469 §2.1.5. */
const first = 'd6qzRu9zOECb90Uez27xWltNsj0e1Md7GkYYkVoZWmM='
const second = 'E9CZ9INDbd+2eRQozYqqbQ2yXLVKB9+xcprMF+44U1g='

test('RFC 7469 §2.1.5: pins are found in whatever they are written in', () => {
  for (const text of [
    `${first} ${second}`,
    `Public: pin-sha256="${first}"; pin-sha256="${second}"`.replace('Public: ', ''),
    `sha256/${first}\nsha256/${second}`,
    `sha256//${first};sha256//${second}`,
    `<pin digest="SHA-256">${first}</pin>\n<pin digest="SHA-256">${second}</pin>`,
    `77aab346ef7338409bf7451ecf6ef15a5b4db23d1ed4c77b1a4618915a195a63, ${second}`,
  ]) {
    assert.deepEqual(pinsInText(text), [first, second])
  }
  assert.deepEqual(pinsInText('  '), [])
})

for (const [text, words] of [
  ['abc', /32 bytes/],
  [`${first}x`, /32 bytes/],
  ['AAAA', /got 3 bytes/],
  [Array(51).fill(first).join(' '), /at most 50 pins, got 51/],
  ['<pin></pin>', /32 bytes/],
] as const) {
  test(`refused: ${text.slice(0, 20)}`, () => assert.throws(() => pinsInText(text), words))
}

test('each format holds every pin that its program looks at', () => {
  const keys = [
    { pin: first, authority: false },
    { pin: second, authority: true },
  ]
  assert.equal(pinText('pin-sha256', 'a.example', keys), `pin-sha256="${first}"\npin-sha256="${second}"`)
  assert.match(
    pinText('OkHttp', 'a.example', keys),
    new RegExp(`\\.add\\("a\\.example", "sha256/${first.replace('+', '\\+')}"\\)`),
  )
  assert.match(
    pinText('NSC XML', 'a.example', keys),
    /<pin-set>\s*(<pin digest="SHA-256">[^<]{44}<\/pin>\s*){2}<\/pin-set>/,
  )
  const plist = pinText('iOS', 'a.example', keys)
  assert.ok(plist.indexOf('NSPinnedLeafIdentities') < plist.indexOf(first))
  assert.ok(plist.indexOf(first) < plist.indexOf('NSPinnedCAIdentities'))
  assert.ok(plist.indexOf('NSPinnedCAIdentities') < plist.indexOf(second))
  assert.equal(pinText('curl', '2001:db8::1', keys), `curl --pinnedpubkey 'sha256//${first}' https://[2001:db8::1]/`)
})
