import assert from 'node:assert/strict'
import { test } from 'node:test'
import { performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { qrcode } from './qrcode.ts'

const [action] = qrcode.actions
interface Result {
  payload: string
  width: number
  version: number
  svg?: string
  png?: string
}
async function run(input: Record<string, unknown>) {
  assert.ok(action)
  const outcome = await performed(action, input, replay())
  const result = outcome.result as Result
  return { ...result, panels: action.show?.(result, outcome.input) ?? [] }
}

test('[CTL-073] every kind gives its text', async () => {
  for (const [input, payload] of [
    [{ text: 'as it stands; é' }, 'as it stands; é'],
    [{ type: 'URL', text: 'example.com' }, 'https://example.com'],
    [{ type: 'Wi-Fi', ssid: 'a;b', wifi_password: 'c:d', hidden: 'yes' }, 'WIFI:T:WPA;S:a\\;b;P:c\\:d;H:true;;'],
    [{ type: 'Wi-Fi', ssid: 'open', security: 'none' }, 'WIFI:T:nopass;S:open;;'],
    [{ type: 'SMS', phone: '+44 1632 960001', message: 'Hello' }, 'SMSTO:+441632960001:Hello'],
    [
      { type: 'vCard', first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' },
      'BEGIN:VCARD\r\nVERSION:3.0\r\nN:Lovelace;Ada;;;\r\nFN:Ada Lovelace\r\nEMAIL:ada@example.com\r\nEND:VCARD',
    ],
    [
      { type: 'otpauth', otp_type: 'hotp', account: 'a', secret: 'mzxw6', counter: 5, digits: 8, algorithm: 'SHA256' },
      'otpauth://hotp/a?secret=MZXW6&algorithm=SHA256&digits=8&counter=5',
    ],
  ] as const) {
    assert.equal((await run(input)).payload, payload)
  }
})

test('SVG and PNG come as an image that can be saved', async () => {
  const svg = await run({ text: 'a', size: 300 })
  assert.deepEqual(svg.panels[0], {
    ...{ kind: 'image', source: svg.svg, alt: 'QR code', name: 'qrcode.svg', width: 300, height: 300 },
  })
  const png = await run({ text: 'a', format: 'PNG', size: 300 })
  assert.equal(png.width, 290)
  assert.deepEqual(png.panels[0], {
    ...{ kind: 'image', source: `data:image/png;base64,${png.png}`, alt: 'QR code', name: 'qrcode.png' },
    ...{ width: 290, height: 290 },
  })
})

test('refusals name the field; a text that is too long says how many bytes fit', async () => {
  for (const [input, field, message] of [
    [{}, 'text', 'Contents: expected something to put into the code.'],
    [{ text: 'é'.repeat(1166) }, 'text', 'Contents: expected at most 2331 bytes at level M, got 2332.'],
    [{ text: '1'.repeat(7090), ecc: 'L' }, 'text', 'Contents: expected at most 7089 digits at level L, got 7090.'],
    [{ type: 'vCard', note: 'a'.repeat(4000) }, 'note', /^Contents: expected at most 2331 bytes/],
    [{ type: 'URL', text: 'no address' }, 'text', 'Text: expected a web address such as https://example.com.'],
    [{ type: 'otpauth', account: 'a', secret: '189' }, 'secret', /^Secret: character 1 is not in this Base32 alphabet/],
    [{ type: 'otpauth', account: 'a' }, 'secret', 'Secret: expected a secret in Base32.'],
    [{ type: 'SMS', phone: 'none' }, 'phone', /^Telephone: expected a telephone number/],
    [{ text: 'a', size: 5000 }, 'size', /^Size: expected a whole number from 64 to 2048/],
  ] as const) {
    await assert.rejects(run(input), { name: 'Problem', code: 'invalid-input', field, message })
  }
})
