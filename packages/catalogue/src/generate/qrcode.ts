import { explain, field, type InputOf, mono, panel, sh, type Terminal, tool } from '@assay/kit'
import { toBase64 } from '@assay/lib/bytes'
import { correctionLevels, drawPng, drawSvg, encodeQr } from '@assay/lib/generate/qr'
import {
  otpauthPayload,
  smsPayload,
  urlPayload,
  vcardPayload,
  wifiPayload,
  wifiSecurity,
} from '@assay/lib/generate/qr-payload'

const types = ['text', 'URL', 'Wi-Fi', 'vCard', 'otpauth', 'SMS'] as const
const of = (...values: (typeof types)[number][]) => ({ dependsOn: { field: 'type', values } })

const fields = {
  type: field.choice('Kind', types),
  text: field.area('Text', { ...of('text', 'URL'), placeholder: 'https://example.com' }),
  ssid: field.text('Network name', of('Wi-Fi')),
  wifi_password: field.password('Network password', of('Wi-Fi')),
  security: field.choice('Security', wifiSecurity, { ...of('Wi-Fi'), help: 'WPA stands for WPA2 and WPA3 as well.' }),
  hidden: field.flag('Hidden network', of('Wi-Fi')),
  first_name: field.text('First name', of('vCard')),
  last_name: field.text('Last name', of('vCard')),
  organization: field.text('Organization', of('vCard')),
  phone: field.text('Telephone', of('vCard', 'SMS')),
  email: field.email('Email', of('vCard')),
  url: field.text('Web address', of('vCard')),
  note: field.area('Note', of('vCard')),
  message: field.area('Message', of('SMS')),
  otp_type: field.choice('Codes', ['totp', 'hotp'], { ...of('otpauth'), help: 'totp goes by the clock, hotp counts.' }),
  issuer: field.text('Issuer', { ...of('otpauth'), placeholder: 'Example Ltd' }),
  account: field.text('Account', { ...of('otpauth'), placeholder: 'alice@example.com' }),
  secret: field.password('Secret', { ...of('otpauth'), placeholder: 'JBSWY3DPEHPK3PXP', help: 'In Base32.' }),
  algorithm: field.choice('Hash function', ['SHA1', 'SHA256', 'SHA512'], {
    ...of('otpauth'),
    help: 'Most authenticators know SHA1 only.',
  }),
  digits: field.number('Digits', { ...of('otpauth'), min: 6, max: 8, default: 6 }),
  period: field.number('Period', { min: 10, max: 300, default: 30, unit: 'seconds', ...onlyFor('totp') }),
  counter: field.number('Counter', { min: 0, max: Number.MAX_SAFE_INTEGER, default: 0, ...onlyFor('hotp') }),
  ecc: field.choice('Error correction', correctionLevels, {
    default: 'M',
    help: 'How much of the code may be lost: L 7 %, M 15 %, Q 25 %, H 30 %.',
  }),
  format: field.choice('Format', ['SVG', 'PNG']),
  margin: field.number('Margin', {
    min: 0,
    max: 20,
    default: 4,
    unit: 'modules',
    help: 'Readers count on four; leave less only on a light background.',
  }),
  size: field.number('Size', { min: 64, max: 2048, default: 512, unit: 'pixels' }),
}

function onlyFor(type: 'totp' | 'hotp') {
  return { dependsOn: { field: 'otp_type', values: [type] } }
}

type Settings = InputOf<typeof fields>

/** What the code says, each part checked under the name of its field. */
function payloadOf(input: Settings): string {
  switch (input.type) {
    case 'text':
      return input.text
    case 'URL':
      return explain('text', 'Text', () => urlPayload(input.text))
    case 'Wi-Fi': {
      const { ssid, wifi_password: password, security, hidden } = input
      return explain('ssid', 'Network name', () => wifiPayload({ ssid, password, security, hidden }))
    }
    case 'vCard': {
      const { first_name: firstName, last_name: lastName, ...rest } = input
      return vcardPayload({ ...rest, firstName, lastName })
    }
    case 'otpauth':
      return explain('secret', 'Secret', () => otpauthPayload({ ...input, type: input.otp_type }))
    case 'SMS':
      return explain('phone', 'Telephone', () => smsPayload(input.phone, input.message))
  }
}

/** The field to look at when the whole is too long. */
const mainField = { text: 'text', URL: 'text', 'Wi-Fi': 'ssid', vCard: 'note', otpauth: 'secret', SMS: 'message' }

/** QR codes. ISO/IEC 18004. */
export const qrcode = tool({
  id: 'qrcode',
  path: 'qrcode',
  title: 'QR Code Generator',
  category: 'generators-and-randomness',
  summary: 'A QR code for a text, an address, a network, a business card, a second factor or a message.',
  keywords: ['qr', 'barcode', '2d code', 'wifi qr', 'vcard', 'otpauth', 'authenticator', 'svg', 'png'],
  specs: ['ISO/IEC 18004', 'RFC 2426'],
  runs: 'anywhere',
  fields,
  async run(input) {
    const { type, ecc, format, margin, size } = input
    const payload = payloadOf(input)
    const code = explain(mainField[type], 'Contents', () => encodeQr(payload, ecc))
    const about = { payload, version: code.version, modules: code.modules.length, ecc, format }
    if (format === 'SVG') return { ...about, width: size, svg: drawSvg(code, { margin, size }) }
    const { png, width } = await drawPng(code, { margin, size })
    return { ...about, width, png: toBase64(png) }
  },
  show: result => [
    panel.image({
      source: 'svg' in result ? result.svg : `data:image/png;base64,${result.png}`,
      alt: 'QR code',
      name: 'svg' in result ? 'qrcode.svg' : 'qrcode.png',
      width: result.width,
      height: result.width,
    }),
    panel.facts([
      ['Says', mono(result.payload)],
      ['Symbol', `Version ${result.version}, ${result.modules} × ${result.modules} modules`],
      ['Error correction', result.ecc],
    ]),
  ],
  terminal: ({ margin }, { payload, ecc, format }): Terminal => ({
    command: sh`qrencode -8 -l ${ecc} -m ${margin} -t ${format} -o ${`qrcode.${format.toLowerCase()}`} -- ${payload}`,
  }),
  examples: [
    {
      from: 'Key Uri Format of Google Authenticator',
      title: 'A second factor',
      input: {
        type: 'otpauth',
        issuer: 'ACME Co',
        account: 'john.doe@email.com',
        secret: 'HXDMVJECJJWSRB3HWIZR4IFUGFTMXBOZ',
      },
      result: {
        payload:
          'otpauth://totp/ACME%20Co:john.doe%40email.com?secret=HXDMVJECJJWSRB3HWIZR4IFUGFTMXBOZ&issuer=ACME%20Co&algorithm=SHA1&digits=6&period=30',
      },
    },
    {
      from: 'ZXing, Barcode Contents',
      title: 'A wireless network',
      input: { type: 'Wi-Fi', ssid: 'mynetwork', wifi_password: 'mypass' },
      result: { payload: 'WIFI:T:WPA;S:mynetwork;P:mypass;;', format: 'SVG' },
    },
    {
      from: 'ISO/IEC 18004 Table 7',
      title: 'The smallest code: 25 capitals at level L',
      input: { text: 'ABCDEFGHIJKLMNOPQRSTUVWXY', ecc: 'L', format: 'PNG' },
      result: { version: 1, modules: 21 },
    },
  ],
})
