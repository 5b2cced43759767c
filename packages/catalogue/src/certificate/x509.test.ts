import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { fileOf, type Panel, performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { parsePem } from '@assay/lib/asn1/pem'
import { fromHex, toHex } from '@assay/lib/bytes'
import type { CertificateReport } from '@assay/lib/x509/describe'
import { x509 } from './x509.ts'
import { chain, isrgRootX1, rfc8410Certificate, weakCertificate } from './x509-examples.ts'

const [action] = x509.actions
assert.ok(action)
interface Result {
  count: number
  checked_at: string
  certificates: CertificateReport[]
  chain: { order: string; complete: boolean }
}
async function run(input: Record<string, unknown>, now = '2026-06-01T00:00:00Z') {
  const outcome = await performed(action ?? never(), input, replay({ now }))
  const result = outcome.result as Result
  return {
    result,
    panels: action?.show?.(result, outcome.input) ?? [],
    terminal: action?.terminal?.(outcome.input, result),
  }
}
const never = (): never => assert.fail()
const openssl = (input: string, ...args: string[]) =>
  execFileSync('openssl', args, { input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'ignore'] })
/** A key of its own, thrown away. */
const fresh = ['-newkey', 'ed25519', '-nodes', '-keyout', '/dev/null', '-subj', '/CN=a']
const kinds = (panels: readonly Panel[]) => panels.map(({ kind }) => kind)
const bannerOf = (panels: readonly Panel[]) => panels.find(panel => panel.kind === 'banner')
const bytes = parsePem(isrgRootX1)[0]?.bytes ?? new Uint8Array()
const binary = {
  name: 'root.der',
  size: bytes.length,
  stream: async function* () {
    yield bytes.subarray(0, 100)
    yield bytes.subarray(100)
  },
}

test('[CTL-070] the fingerprints, serial number and dates are those of openssl x509', async () => {
  const {
    result: {
      certificates: [first],
    },
  } = await run({ certificate: isrgRootX1 })
  const print = (...args: string[]) => openssl(isrgRootX1, 'x509', '-noout', ...args)
  assert.equal(
    print('-fingerprint', '-sha256').split('=')[1]?.trim().replaceAll(':', '').toLowerCase(),
    first?.fingerprints.sha256,
  )
  assert.equal(print('-serial').trim().toLowerCase(), `serial=${first?.serial}`)
  assert.equal(new Date(print('-enddate').split('=')[1] ?? '').toISOString(), first?.validity.not_after)
})

test('a root: banner, facts, checks, extensions, fingerprints, PEM', async () => {
  const { panels, terminal } = await run({ certificate: isrgRootX1 })
  assert.deepEqual(kinds(panels), ['banner', 'facts', 'checks', 'table', 'facts', 'code'])
  assert.deepEqual(bannerOf(panels), {
    kind: 'banner',
    tone: 'good',
    title: 'ISRG Root X1',
    badge: 'VALID',
    detail: '2015-06-04 to 2035-06-04, issued by CN=ISRG Root X1,O=Internet Security Research Group,C=US',
  })
  const printed = execFileSync('sh', ['-c', terminal?.command ?? ''], { encoding: 'utf8' })
  assert.ok(printed.includes(terminal?.prints ?? '?'))
})

test('text, DER and files give the same', async () => {
  const { result } = await run({ certificate: isrgRootX1 })
  for (const input of [
    { certificate: toHex(bytes) },
    { certificate: Buffer.from(bytes).toString('base64') },
    { file: binary },
    { file: fileOf(isrgRootX1, 'root.pem') },
    { certificate: '  ', file: binary },
  ]) {
    assert.deepEqual((await run(input)).result, result)
  }
  const both = await run({ certificate: chain, file: binary })
  assert.equal(both.result.count, 4)
})

test('a chain: its order, its root, and one section for each certificate', async () => {
  const { panels, result } = await run({ certificate: chain })
  assert.deepEqual(kinds(panels), ['banner', 'list', 'section', 'section', 'section'])
  assert.equal(bannerOf(panels)?.badge, 'COMPLETE')
  assert.deepEqual(
    result.certificates.map(({ signature }) => [signature.checked, signature.issuer_index]),
    [
      ['valid', 1],
      ['valid', 2],
      ['valid', 2],
    ],
  )
  const [leaf, middle, root] = parsePem(chain).map(({ bytes }) => Buffer.from(bytes).toString('base64'))
  const block = (base64 = '') => `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`
  const upside = await run({ certificate: block(root) + block(middle) + block(leaf) })
  assert.deepEqual([upside.result.chain.order, bannerOf(upside.panels)?.tone], ['root first', 'warn'])
  const short = await run({ certificate: block(leaf) + block(middle) })
  assert.deepEqual([short.result.chain.complete, bannerOf(short.panels)?.badge], [false, 'NO ROOT'])
})

test('a chain whose signature does not hold is broken', async () => {
  const [leaf, middle, root] = parsePem(chain)
  assert.ok(leaf && middle && root)
  const last = middle.bytes.length - 1
  const forged = Uint8Array.from(middle.bytes, (octet, i) => (i === last ? octet ^ 1 : octet))
  const pem = [leaf.bytes, forged, root.bytes].map(
    part => `-----BEGIN CERTIFICATE-----\n${Buffer.from(part).toString('base64')}\n-----END CERTIFICATE-----`,
  )
  const { panels, result } = await run({ certificate: pem.join('\n') })
  assert.equal(result.certificates[1]?.signature.checked, 'invalid')
  assert.deepEqual([bannerOf(panels)?.tone, bannerOf(panels)?.badge], ['bad', 'BROKEN'])
})

test('the clock of the visitor decides on validity', async () => {
  for (const [now, badge, tone] of [
    ['2026-03-31T23:59:59Z', 'NOT YET VALID', 'bad'],
    ['2026-04-01T00:00:00Z', 'VALID', 'good'],
    ['2026-09-01T00:00:00Z', '8 DAYS LEFT', 'warn'],
    ['2026-09-09T00:00:00Z', '0 DAYS LEFT', 'warn'],
    ['2026-09-09T00:00:01Z', 'EXPIRED', 'bad'],
  ] as const) {
    const [leaf] = chain.split(/(?<=-----END CERTIFICATE-----\n)/)
    const { panels } = await run({ certificate: leaf }, now)
    assert.deepEqual([bannerOf(panels)?.badge, bannerOf(panels)?.tone], [badge, tone], now)
  }
})

test('plain verdicts on what is weak', async () => {
  const { result } = await run({ certificate: weakCertificate })
  const verdicts = Object.fromEntries(
    result.certificates[0]?.findings.map(({ name, verdict }) => [name, verdict]) ?? [],
  )
  assert.deepEqual(
    [verdicts.Validity, verdicts.Key, verdicts['Signature algorithm'], verdicts.Names],
    ['fail', 'fail', 'fail', 'fail'],
  )
  const odd = await run({ certificate: rfc8410Certificate })
  assert.deepEqual(
    [odd.result.certificates[0]?.self_signed, odd.result.certificates[0]?.signature.checked],
    ['unproven', 'unknown'],
  )
})

test('refusals name the field and say what it is instead', async () => {
  const key = openssl('', 'genpkey', '-algorithm', 'ED25519')
  const request = openssl('', 'req', '-new', ...fresh)
  for (const [input, field, message] of [
    [{}, 'certificate', /^Please paste a certificate or choose a file\.$/],
    [{ certificate: '' }, 'certificate', /Please paste/],
    [{ certificate: request }, 'certificate', /^Certificate: this is a certificate request \(CSR\)/],
    [{ certificate: key }, 'certificate', /this is a private key/],
    [{ certificate: openssl(key, 'pkey', '-pubout') }, 'certificate', /a public key alone/],
    [{ certificate: isrgRootX1.slice(0, 500) }, 'certificate', /-----END CERTIFICATE-----/],
    [{ certificate: toHex(bytes.subarray(0, 700)) }, 'certificate', /only \d+ are left \(at byte 1\)/],
    [{ certificate: `${toHex(bytes)}00` }, 'certificate', /1 bytes follow/],
    [{ certificate: 'x' }, 'certificate', /no certificate in PEM/],
    [
      { certificate: `${isrgRootX1}\n-----BEGIN CERTIFICATE-----\nMAMCAQE=\n-----END CERTIFICATE-----` },
      'certificate',
      /no certificate/,
    ],
    [{ file: fileOf('', 'empty.pem') }, 'file', /the file is empty/],
    [
      {
        file: {
          ...binary,
          stream: async function* () {
            yield fromHex('ff'.repeat(40))
          },
        },
      },
      'file',
      /neither DER nor text/,
    ],
    [
      {
        file: {
          ...binary,
          stream: async function* () {
            yield new Uint8Array(2_000_000)
          },
        },
      },
      'file',
      /at most 1 MiB/,
    ],
  ] as const) {
    await assert.rejects(run(input), { name: 'Problem', code: 'invalid-input', field, message })
  }
})

test('a name that hides something shows it', async () => {
  const pem = openssl('', 'req', '-x509', '-new', ...fresh, '-addext', 'subjectAltName=DER:30:05:82:03:61:00:62')
  const { panels, result } = await run({ certificate: pem })
  assert.equal(result.certificates[0]?.names[0]?.value, 'a\0b')
  assert.ok(JSON.stringify(panels).includes('a\\\\u{0}b'))
  assert.ok(!JSON.stringify(panels.filter(({ kind }) => kind !== 'code')).includes('\\u0000'))
})
