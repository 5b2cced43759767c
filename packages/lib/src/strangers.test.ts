/** What servers of strangers send, spoiled in every way: readers give what they can, or the one error that they declare. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { generator, mutate, quickest } from '../test/mutation.ts'
import { parsePem } from './asn1/pem.ts'
import { concat, fromHex } from './bytes.ts'
import { basicOverHttp, loginOverHttp, weakCookies, weakTransport } from './http/authentication.ts'
import { exposures, provenExposure } from './http/exposure.ts'
import { gradeOf } from './http/grade.ts'
import { judgeHeader, parsePolicy, scriptFaults, securityHeaders } from './http/security-headers.ts'
import { checkDkimKey, looksLikeDkim } from './mail/dkim.ts'
import { isDmarcRecord, parseDmarc } from './mail/dmarc.ts'
import { parseSpf } from './mail/spf-record.ts'
import { domainService } from './rdap/bootstrap.ts'
import { judgeRdap } from './rdap/client.ts'
import { registrationOf, relatedLink } from './rdap/domain.ts'
import { object, readJson } from './rdap/json.ts'
import { numberResourceOf } from './rdap/network.ts'
import { FlightReader, readSsl2Hello } from './tls/server-flight.ts'
import { entriesIn, referralIn, verdictOf } from './whois/answer.ts'
import { answers } from './whois/answers.fixture.ts'
import { registrationIn } from './whois/domain.ts'
import { numberResourceIn } from './whois/number.ts'
import { decodeAnswer, visibleText } from './whois/server.ts'
import { parseCertificate } from './x509/certificate.ts'
import { meaningOf } from './x509/extension-meaning.ts'

/** security.md H1: for one message. */
const MOST_MS = 5
const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')
const bytesOf = (text: string) => Buffer.from(text, 'latin1')
const page = (body: string, headers: readonly (readonly [string, string])[] = [], scheme = 'https') => ({
  url: `${scheme}://a.test/`,
  status: 200,
  headers,
  body: bytesOf(body),
})

/** Spoils the seeds so many times; whoever needs longer than a message may take is asked again. */
function spoil(times: number, seeds: readonly Uint8Array[], read: (bytes: Uint8Array<ArrayBuffer>) => void): void {
  const random = generator(20_261_121)
  for (let left = times; left > 0; left--) {
    const bytes = mutate(seeds[random(seeds.length)] ?? assert.fail(), random)
    const start = performance.now()
    read(bytes)
    if (performance.now() - start <= MOST_MS) continue
    assert.ok(quickest(() => read(bytes)) <= MOST_MS, Buffer.from(bytes).toString('hex').slice(0, 2_000))
  }
}

const pem = readFileSync(new URL('../../../vectors/x509/embeddedSCTs3.pem', import.meta.url), 'utf8')
const certificates = parsePem(pem).map(({ bytes }) => bytes)

const record = (type: number, ...messages: Uint8Array[]) => {
  const content = concat(...messages)
  return concat(Uint8Array.of(type, 3, 3, content.length >> 8, content.length & 255), content)
}
const u24 = (value: number) => Uint8Array.of(value >> 16, (value >> 8) & 255, value & 255)
const message = (type: number, body: Uint8Array) => concat(Uint8Array.of(type), u24(body.length), body)
const chain = concat(...certificates.flatMap(der => [u24(der.length), der]))
/** RFC 5246 §7.4: a hello with extensions, a chain, a key exchange on P-256 and the end. */
const flight = [
  record(
    22,
    message(2, concat(fromHex('0303'), new Uint8Array(32), fromHex('00c02f00000e001000050003026832ff01000100'))),
  ),
  record(22, message(11, concat(u24(chain.length), chain))),
  record(22, message(12, concat(fromHex('03001741'), new Uint8Array(65))), message(14, new Uint8Array(0))),
]

test('security H3: 40,000 spoiled handshakes, whole and in pieces: never an exception, and never for long', () => {
  const seeds = [
    concat(...flight),
    flight[0] ?? assert.fail(),
    record(21, Uint8Array.of(2, 40)),
    fromHex('800b0400010002000000030000'),
  ]
  let understood = 0
  spoil(40_000, seeds, bytes => {
    const reader = new FlightReader()
    const half = bytes.length >> 1
    reader.push(bytes.subarray(0, half))
    reader.push(bytes.subarray(half))
    if (reader.flight.hello) understood++
    assert.match(reader.flight.fault ?? 'a clause', /^[a-z][ -~]+$/)
    readSsl2Hello(bytes)
  })
  assert.ok(understood > 5_000)
})

test('RFC 5280: 10,000 spoiled certificates: fields, or a RangeError', () => {
  let readable = 0
  spoil(10_000, certificates, bytes => {
    try {
      for (const extension of parseCertificate(bytes).extensions) meaningOf(extension)
      readable++
    } catch (error) {
      assert.ok(error instanceof RangeError, String(error))
    }
  })
  assert.ok(readable > 100)
})

function readWhois(text: string): void {
  const entries = entriesIn(text)
  referralIn(entries)
  registrationIn(entries, 'example.com')
  numberResourceIn(entries)
  verdictOf(text, 'example.com')
  visibleText(text)
}

test('RFC 3912: 10,000 spoiled answers of WHOIS are read as far as they go', () => {
  const seeds = Object.values(answers).map(bytesOf)
  spoil(10_000, seeds, bytes => readWhois(decodeAnswer('whois.nic.test', bytes).text))
})

const registration = {
  objectClassName: 'domain',
  handle: '1_TEST',
  ldhName: 'EXAMPLE.TEST',
  status: ['active', 'client transfer prohibited'],
  port43: 'whois.nic.test',
  events: [{ eventAction: 'registration', eventDate: '2001-02-03T04:05:06Z' }],
  nameservers: [
    { objectClassName: 'nameserver', ldhName: 'NS1.TEST', ipAddresses: { v4: ['192.0.2.1'], v6: ['2001:db8::1'] } },
  ],
  secureDNS: { delegationSigned: false, dsData: [{ keyTag: 1 }], keyData: [] },
  links: [{ rel: 'related', type: 'application/rdap+json', href: 'https://rdap.test/' }],
  redacted: [{ name: { type: 'Registrant Phone', description: 'x' } }],
  startAddress: '192.0.2.0',
  endAddress: '192.0.2.255',
  cidr0_cidrs: [{ v4prefix: '192.0.2.0', length: 24 }],
  startAutnum: 64_496,
  endAutnum: 64_511,
  country: 'CH',
  entities: [
    {
      roles: ['registrar', 'registrant'],
      handle: '9999',
      publicIds: [{ type: 'IANA Registrar ID', identifier: '9999' }],
      links: [{ rel: 'about', href: 'https://registrar.test/' }],
      vcardArray: [
        'vcard',
        [
          ['version', {}, 'text', '4.0'],
          ['fn', {}, 'text', 'Name'],
          ['adr', { label: 'A\nB', cc: 'CH' }, 'text', ['', '', ['Street 1'], 'City', '', '8001', '']],
          ['tel', { type: ['voice', 'fax'] }, 'uri', 'tel:+1.5550100'],
        ],
      ],
      entities: [{ roles: ['abuse'], vcardArray: ['vcard', [['email', {}, 'text', 'abuse@registrar.test']]] }],
    },
  ],
}

/** The document with each of its values, one after the other, replaced by each of the others. */
function* replaced(value: unknown, others: readonly unknown[]): Generator<unknown> {
  yield* others
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) for (const other of replaced(item, others)) yield value.with(at, other)
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      for (const other of replaced(item, others)) yield { ...value, [key]: other }
    }
  }
}

test('RFC 9083: wrong types at every place of a good answer, and its contacts in jCard', () => {
  const others: unknown[] = [
    null,
    true,
    0,
    -1.5,
    '',
    '\0\u202e',
    [],
    {},
    [[]],
    [null, { a: [1] }],
    { 0: 'x', length: 1 },
    { toString: 1 },
  ]
  let documents = 0
  for (const kind of ['domain', 'ip network', 'autnum']) {
    for (const document of replaced({ ...registration, objectClassName: kind }, others)) {
      const answer = readJson(new TextEncoder().encode(JSON.stringify(document)))
      if (!answer) continue
      documents++
      const found = [registrationOf(answer), relatedLink(answer, 'https://own.test/'), numberResourceOf(answer)]
      assert.equal(typeof JSON.stringify(found), 'string')
    }
  }
  assert.ok(documents > 3_000, String(documents))
  assert.ok(registrationOf(object(registration) ?? assert.fail())?.contacts.abuse)
})

function readMail(text: string): void {
  parseSpf(`v=spf1 ${text}`)
  looksLikeDkim(text)
  checkDkimKey(text)
  isDmarcRecord(text)
  parseDmarc(text)
}

test('RFC 7208, RFC 6376, RFC 9989: 20,000 spoiled records of mail are read as far as they go', () => {
  const seeds = [
    'v=spf1 ip4:192.0.2.0/24 include:_spf.example.com a:mail.example.com//64 exists:%{ir}.%{v}._spf.%{d2} redirect=x.test',
    'v=DKIM1; h=sha256; k=rsa; t=s:y; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDwIRP; n=notes',
    'v=DMARC1; p=reject; sp=none; np=quarantine; psd=n; t=y; adkim=s; rua=mailto:a@b.test!10m,mailto:c@d.test; fo=1:d',
  ].map(bytesOf)
  spoil(20_000, seeds, bytes => readMail(latin1(bytes)))
})

const policy =
  "default-src 'none'; script-src 'self' 'nonce-abc' 'sha256-AAAA' https:; frame-ancestors 'none'; report-uri /r"
const headerSeeds = [
  policy,
  'max-age=63072000; includeSubDomains; preload',
  '__Host-a=b; Path=/; Secure; HttpOnly; SameSite=Lax',
  'Basic realm="x"',
]

function readHeader(text: string): void {
  const answer = page(
    '',
    securityHeaders.map(({ name }) => [name, text] as const),
  )
  for (const rule of securityHeaders) judgeHeader(rule, { secure: true, values: () => [text] })
  scriptFaults([parsePolicy(text)])
  weakCookies(answer)
  weakTransport(answer)
  basicOverHttp(page('', [['WWW-Authenticate', text]], 'http'))
  gradeOf({ page: answer })
}

test('RFC 9110: 5,000 spoiled header fields are judged', () => {
  spoil(5_000, headerSeeds.map(bytesOf), bytes => readHeader(latin1(bytes)))
})

function readPage(text: string): void {
  const answer = page(text)
  gradeOf({ page: answer })
  loginOverHttp(page(`<input type=password>${text}`))
  loginOverHttp(page(text, [], 'http'))
  for (const exposure of exposures) provenExposure(exposure, answer, undefined)
}

function readRdap(text: string): void {
  const entity = {
    roles: ['registrar', 'registrant'],
    handle: text,
    vcardArray: [
      'vcard',
      [
        ['fn', {}, 'text', text],
        ['tel', {}, 'uri', text],
      ],
    ],
  }
  const answer = {
    objectClassName: 'domain',
    ldhName: text,
    status: [text],
    events: [{ eventAction: 'registration', eventDate: text }],
    entities: [entity],
  }
  registrationOf(answer)
  judgeRdap('https://a.test/', { ...page(text), truncated: false })
  readJson(bytesOf(`{"a":"${text}`))
  domainService(text, 'a.test')
}

/** Each with the most that it is ever given. */
const readers: readonly (readonly [name: string, octets: number, read: (text: string) => void])[] = [
  ['WHOIS', 262_144, readWhois],
  ['RDAP', 1_048_576, readRdap],
  ['records of mail', 65_536, readMail],
  ['header fields', 16_384, readHeader],
  ['pages', 1_048_576, readPage],
]

/** What patterns with a star in them trip over, alone and again and again. */
const fillers = [
  ...[
    'a',
    ' ',
    '\t',
    '\n',
    '\r\n',
    '\0',
    '\xff',
    '.',
    'a.',
    '-',
    '%',
    '%{',
    '%{d}',
    ':',
    'a: ',
    'a: b\n',
    ' :',
    '=',
    'a=b;',
  ],
  ...[
    ';',
    ',',
    '"',
    '\\',
    '\\"',
    "'",
    '[',
    '{',
    '(',
    '<',
    '>',
    '<meta',
    '<meta ',
    '<input ',
    '<form ',
    '<!--',
    '<script',
    '<title>',
  ],
  ...[
    '<a href="',
    'http://',
    'redacted ',
    'Name Server: a\n',
    'Registrant:\n  ',
    'refer: ',
    'no match',
    '1.',
    'p=',
    'mailto:',
    "'nonce-",
  ],
]

/** Other tests share the machine: the time of one moment says little. */
const CHANCES = 3

for (const [name, octets, read] of readers) {
  test(`security C4: ${name} of ${octets} octets are read in a time that grows with their length, not with its square`, () => {
    for (const filler of fillers) {
      const full = (length: number) => filler.repeat(Math.ceil(length / filler.length))
      const [half, whole] = [full(octets / 2), full(octets)]
      const start = performance.now()
      // From small to large, so that what would take minutes is told after a moment.
      for (let length = 1_024; length < octets; length *= 2) {
        read(full(length))
        assert.ok(performance.now() - start < 5_000, `${JSON.stringify(filler)} at ${length} octets`)
      }
      const begun = performance.now()
      read(whole)
      if (performance.now() - begun < 100) continue
      const tries = Array.from({ length: CHANCES }, () => [quickest(() => read(half)), quickest(() => read(whole))])
      assert.ok(
        tries.some(([shorter = 0, longer = 0]) => longer < 250 || longer / shorter < 3),
        `${JSON.stringify(filler)}: ${tries} ms`,
      )
    }
  })
}
